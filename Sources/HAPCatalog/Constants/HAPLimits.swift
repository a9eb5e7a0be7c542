/// Limits of accessories, services and characteristics. Counts are of things, lengths of bytes.
public enum HAPLimits {
    /// The most accessories behind one server, the bridge included.
    public static let accessories = 150
    /// The most services of an accessory.
    public static let services = 100
    /// The most characteristics of a service.
    public static let characteristics = 100
    /// The most bytes of a string characteristic that states no other bound.
    public static let defaultStringLength = 64
    /// The largest bound that a string characteristic may state.
    public static let stringLength = 256
    /// The most bytes of a TLV8 characteristic, and of a data characteristic that states no other bound.
    public static let defaultDataLength = 2_097_152
    /// The lengths of a model name.
    public static let modelLength = 1...64
    /// The lengths of a serial number.
    public static let serialNumberLength = 2...64
    /// The largest configuration number; the next one is 1.
    public static let configurationNumber = 65_535
    /// The aid of the primary accessory, or of the bridge.
    public static let primaryAccessoryID: UInt64 = 1
    /// The iid of the Accessory Information service in every accessory.
    public static let accessoryInformationID: UInt64 = 1
}
