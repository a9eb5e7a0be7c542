public import Foundation

/// What the home's own log keeps of the home itself.
///
/// The home's *name* is not here: a user names their homes in their own log (see ``AccountHomeRecord``).
public struct HomeRecord: Hashable, Sendable, Codable, Identifiable {
    /// The home's identity; random, never reused.
    public var id: UUID
    /// The identity of the default room (`roomForEntireHome`), which no request can change or remove.
    public var defaultRoom: UUID

    /// Makes the record of a home.
    public init(id: UUID, defaultRoom: UUID) {
        self.id = id
        self.defaultRoom = defaultRoom
    }
}
