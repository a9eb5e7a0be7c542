package import Foundation

/// A user's favorites in a home, in the user's own log.
package struct AccountFavoritesRecord: Hashable, Sendable, Codable, Identifiable {
    /// The home's ID.
    package var id: UUID
    /// The favorites in the user's order, each once. A service keeps its place while its accessory lacks it.
    package var favorites: [Favorite]

    /// Creates the record of a user's favorites.
    package init(id: UUID, favorites: [Favorite]) {
        self.id = id
        self.favorites = favorites
    }
}
