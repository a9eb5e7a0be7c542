package import Foundation

/// Adds a home.
package struct AddHome: Hashable, Sendable, Codable {
    /// Its name, unique among the user's homes.
    package var name: String

    /// Makes the parameters.
    package init(name: String) {
        self.name = name
    }
}

/// Names a home.
package struct HomeTarget: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID

    /// Makes the parameters.
    package init(home: UUID) {
        self.home = home
    }
}

/// Adds a thing with a name to a home.
package struct AddNamed: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The new thing's name, unique in the home.
    package var name: String

    /// Makes the parameters.
    package init(home: UUID, name: String) {
        self.home = home
        self.name = name
    }
}

/// Names a thing in a home.
package struct Target: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The thing's identity.
    package var id: UUID

    /// Makes the parameters.
    package init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// Renames a thing in a home, or, with `id` equal to `home`, the home.
package struct Rename: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The thing's identity.
    package var id: UUID
    /// The new name.
    package var name: String

    /// Makes the parameters.
    package init(home: UUID, id: UUID, name: String) {
        self.home = home
        self.id = id
        self.name = name
    }
}

/// A room's place in a zone.
package struct ZoneMembership: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The zone.
    package var zone: UUID
    /// The room.
    package var room: UUID

    /// Makes the parameters.
    package init(home: UUID, zone: UUID, room: UUID) {
        self.home = home
        self.zone = zone
        self.room = room
    }
}

/// The result of an addition.
package struct Added: Hashable, Sendable, Codable {
    /// The new thing's identity.
    package var id: UUID

    /// Makes the result.
    package init(id: UUID) {
        self.id = id
    }
}
