package import Foundation

/// The ID of a record within a log.
package struct RecordID: Hashable, Sendable, Codable {
    /// The kind of record.
    package var kind: RecordKind
    /// The ID among records of the same kind: a UUID string, a shape's digest, or an app's identifier.
    package var id: String

    /// Creates a record ID from a string.
    package init(kind: RecordKind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Creates a record ID from a UUID.
    package init(_ kind: RecordKind, _ id: UUID) {
        self.init(kind: kind, id: id.uuidString)
    }

    /// Creates the record ID of a shape.
    package init(_ shape: ShapeID) {
        self.init(kind: .shape, id: shape.rawValue)
    }

    /// The ID as a UUID; `nil` if it isn't one, as for shapes.
    package var uuid: UUID? { UUID(uuidString: id) }
}
