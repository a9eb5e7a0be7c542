/// The limits of accessories, services and characteristics. Lengths are in bytes.
public enum HAPLimits {
    /// The maximum number of accessories of one server, including the bridge.
    public static let accessories = 150
    /// The maximum number of services of an accessory.
    public static let services = 100
    /// The maximum number of characteristics of a service.
    public static let characteristics = 100
    /// The default maximum length of a string characteristic.
    public static let defaultStringLength = 64
    /// The highest maximum length that a string characteristic may have.
    public static let stringLength = 256
    /// The maximum length of a TLV8 characteristic, and the default maximum length of a data characteristic.
    public static let defaultDataLength = 2_097_152
    /// The valid lengths of a model name.
    public static let modelLength = 1...64
    /// The valid lengths of a serial number.
    public static let serialNumberLength = 2...64
    /// The maximum configuration number, which is followed by 1.
    public static let configurationNumber = 65_535
    /// The aid of the primary accessory, or of the bridge.
    public static let primaryAccessoryID: UInt64 = 1
    /// The iid of the Accessory Information service in every accessory.
    public static let accessoryInformationID: UInt64 = 1
}
