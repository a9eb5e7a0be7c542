/// Every limit of a home, in one place. The limit itself is allowed; one more is refused with
/// ``HomeError/Code/limitExceeded`` or, for names, ``HomeError/Code/nameTooLong``.
public enum HomeLimits {
    /// Characters of a name that a person gives: Unicode scalars of the composed form (NFC).
    public static let nameLength = 64
    /// Characters that are kept of a text that an accessory reports (its name, its maker's); the rest is cut.
    public static let reportedTextLength = 256
    /// Homes in a user's own log.
    public static let homesPerUser = 100
    /// Rooms in a home, the default room not counted.
    public static let roomsPerHome = 500
    /// Zones in a home.
    public static let zonesPerHome = 500
    /// Accessories in a home, bridges and absent ones included.
    public static let accessoriesPerHome = 20_000
    /// Accessories behind one accessory server. HAP allows a bridge 149 bridged ones; simulated bridges have more.
    public static let accessoriesPerServer = 10_000
    /// Services of an accessory. HAP allows 100.
    public static let servicesPerAccessory = 256
    /// Characteristics of a service. HAP allows 100.
    public static let characteristicsPerService = 256
    /// Valid values, or ranges of them, that are kept of a characteristic; one that states more is taken to state none.
    public static let validValuesPerCharacteristic = 1_024
}
