/// A connection as its accessory server numbers it. Numbers are not used again while the server runs.
public struct ConnectionID: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Creates an ID of its number.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
