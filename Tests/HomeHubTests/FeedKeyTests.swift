import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Testing

@testable import HomeHub

/// The keys that devices give the hub for their users' feeds.
struct FeedKeyTests {
    @Test func aHubWithoutARelayStoresKeysAndNamesNoPlace() async throws {
        try await withHub { hub in
            let owner = try await RecordingHubClient(to: hub, app: "hearth")
            let device = FeedDevice()
            let id = try await device.add(by: owner)
            let agent = try await device.agent(hub)
            let first = try await agent.call(HubMethods.openFeed, device.keys)
            let second = try await agent.call(HubMethods.openFeed, device.keys)
            #expect(first == FeedStanding(nil) && second == first)
            let devices = await hub.database.devices(of: hub.owner.user)
            let record = try #require(devices.first { $0.id == id })
            #expect(record.box == device.box.publicBox.bytes && record.relayKey == device.relayKey.publicKey.bytes)
            // Keys are one change, and nobody else needs them.
            let changes = owner.changes.filter { $0.change.verb == .deviceKeysChanged }
            #expect(changes.count == 1)
            for case .put(.accountDevice(let seen)) in changes.flatMap(\.change.effects) {
                #expect(seen.box == nil && seen.relayKey == nil)
            }
        }
    }

    @Test func keysThatCannotBeUsedAreRefused() async throws {
        try await withHub { hub in
            let owner = try await RecordingHubClient(to: hub, app: "hearth")
            let (device, other) = (FeedDevice(), FeedDevice(name: "Tablet"))
            _ = try await device.add(by: owner)
            _ = try await other.add(by: owner)
            let agent = try await device.agent(hub)
            let good = device.keys
            let wrong = [
                FeedKeys(box: good.box.dropLast(), relayKey: good.relayKey),
                FeedKeys(box: good.box + [0], relayKey: good.relayKey),
                // No coefficient of the first half of a key has twelve bits that are set.
                FeedKeys(box: Data(repeating: 0xFF, count: PublicBox.byteCount), relayKey: good.relayKey),
                FeedKeys(box: good.box, relayKey: good.relayKey.dropLast()),
                FeedKeys(box: good.box, relayKey: good.relayKey + [0]),
                FeedKeys(box: good.box, relayKey: Data(device.key.publicKey.bytes)),
            ]
            for keys in wrong {
                #expect(try await agent.refusal(HubMethods.openFeed, keys) == "invalidParameter")
            }
            let second = try await other.agent(hub)
            _ = try await second.call(HubMethods.openFeed, other.keys)
            #expect(try await agent.refusal(HubMethods.openFeed, other.keys) == "invalidParameter")
            #expect(try await owner.refusal(HubMethods.openFeed, good) == "insufficientPrivileges")
            let devices = await hub.database.devices(of: hub.owner.user)
            #expect(devices.filter { $0.box != nil }.count == 1)
        }
    }
}
