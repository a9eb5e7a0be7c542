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
