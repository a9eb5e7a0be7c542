/// The identity of a shape: a digest of its content, so that equal shapes are one record.
public struct ShapeID: Hashable, Sendable, Codable, RawRepresentable {
    /// Lower-case hex of the digest.
    public var rawValue: String

    /// Wraps a digest's text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
