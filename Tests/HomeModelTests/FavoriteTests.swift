import Foundation
import Testing

@testable import HomeModel

/// A user's favorites, in the user's own log.
@Suite struct FavoriteTests {
    private var account = Account(user: UUID())
    private let home = UUID()
    private let favorites: [Favorite] = [
        .service(ServiceIdentity(accessory: UUID(), service: UUID())), .actionSet(UUID()),
        .service(ServiceIdentity(accessory: UUID(), service: UUID())),
    ]

    @discardableResult
    private mutating func ask(_ request: AccountRequest) throws(HomeError) -> Change? {
        let change = try account.decide(request)
        if let change { account.apply(change) }
        return change
    }

    private func refusal(of request: AccountRequest) -> HomeError.Code? {
        do throws(HomeError) {
            _ = try account.decide(request)
            return nil
        } catch {
            return error.code
        }
    }

    @Test mutating func favoritesKeepTheOrderThatTheUserGivesThem() throws {
        for favorite in favorites { try ask(.addFavorites([favorite], in: home, before: nil)) }
        #expect(account.favorites(in: home) == favorites)
        #expect(account.favorites(in: UUID()) == [])
        #expect(try ask(.addFavorites([favorites[0]], in: home, before: nil)) == nil)
        let change = try ask(.moveFavorite(favorites[2], in: home, before: favorites[0]))
        #expect(change?.verb == .favoritesChanged && change?.subjects == [home])
        #expect(account.favorites(in: home) == [favorites[2], favorites[0], favorites[1]])
        try ask(.moveFavorite(favorites[2], in: home, before: nil))
        #expect(account.favorites(in: home) == favorites)
        try ask(.removeFavorite(favorites[1], in: home))
        #expect(refusal(of: .removeFavorite(favorites[1], in: home)) == .notFound)
        #expect(refusal(of: .moveFavorite(favorites[1], in: home, before: nil)) == .notFound)
        #expect(refusal(of: .addFavorites([favorites[1]], in: home, before: .actionSet(UUID()))) == .notFound)
        try ask(.addFavorites([favorites[1]], in: home, before: favorites[2]))
        #expect(account.favorites(in: home) == favorites)
        // They are stored, and loaded again.
        let json = try account.records.map { try CanonicalJSON.encode($0) }
        let records = try json.map { try CanonicalJSON.decode(Record.self, from: $0) }
        #expect(Account(user: account.user, records: records) == account)
    }

    @Test mutating func whatIsRemovedFromTheHomeIsNoFavorite() throws {
        try ask(.addFavorites(favorites, in: home, before: nil))
        #expect(account.losing([UUID()], in: home) == nil)
        account.apply(try #require(account.losing([favorites[0].object, favorites[1].object], in: home)))
        #expect(account.favorites(in: home) == [favorites[2]])
        account.apply(try #require(account.losing([favorites[2].object], in: home)))
        #expect(account.records.isEmpty)
    }

    @Test mutating func favoritesLeaveWithTheirHome() throws {
        try ask(.addHome(id: home, name: "Villa"))
        try ask(.addFavorites(favorites, in: home, before: nil))
        try ask(.removeHome(home))
        #expect(account.records.isEmpty)
    }

    @Test mutating func favoritesHaveALimit() throws {
        let most = (0..<HomeLimits.favoritesPerHome).map { _ in Favorite.actionSet(UUID()) }
        try ask(.addFavorites(most, in: home, before: nil))
        #expect(account.favorites(in: home) == most)
        #expect(refusal(of: .addFavorites([favorites[0]], in: home, before: nil)) == .limitExceeded)
        try ask(.addFavorites([most[3]], in: home, before: most[0]))
        #expect(account.favorites(in: home).count == HomeLimits.favoritesPerHome)
    }
}
