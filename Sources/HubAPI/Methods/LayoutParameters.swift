public import Foundation

/// Adds a home.
public struct AddHome: Hashable, Sendable, Codable {
    /// Its name, unique among the user's homes.
    public var name: String

    /// Makes the parameters.
    public init(name: String) {
        self.name = name
    }
}

/// Names a home.
public struct HomeTarget: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID

    /// Makes the parameters.
    public init(home: UUID) {
        self.home = home
    }
}

/// Adds a thing with a name to a home.
public struct AddNamed: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The new thing's name, unique in the home.
    public var name: String

    /// Makes the parameters.
    public init(home: UUID, name: String) {
        self.home = home
        self.name = name
    }
}

/// Names a thing in a home.
public struct Target: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The thing's identity.
    public var id: UUID

    /// Makes the parameters.
    public init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// Renames a thing in a home, or, with `id` equal to `home`, the home.
public struct Rename: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The thing's identity.
    public var id: UUID
    /// The new name.
    public var name: String

    /// Makes the parameters.
    public init(home: UUID, id: UUID, name: String) {
        self.home = home
        self.id = id
        self.name = name
    }
}

/// A room's place in a zone.
public struct ZoneMembership: Hashable, Sendable, Codable {
    /// The home.
    public var home: UUID
    /// The zone.
    public var zone: UUID
    /// The room.
    public var room: UUID

    /// Makes the parameters.
    public init(home: UUID, zone: UUID, room: UUID) {
        self.home = home
        self.zone = zone
        self.room = room
    }
}

/// The result of an addition.
public struct Added: Hashable, Sendable, Codable {
    /// The new thing's identity.
    public var id: UUID

    /// Makes the result.
    public init(id: UUID) {
        self.id = id
    }
}
