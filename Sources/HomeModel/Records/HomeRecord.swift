package import Foundation

/// The home itself in its own log.
///
/// The home's *name* isn't part of it: users name their homes in their own logs (see ``AccountHomeRecord``).
package struct HomeRecord: Hashable, Sendable, Codable, Identifiable {
    /// The home's ID: random and never reused.
    package var id: UUID
    /// The ID of the default room (`roomForEntireHome`), which no request can change or remove.
    package var defaultRoom: UUID
    /// Where the home is; `nil` until a user sets it.
    package var place: Place?

    /// Creates the record of a home.
    package init(id: UUID, defaultRoom: UUID, place: Place? = nil) {
        self.id = id
        self.defaultRoom = defaultRoom
        self.place = place
    }
}
