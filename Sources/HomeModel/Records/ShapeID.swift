/// The ID of a shape: a digest of its content, so that equal shapes are one record.
package struct ShapeID: Hashable, Sendable, Codable, RawRepresentable {
    /// The digest in lowercase hex.
    package var rawValue: String

    /// Creates an ID from a digest.
    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
