/// The identity of a shape: a digest of its content, so that equal shapes are one record.
package struct ShapeID: Hashable, Sendable, Codable, RawRepresentable {
    /// Lower-case hex of the digest.
    package var rawValue: String

    /// Wraps a digest's text.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
