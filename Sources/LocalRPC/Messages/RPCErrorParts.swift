package import Foundation

/// What an error's reason names, as data: a client can say it in its own language and point at what is wrong.
///
/// Each part is there only if the reason names it. A client must not rely on one, because other versions of a server can
/// leave it out.
package struct RPCErrorParts: Hashable, Sendable, Codable {
    /// Something that the reason names.
    package struct Subject: Hashable, Sendable, Codable {
        /// The kind, in the server's own vocabulary.
        package var kind: String
        /// The ID; for a part of something that has an ID, that of the whole.
        package var id: UUID?
        /// The number of the part.
        package var iid: UInt64?
        /// The name, for users.
        package var name: String?

        /// Creates a subject.
        package init(kind: String, id: UUID? = nil, iid: UInt64? = nil, name: String? = nil) {
            self.kind = kind
            self.id = id
            self.iid = iid
            self.name = name
        }
    }

    /// What the reason names. The first is what is in the way, such as the holder of a name that is taken.
    package var subjects: [Subject]?
    /// The parameter, or the field of a form, that is wrong.
    package var field: String?
    /// The name that was rejected.
    package var name: String?
    /// The character because of which the name was rejected.
    package var character: String?
    /// The number that was rejected.
    package var value: Double?
    /// The smallest number that is accepted.
    package var minimum: Double?
    /// The largest number that is accepted.
    package var maximum: Double?
    /// The limit that was exceeded.
    package var limit: Int?
    /// The number of seconds after which a retry can succeed.
    package var retryAfter: Int?

    /// Creates the parts of an error that names nothing.
    package init() {}

    /// Creates the parts of an error that names things.
    package init(_ subjects: Subject...) {
        self.subjects = subjects
    }
}
