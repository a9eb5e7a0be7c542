import Foundation
import HomeIdentity
import HomeStore
import HubAPI
import Testing

@testable import HomeHub

/// The list of hubs, as a hub keeps it.
struct HubTableTests {
    private static func member(_ key: PublicKey) -> HubMember {
        HubMember(id: UUID(), key: key, box: BoxKey().publicBox)
    }

    @Test func aHubKeepsTheListAndKnowsTheOtherHubByItsKey() async throws {
        try await withDataFolder { folder in
            let other = IdentityKey()
            let list = try await withHub(at: folder) { hub in
                #expect(hub.hubTable.list == nil)
                #expect(hub.door.standing(of: other.publicKey) == .unknown)
                let pair = try HubList(founder: Self.member(hub.identity.publicKey)).adding(
                    Self.member(other.publicKey)
                )
                let list = SignedHubList(pair, by: hub.identity)
                #expect(try await hub.hubTable.take(list.bytes).pinned == [other.publicKey])
                #expect(hub.door.standing(of: other.publicKey) == .hub)
                #expect(hub.door.standing(of: hub.identity.publicKey) == .unknown)
                return list
            }
            try await withHub(at: folder) { hub in
                #expect(hub.hubTable.list == list)
                #expect(hub.door.standing(of: other.publicKey) == .hub)

                // Agents are told it, apps aren't.
                let agent = try await RecordingHubClient(
                    to: hub,
                    app: HubProtocol.agentApp,
                    agent: AgentIntroduction(version: "1", platform: "linux")
                )
                #expect(try await agent.call(HubMethods.homeKeys, Empty()).hubs.map(Array.init) == list.bytes)

                // The other hub says that it has left.
                let alone = try list.list.removing(list.list.members[1].id)
                let change = try await hub.hubTable.take(SignedHubList(alone, by: other).bytes)
                #expect(change.unpinned == [other.publicKey])
                #expect(hub.door.standing(of: other.publicKey) == .unknown)
            }
        }
    }

    @Test func hubsThatRemovedEachOtherKeepTheirListsAndSayWhatToDo() async throws {
        try await withHub { hub in
            let other = IdentityKey()
            let members = [Self.member(hub.identity.publicKey), Self.member(other.publicKey)]
            let pair = try HubList(founder: members[0]).adding(members[1])
            try await hub.hubTable.take(SignedHubList(pair, by: hub.identity).bytes)
            try await hub.hubTable.remove(members[1].id, by: hub.identity)
            let own = try #require(hub.hubTable.list)
            // A hub that was removed can't take that back, whichever list comes first.
            let fork = SignedHubList(try pair.removing(members[0].id), by: other)
            #expect(fork.list.sequence == own.list.sequence)
            await #expect(throws: HubError.self) { try await hub.hubTable.take(fork.bytes) }
            #expect(hub.hubTable.list == own)
            // A device that knew both keeps the list that came first, and is told what to do.
            for (first, second) in [(own, fork), (fork, own)] {
                var pinned = try PinnedHubs(
                    joined: other.publicKey,
                    list: SignedHubList(pair, by: other).bytes
                )
                _ = try pinned.take(first.bytes)
                #expect(throws: HubListError.self) { try pinned.take(second.bytes) }
                #expect(pinned.list == first)
            }
            // Two lists of one signer are a fork, and the owner has to decide.
            var pinned = try PinnedHubs(joined: other.publicKey, list: own.bytes)
            let again = try HubList(
                sequence: own.list.sequence,
                members: [members[0], Self.member(IdentityKey().publicKey)]
            )
            let error = #expect(throws: HubListError.self) {
                try pinned.take(SignedHubList(again, by: hub.identity).bytes)
            }
            #expect(error?.code == .forked)
            #expect(error?.message.contains("hearth join") == true)
            #expect(pinned.list == own)
        }
    }

    @Test func aListThatIsRefusedChangesNothing() async throws {
        try await withHub { hub in
            let other = IdentityKey()
            let pair = try HubList(founder: Self.member(hub.identity.publicKey)).adding(Self.member(other.publicKey))
            let error = await #expect(throws: HubError.self) {
                try await hub.hubTable.take(SignedHubList(pair, by: other).bytes)
            }
            #expect(error?.code == HubError.Code(rawValue: HubListError.Code.forged.rawValue))
            #expect(hub.hubTable.list == nil)
            #expect(hub.door.standing(of: other.publicKey) == .unknown)
        }
    }

    @Test func aDamagedListStopsTheStart() async throws {
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                try await hub.store.setMetadata("damaged", for: .hubs)
            }
            let error = await #expect(throws: HubError.self) { try await withHub(at: folder) { _ in } }
            #expect(error?.code == .storeFailure)
            #expect(error?.reason.contains("list of hubs") == true)
        }
    }
}
