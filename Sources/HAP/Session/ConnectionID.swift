/// The number that an accessory server assigns to a connection. It is not reused while the server runs.
public struct ConnectionID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Creates an ID from its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
