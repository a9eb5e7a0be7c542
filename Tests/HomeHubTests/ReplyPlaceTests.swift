import Foundation
import HomeModel
import HubAPI
import PeerProcess
import Testing

@testable import HomeHub

/// Replies name the entries that they depend on, so that a client knows when its state includes the result.
struct ReplyPlaceTests {
    private typealias Call<Parameters: Codable & Sendable, Result: Codable & Sendable> = EncodedCall<
        Parameters, Result
    >

    private static func rename(_ room: UUID, in home: UUID, _ name: String) throws -> Call<InHome<RenameRoom>, Empty> {
        try EncodedCall(HubMethods.renameRoom, InHome(home, RenameRoom(room, name: name)))
    }

    @Test func theReplyToAChangeNamesItsEntryWhichTheStateShows() async throws {
        try await withHub { hub in
            let client = try await KeyedClient(to: hub)
            let home = try await client.reply(to: EncodedCall(HubMethods.addHome, AddHome(name: "Villa")))
            let id = home.result.id
            // One entry is in the new home's log, one in the user's own log.
            #expect(Set(home.follows.map(\.home)) == [id, nil])
            #expect(home.isShown)
            let room = try await client.reply(
                to: EncodedCall(HubMethods.addRoom, InHome(id, AddRoom(name: "Kitchen")), key: UUID())
            )
            let seen = try #require(client.view.value.seen)
            let place = try #require(seen.homes[id])
            #expect(room.follows == [LogPlace(home: id, lineage: place.lineage, revision: place.revision)])
            #expect(room.isShown)
            let renamed = try await client.reply(to: Self.rename(room.result.id, in: id, "Cuisine"))
            #expect(renamed.follows.map(\.revision) == [place.revision + 1])
            #expect(renamed.isShown)
            let earlier = HubState()
            #expect(!earlier.shows(renamed.follows) && !earlier.shows([]))
        }
    }

    @Test func whatChangesNothingFollowsNothing() async throws {
        try await withHub { hub in
            let client = try await KeyedClient(to: hub)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let room = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen"))).id
            #expect(try await client.reply(to: Self.rename(room, in: home, "Kitchen")).follows.isEmpty)
            let reading = try EncodedCall(HubMethods.apps, Empty())
            #expect(try await client.reply(to: reading).follows.isEmpty)
        }
    }

    @Test func aRequestThatComesAgainFollowsTheSameEntry() async throws {
        try await withHub { hub in
            let client = try await KeyedClient(to: hub)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let call = try EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")), key: UUID())
            let first = try await client.reply(to: call)
            _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Study")))
            #expect(try await client.reply(to: call).follows == first.follows)
        }
    }

    @Test func theEntriesInTheListsOfOthersAreNotNamed() async throws {
        try await withHub { hub in
            let client = try await KeyedClient(to: hub)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            let person = AddHomeUser(home: home, name: "Ann", role: .guest)
            let added = try await client.reply(to: EncodedCall(HubMethods.addUser, person))
            #expect(added.follows.map(\.home) == [home])
            let account = await hub.account(added.result.id, to: "test")
            let other = try await KeyedClient(to: hub, as: account)
            // A user who leaves a home receives none of its changes.
            let leaving = InHome(home, RemoveUser(added.result.id))
            let left = try await other.reply(to: EncodedCall(HubMethods.removeUser, leaving))
            #expect(Set(left.follows.map(\.home)) == [home, nil])
            #expect(left.isShown)
        }
    }

    @Test func aClientInTheBackgroundKnowsThatItsStateDoesNotShowTheChangeYet() async throws {
        try await withHub { hub in
            let client = try await KeyedClient(to: hub)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            _ = try await client.call(HubMethods.enterBackground, Empty())
            let room = try await client.reply(
                to: EncodedCall(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
            )
            let hut = try await client.reply(to: EncodedCall(HubMethods.addHome, AddHome(name: "Hut")))
            #expect(!room.isShown && !hut.isShown)
            _ = try await client.call(HubMethods.enterForeground, Empty())
            #expect(client.view.value.shows(room.follows + hut.follows))
        }
    }
}
