package import Foundation

extension Account {
    /// Returns the user's favorites in a home, in order.
    package func favorites(in home: UUID) -> [Favorite] { favoriteRecords[id: home]?.favorites ?? [] }

    /// Decides to add favorites before another one or at the end. Those that are favorites already are moved if there is
    /// one to move them before.
    func addFavorites(_ added: [Favorite], in home: UUID, before next: Favorite?) throws(HomeError) -> Change? {
        let current = favorites(in: home)
        if let next, !current.contains(next) { throw Self.notAFavorite }
        var favorites = current
        for favorite in added where next != nil || !favorites.contains(favorite) {
            favorites = Home.moved(favorite, before: next, in: favorites)
        }
        guard favorites.count <= HomeLimits.favoritesPerHome else {
            let limit = HomeLimits.favoritesPerHome
            throw HomeError(.limitExceeded, "A user has at most \(limit) favorites in a home.", limit: limit)
        }
        return change(to: favorites, in: home)
    }

    func moveFavorite(_ favorite: Favorite, in home: UUID, before next: Favorite?) throws(HomeError) -> Change? {
        let favorites = favorites(in: home)
        guard favorites.contains(favorite), next.map(favorites.contains) ?? true else { throw Self.notAFavorite }
        return change(to: Home.moved(favorite, before: next, in: favorites), in: home)
    }

    func removeFavorite(_ favorite: Favorite, in home: UUID) throws(HomeError) -> Change? {
        let favorites = favorites(in: home)
        guard favorites.contains(favorite) else { throw Self.notAFavorite }
        return change(to: favorites.filter { $0 != favorite }, in: home)
    }

    /// Returns the change that removes the favorites that refer to removed accessories and action sets; `nil` if there
    /// are none.
    package func losing(_ objects: Set<UUID>, in home: UUID) -> Change? {
        change(to: favorites(in: home).filter { !objects.contains($0.object) }, in: home)
    }

    private func change(to favorites: [Favorite], in home: UUID) -> Change? {
        guard favorites != self.favorites(in: home) else { return nil }
        let effect: Effect =
            favorites.isEmpty
            ? .remove(RecordID(.accountFavorites, home))
            : .put(.accountFavorites(AccountFavoritesRecord(id: home, favorites: favorites)))
        return Change(verb: .favoritesChanged, subjects: [home], effects: [effect])
    }

    private static let notAFavorite = HomeError(.notFound, "It is not one of your favorites.")
}
