import Foundation
import HomeModel
import HubAPI
import PeerProcess
import Testing

import class HomeKitTesting.ManualClock

@testable import HomeHub

/// Feeds that have moved or ended: their relays keep them for a while, for devices that are away.
struct FormerFeedTests {
    private static let day: TimeInterval = 24 * 60 * 60

    /// A hub whose owner's feed is at one relay and can move to another one, and a time that the test moves.
    private struct Fixture {
        let hub: HomeHub
        let client: RecordingHubClient
        let former: MemoryRelay
        let time: AwaitableValue<Date>

        static func with(_ body: (Fixture) async throws -> Void) async throws {
            let time = AwaitableValue(Date(timeIntervalSince1970: 1_790_000_000))
            try await withDataFolder { folder in
                try await withHub(at: folder, now: { time.value }, clock: ManualClock()) { hub in
                    let (former, next) = (MemoryRelay(), MemoryRelay())
                    try await hub.startSync { place, _ in
                        place.relay.hasPrefix("https://former.example") ? former : next
                    }
                    let client = try await RecordingHubClient(to: hub)
                    _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                    let device = FeedDevice()
                    _ = try await device.add(by: client)
                    _ = try await client.call(HubMethods.enableSync, EnableSync(relay: "https://former.example"))
                    _ = try await device.agent(hub).call(HubMethods.openFeed, device.keys)
                    try await former.state.until { !$0.entries.isEmpty }
                    try await body(Fixture(hub: hub, client: client, former: former, time: time))
                }
            }
        }

        /// Lets time pass, and returns how many former feeds the hub still knows then.
        func ending(after days: Double) async throws -> Int {
            time.change { $0 += days * day }
            _ = await hub.sync.endFeedsOnce()
            return try await client.call(HubMethods.syncStatus, Empty()).ending
        }
    }

    @Test(arguments: [true, false])
    func aFeedThatMovedOrEndedIsDeletedAfterThirtyDays(moves: Bool) async throws {
        try await Fixture.with { fixture in
            let number = fixture.former.state.value.entries.count
            if moves {
                _ = try await fixture.client.call(HubMethods.enableSync, EnableSync(relay: "https://next.example"))
            } else {
                _ = try await fixture.client.call(HubMethods.disableSync, Empty())
            }
            #expect(fixture.former.state.value.entries.count > number, "the last entry says so")
            #expect(try await fixture.ending(after: 0) == 1)
            #expect(try await fixture.ending(after: 29.99) == 1)
            #expect(fixture.former.state.value.hasFeed)
            // The relay may be out of reach just then.
            fixture.former.state.change { $0.isAway = true }
            #expect(try await fixture.ending(after: 0.02) == 1)
            fixture.former.state.change { $0.isAway = false }
            #expect(try await fixture.ending(after: 0) == 0)
            #expect(!fixture.former.state.value.hasFeed && fixture.former.state.value.entries.isEmpty)
        }
    }

    @Test func aFeedWhoseRelayStaysAwayIsForgottenAfterThirtyDaysMore() async throws {
        try await Fixture.with { fixture in
            _ = try await fixture.client.call(HubMethods.disableSync, Empty())
            fixture.former.state.change { $0.isAway = true }
            #expect(try await fixture.ending(after: 59.9) == 1)
            #expect(try await fixture.ending(after: 0.2) == 0)
        }
    }

    @Test func aRelayThatIsRecognizedByAnotherKeyKeepsItsFeeds() async throws {
        try await Fixture.with { fixture in
            let before = try await fixture.client.call(HubMethods.syncStatus, Empty())
            for (relay, shown) in [
                (
                    "https://former.example/#pin=AAAAAAAAAAAAAAAAAAAAAA",
                    "https://former.example#pin=AAAAAAAAAAAAAAAAAAAAAA"
                ),
                (
                    "https://former.example#pin=AAAAAAAAAAAAAAAAAAAAAQ",
                    "https://former.example#pin=AAAAAAAAAAAAAAAAAAAAAQ"
                ),
                ("https://former.example", "https://former.example"),
            ] {
                let status = try await fixture.client.call(HubMethods.enableSync, EnableSync(relay: relay))
                #expect(status.relay == shown)
                #expect(status.house == before.house && status.feeds.map(\.feed) == before.feeds.map(\.feed))
                #expect(status.ending == 0)
            }
        }
    }
}
