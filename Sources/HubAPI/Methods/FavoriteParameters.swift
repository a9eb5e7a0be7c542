package import Foundation
package import HomeModel

/// A favorite, and its place in the order of the favorites.
package struct FavoritePlacement: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The favorite.
    package var favorite: Favorite
    /// The favorite that follows it, or `nil` for the end.
    package var before: Favorite?

    package init(home: UUID, favorite: Favorite, before: Favorite? = nil) {
        self.home = home
        self.favorite = favorite
        self.before = before
    }
}

/// One of the user's favorites.
package struct FavoriteTarget: Hashable, Sendable, Codable {
    /// The home.
    package var home: UUID
    /// The favorite.
    package var favorite: Favorite

    package init(home: UUID, favorite: Favorite) {
        self.home = home
        self.favorite = favorite
    }
}
