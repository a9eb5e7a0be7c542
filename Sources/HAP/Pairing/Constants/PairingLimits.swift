/// The limits of pairing (HAP specification, pair-setup, pair-verify and pairings).
public enum PairingLimits {
    /// The number of wrong setup codes after which an accessory answers pair-setup with MaxTries until it is reset.
    public static let failedTries = 100
    /// The minimum number of pairings that an accessory must be able to store, and the default capacity of
    /// ``PairingList``.
    public static let pairings = 16
    /// The time without progress after which another connection may take over pair-setup.
    public static let stalledAfter = Duration.seconds(30)
    /// The maximum length of a controller's pairing identifier, in UTF-8 bytes.
    public static let identifierLength = 36
    /// The length of the SRP salt in bytes.
    public static let saltLength = 16
    /// The length of an SRP private value in bytes.
    static let privateValueLength = 32
}
