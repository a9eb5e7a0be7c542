import Foundation
import HomeModel
import HubAPI
import PeerProcess
import Testing

import class HomeKitTesting.ManualClock

@testable import HomeHub

/// When the hub puts backups at the relay, and deletes them there.
struct VaultKeeperTests {
    /// A hub with a relay whose owner has a device, and a time that the test moves.
    private struct Fixture {
        let hub: HomeHub
        let client: RecordingHubClient
        let home: UUID
        let relay: MemoryRelay
        let time: AwaitableValue<Date>

        static func with(_ body: (Fixture) async throws -> Void) async throws {
            let time = AwaitableValue(Date(timeIntervalSince1970: 1_790_000_000))
            try await withDataFolder { folder in
                // The hub's own checks wait for the clock, which doesn't run.
                try await withHub(at: folder, now: { time.value }, clock: ManualClock()) { hub in
                    let relay = MemoryRelay()
                    try await hub.startSync { _, _ in relay }
                    let client = try await RecordingHubClient(to: hub)
                    let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let device = FeedDevice()
                    _ = try await device.add(by: client)
                    _ = try await device.agent(hub).call(HubMethods.openFeed, device.keys)
                    try await body(Fixture(hub: hub, client: client, home: home, relay: relay, time: time))
                }
            }
        }

        func use(_ relay: String = "https://relay.example", vault: Bool?) async throws {
            _ = try await client.call(HubMethods.enableSync, EnableSync(relay: relay, keepsVault: vault))
        }

        /// Lets time pass, and returns the number of vaults that the relay has got in it.
        func vaults(after seconds: TimeInterval) async -> Int {
            let before = relay.state.value.vaults
            time.change { $0 += seconds }
            await hub.makeVaultIfDue()
            return relay.state.value.vaults.subtracting(before).count
        }

        func addAccessory(_ name: String) async throws {
            let request = AddAccessories([.gadget(name)], server: "3C:5A:B4:00:00:0\(name.count)", name: nil, room: nil)
            let caller = Caller(user: hub.owner.user, device: hub.owner.device, app: "test", client: UUID())
            let change = try await hub.database.submit(request, in: home, by: caller, cause: .person)
            try await change.committed()
        }
    }

    @Test func aVaultIsMadeFiveMinutesAfterAPairingAndOnceADay() async throws {
        try await Fixture.with { fixture in
            try await fixture.use(vault: true)
            _ = await fixture.vaults(after: 0)
            #expect(fixture.relay.state.value.vaults.count == 1, "the first one at once")
            #expect(await fixture.vaults(after: 3_600) == 0)
            try await fixture.addAccessory("Lamp")
            #expect(await fixture.vaults(after: 299) == 0)
            // The first one counts, so that many pairings don't put it off.
            try await fixture.addAccessory("Outlet")
            #expect(await fixture.vaults(after: 1) == 1)
            #expect(await fixture.vaults(after: 299) == 0, "both are in it")
            #expect(await fixture.vaults(after: 24 * 3_600 - 300) == 0)
            #expect(await fixture.vaults(after: 1) == 1)
        }
    }

    @Test func aVaultIsMadeAtOnceIfTheOwnerAsksForIt() async throws {
        try await Fixture.with { fixture in
            let client = fixture.client
            #expect(try await client.refusal(HubMethods.updateVault, Empty()) == "notAllowedNow", "there is no relay")
            try await fixture.use(vault: false)
            #expect(try await client.refusal(HubMethods.updateVault, Empty()) == "notAllowedNow", "no vault is kept")
            try await fixture.use(vault: true)
            _ = await fixture.vaults(after: 0)
            try await fixture.addAccessory("Lamp")
            let status = try await client.call(HubMethods.updateVault, Empty())
            #expect(status.vault == SyncStatus.Vault(made: fixture.time.value))
            #expect(fixture.relay.state.value.vaults.count == 2)
            #expect(await fixture.vaults(after: 300) == 0, "the accessory is in it")
            fixture.relay.state.change { $0.isAway = true }
            #expect(try await client.refusal(HubMethods.updateVault, Empty()) == "relayFailed")
            fixture.relay.state.change { $0.isAway = false }
            // Several at once are made one after the other.
            async let first = client.call(HubMethods.updateVault, Empty())
            async let second = client.call(HubMethods.updateVault, Empty())
            _ = try await (first, second)
            #expect(fixture.relay.state.value.vaults.count == 4)
        }
    }

    @Test func aRelayThatIsOutOfReachGetsTheVaultLater() async throws {
        try await Fixture.with { fixture in
            try await fixture.use(vault: true)
            _ = await fixture.vaults(after: 0)
            try await fixture.addAccessory("Lamp")
            fixture.relay.state.change { $0.isAway = true }
            #expect(await fixture.vaults(after: 300) == 0)
            let problem = try await fixture.client.call(HubMethods.syncStatus, Empty()).vault?.problem
            #expect(problem?.contains("out of reach") == true)
            fixture.relay.state.change { $0.isAway = false }
            #expect(await fixture.vaults(after: 60) == 1)
            #expect(try await fixture.client.call(HubMethods.syncStatus, Empty()).vault?.problem == nil)
        }
    }

    @Test(arguments: ["turned off", "sync off", "moved"])
    func aVaultThatIsNotWantedIsDeleted(how: String) async throws {
        try await Fixture.with { fixture in
            try await fixture.use(vault: true)
            _ = await fixture.vaults(after: 0)
            #expect(fixture.relay.state.value.vaults.count == 1)
            switch how {
            case "turned off": try await fixture.use(vault: false)
            case "moved": try await fixture.use("https://other.example", vault: false)
            default: _ = try await fixture.client.call(HubMethods.disableSync, Empty())
            }
            try await fixture.relay.state.until { $0.vaults.isEmpty }
            #expect(await fixture.vaults(after: 3 * 24 * 3_600) == 0)
            // It can begin again.
            try await fixture.use(vault: true)
            #expect(await fixture.vaults(after: 0) == 1)
        }
    }
}
