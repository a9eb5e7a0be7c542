package import Foundation

/// Adds a home.
package struct AddHome: Hashable, Sendable, Codable {
    /// The home's name, unique among the user's homes.
    package var name: String

    /// Creates the parameters.
    package init(name: String) {
        self.name = name
    }
}

/// Identifies a home.
package struct HomeTarget: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID

    /// Creates the parameters.
    package init(home: UUID) {
        self.home = home
    }
}

/// Renames a home.
package struct RenameHome: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The home again. The hub ignores it.
    package var id: UUID
    /// The new name, unique among the user's homes.
    package var name: String

    /// Creates the parameters.
    package init(home: UUID, name: String) {
        self.home = home
        self.id = home
        self.name = name
    }
}

/// Identifies an object of a home.
package struct ItemTarget: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The object.
    package var id: UUID

    /// Creates the parameters.
    package init(home: UUID, id: UUID) {
        self.home = home
        self.id = id
    }
}

/// The result of an addition.
package struct AddedItem: Hashable, Sendable, Codable {
    /// The new object.
    package var id: UUID

    /// Creates the result.
    package init(id: UUID) {
        self.id = id
    }
}
