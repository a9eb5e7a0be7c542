package import Foundation

/// What the home's own log keeps of the home itself.
///
/// The home's *name* is not here: a user names their homes in their own log (see ``AccountHomeRecord``).
package struct HomeRecord: Hashable, Sendable, Codable, Identifiable {
    /// The home's identity; random, never reused.
    package var id: UUID
    /// The identity of the default room (`roomForEntireHome`), which no request can change or remove.
    package var defaultRoom: UUID

    /// Makes the record of a home.
    package init(id: UUID, defaultRoom: UUID) {
        self.id = id
        self.defaultRoom = defaultRoom
    }
}
