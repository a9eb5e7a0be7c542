/// Names something that the hub keeps about itself. Kept open.
public struct MetadataKey: Hashable, Sendable, RawRepresentable {
    /// The key's name in the database.
    public var rawValue: String

    /// Wraps a key's name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The identity of the user whose hub it is.
    public static let hubUser = MetadataKey(rawValue: "hubUser")
    /// The identity of the hub as a device.
    public static let hubDevice = MetadataKey(rawValue: "hubDevice")
    /// The sort of clock that the data folder was made with; it opens with no other.
    public static let clock = MetadataKey(rawValue: "clock")
}
