import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import HubClient
import PeerProcess
import Testing

@testable import HomeHub

/// What a relay has of a home: bytes that tell nothing of it.
struct RelaySecrecyTests {
    /// Returns the bytes of an ID as text in both cases, and as it is.
    private static func forms(of id: UUID) -> [Data] {
        let bytes = withUnsafeBytes(of: id.uuid) { Data($0) }
        return [Data(id.uuidString.utf8), Data(id.uuidString.lowercased().utf8), bytes]
    }

    @Test func theRelaysFilesHaveNothingOfTheHome() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                try await SyncTests.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Zanzibar")).id
                    let room = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Observatory"))).id
                    let person = AddHomeUser(home: home, name: "Wilhelmina", role: .guest)
                    let guest = try await owner.call(HubMethods.addUser, person).id
                    let laptop = FeedProbe("Typewriter")
                    try await laptop.join(by: owner)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url, keepsVault: true))
                    let agent = try await laptop.connect(to: hub)
                    defer { agent.close() }
                    try await laptop.untilRead("Observatory", in: home, hub)
                    _ = try await owner.call(HubMethods.updateVault, Empty())
                    await relay.stop()

                    let files = try FileManager.default.contentsOfDirectory(
                        at: relay.folder,
                        includingPropertiesForKeys: nil
                    )
                    let stored = try files.map { try Data(contentsOf: $0) }
                    func has(_ bytes: Data) -> Bool { stored.contains { $0.range(of: bytes) != nil } }
                    // What it knows is found by this search.
                    let place = try #require(laptop.place)
                    #expect(has(Data(place.feed.utf8)) && has(Data(laptop.relayKey.publicKey.bytes)))
                    for name in ["Zanzibar", "Observatory", "Wilhelmina", "Typewriter"] {
                        #expect(!has(Data(name.utf8)), "\(name)")
                        #expect(!has(Data(name.lowercased().utf8)), "\(name)")
                    }
                    let account = try #require(await hub.account(of: guest, in: home, to: "hearth"))
                    for id in [home, room, guest, account, hub.owner.user] {
                        for form in Self.forms(of: id) { #expect(!has(form), "\(id)") }
                    }
                    // The keys by which hub and device know each other can't be linked to those that the relay knows.
                    for key in [hub.identity.publicKey, laptop.key.publicKey] {
                        #expect(!has(Data(key.bytes)) && !has(Data(key.base64.utf8)))
                    }
                }
            }
        }
    }
}
