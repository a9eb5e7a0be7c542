public import Foundation

/// Names one record of a log.
public struct RecordID: Hashable, Sendable, Codable {
    /// What the record describes.
    public var kind: RecordKind
    /// The record's identity among those of its kind: a UUID's text, a shape's digest, or an app's identifier.
    public var id: String

    /// Names a record by the text of its identity.
    public init(kind: RecordKind, id: String) {
        self.kind = kind
        self.id = id
    }

    /// Names a record whose identity is a UUID.
    public init(_ kind: RecordKind, _ id: UUID) {
        self.init(kind: kind, id: id.uuidString)
    }

    /// Names the record of a shape.
    public init(_ shape: ShapeID) {
        self.init(kind: .shape, id: shape.rawValue)
    }

    /// The identity as a UUID; nil for a shape and for identities of a form that this version does not know.
    public var uuid: UUID? { UUID(uuidString: id) }
}
