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

    @Test func aHubKeepsTheListsByWhichDevicesFollow() async throws {
        try await withDataFolder { folder in
            let (lost, joined) = (IdentityKey(), IdentityKey())
            var lists: [SignedHubList] = []
            try await withHub(at: folder) { hub in
                #expect(hub.hubTable.chain == nil)
                // This hub has joined another one, which is removed.
                let members = [Self.member(lost.publicKey), Self.member(hub.identity.publicKey)]
                let pair = SignedHubList(try HubList(founder: members[0]).adding(members[1]), by: lost)
                try await hub.hubTable.adopt(pair, from: lost.publicKey)
                try await hub.hubTable.remove(members[0].id, by: hub.identity)
                lists = [pair, try #require(hub.hubTable.list)]
                #expect(hub.hubTable.chain?.lists == lists)
            }
            try await withHub(at: folder) { hub in
                #expect(hub.hubTable.chain?.lists == lists)
                let alone = try #require(hub.hubTable.list?.list)
                try await hub.hubTable.add(Self.member(joined.publicKey), founder: alone.members[0], by: hub.identity)
                lists.append(try #require(hub.hubTable.list))
                #expect(hub.hubTable.chain?.lists == lists)
            }
            // The hub that joins gets the earlier lists from the other one, once.
            try await withDataFolder { other in
                try await withHub(at: other) { hub in
                    let second = lists[2].list.members[0]
                    let own = HubMember(
                        id: lists[2].list.members[1].id,
                        key: hub.identity.publicKey,
                        box: BoxKey().publicBox
                    )
                    let list = try HubList(sequence: lists[2].list.sequence, members: [second, own])
                    let signer = IdentityKey()
                    let introducer = HubMember(id: second.id, key: signer.publicKey, box: second.box)
                    let signed = SignedHubList(
                        try HubList(sequence: list.sequence, members: [introducer, own]),
                        by: signer
                    )
                    try await hub.hubTable.adopt(signed, from: signer.publicKey)
                    let introduction = HubIntroduction(
                        list: signed,
                        lists: HubListChain(signed, after: [lists[1]]),
                        addresses: [],
                        controllers: [],
                        servers: []
                    )
                    _ = await hub.take(introduction: introduction.bytes, of: introducer.id)
                    #expect(hub.hubTable.chain?.lists == [lists[1], signed])
                    // One that knows less changes nothing.
                    await hub.hubTable.learn(HubListChain(signed))
                    #expect(hub.hubTable.chain?.lists == [lists[1], signed])
                }
                try await withHub(at: other) { hub in #expect(hub.hubTable.chain?.lists.count == 2) }
            }
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
