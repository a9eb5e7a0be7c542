import Foundation
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// Favorites, orders and the display of services, as clients of several users see them.
struct FavoriteTests {
    /// Returns the service of the gadget's lamp, and of its switch.
    private static func services(_ probe: RecordingHubClient, _ home: UUID) throws -> (ServiceIdentity, ServiceIdentity)
    {
        let state = try #require(probe.view.homes[home])
        let gadget = try #require(state.accessories.first).id
        return (
            try #require(state.identity(ofService: 10, in: gadget)),
            try #require(state.identity(ofService: 20, in: gadget))
        )
    }

    @Test func everyUserHasFavoritesOfTheirOwnAndGuestsToo() async throws {
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub, app: "hearth.test")
            let (lamp, plug) = try Self.services(owner, home)
            let ann = AddHomeUser(home: home, name: "Ann", role: .guest)
            let id = try await owner.call(HubMethods.addUser, ann).id
            let guest = try await RecordingHubClient(to: hub, as: id, app: "hearth.test")
            let second = try await RecordingHubClient(to: hub, app: "hearth.test")
            let scene = try #require(owner.view.homes[home]?.actionSets.first).id
            for favorite in [Favorite.service(lamp), .actionSet(scene)] {
                let placement = FavoritePlacement(home: home, favorite: favorite)
                _ = try await owner.call(HubMethods.addFavorite, placement)
            }
            let placement = FavoritePlacement(home: home, favorite: .service(plug))
            _ = try await guest.call(HubMethods.addFavorite, placement)
            let move = FavoritePlacement(home: home, favorite: .actionSet(scene), before: .service(lamp))
            _ = try await owner.call(HubMethods.moveFavorite, move)
            let expected = [Favorite.actionSet(scene), .service(lamp)]
            #expect(owner.view.account.favorites(in: home) == expected)
            #expect(guest.view.account.favorites(in: home) == [.service(plug)])
            try await second.until { $0.account.favorites(in: home) == expected }

            // What isn't there, or isn't the user's, is refused.
            let missing = ServiceIdentity(accessory: lamp.accessory, service: UUID())
            let nowhere = FavoritePlacement(home: home, favorite: .service(missing))
            #expect(try await guest.refusal(HubMethods.addFavorite, nowhere) == "notFound")
            let foreign = FavoriteTarget(home: home, favorite: .service(lamp))
            #expect(try await guest.refusal(HubMethods.removeFavorite, foreign) == "notFound")
            let elsewhere = FavoritePlacement(home: UUID(), favorite: .service(lamp))
            #expect(try await guest.refusal(HubMethods.addFavorite, elsewhere) == "notFound")
            let order = InHome(home, ReorderService(lamp, before: nil))
            #expect(try await guest.refusal(HubMethods.reorderService, order) == "insufficientPrivileges")
        }
    }

    @Test func whatIsRemovedFromTheHomeLeavesEverybodysFavoritesAndTheyOutliveARestart() async throws {
        try await withPopulatedFolder { folder, home in
            let (lamp, scene) = try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub, app: "hearth.test")
                let (lamp, _) = try Self.services(owner, home)
                let ann = AddHomeUser(home: home, name: "Ann", role: .guest)
                let id = try await owner.call(HubMethods.addUser, ann).id
                let guest = try await RecordingHubClient(to: hub, as: id, app: "hearth.test")
                let scene = try await owner.call(HubMethods.addActionSet, InHome(home, AddActionSet(name: "Party"))).id
                for client in [owner, guest] {
                    for favorite in [Favorite.service(lamp), .actionSet(scene)] {
                        let placement = FavoritePlacement(home: home, favorite: favorite)
                        _ = try await client.call(HubMethods.addFavorite, placement)
                    }
                }
                _ = try await owner.call(HubMethods.removeActionSet, InHome(home, RemoveActionSet(scene)))
                #expect(owner.view.account.favorites(in: home) == [.service(lamp)])
                try await guest.until { $0.account.favorites(in: home) == [.service(lamp)] }
                return (lamp, scene)
            }
            try await withHub(at: folder) { hub in
                let owner = try await RecordingHubClient(to: hub, app: "hearth.test")
                #expect(owner.view.account.favorites(in: home) == [.service(lamp)])
                let again = FavoritePlacement(home: home, favorite: .actionSet(scene))
                #expect(try await owner.refusal(HubMethods.addFavorite, again) == "notFound")
                _ = try await owner.call(HubMethods.removeAccessory, InHome(home, RemoveAccessory(lamp.accessory)))
                #expect(owner.view.account.favorites(in: home) == [])
            }
        }
    }

    @Test func appsSeeNoFavorites() async throws {
        try await withPopulatedHub { hub, home in
            let owner = try await RecordingHubClient(to: hub, app: "hearth.test")
            let (lamp, _) = try Self.services(owner, home)
            let placement = FavoritePlacement(home: home, favorite: .service(lamp))
            _ = try await owner.call(HubMethods.addFavorite, placement)
            let state = await hub.database.newest
            let account = state.account(of: hub.owner.user)
            for (kind, count) in [(SessionKind.person, 2), (.app, 1)] {
                let projection = hub.aliases.projection(for: hub.owner.user, app: "test", kind)
                #expect(projection.records(account.records, in: .account(hub.owner.user), as: nil).count == count)
            }
        }
    }
}
