package import Foundation

/// Names one record of a log.
package struct RecordID: Hashable, Sendable, Codable {
    /// What the record describes.
    package var kind: RecordKind
    /// The record's identity among those of its kind: a UUID's text, a shape's digest, or an app's identifier.
    package var id: String

    /// Names a record by the text of its identity.
    package init(kind: RecordKind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Names a record whose identity is a UUID.
    package init(_ kind: RecordKind, _ id: UUID) {
        self.init(kind: kind, id: id.uuidString)
    }

    /// Names the record of a shape.
    package init(_ shape: ShapeID) {
        self.init(kind: .shape, id: shape.rawValue)
    }

    /// The identity as a UUID; nil for a shape and for identities of a form that this version does not know.
    package var uuid: UUID? { UUID(uuidString: id) }
}
