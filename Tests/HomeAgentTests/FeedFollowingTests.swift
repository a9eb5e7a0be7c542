import Foundation
import HomeIdentity
import HomeModel
import HostileRelay
import HubAPI
import PeerProcess
import SealedFeed
import Testing

@testable import HomeAgent

/// A device whose hub is out of reach, and which reads its homes' changes from a relay: over real sockets, from a real relay, what
/// a real hub has written.
@Suite struct FeedFollowingTests {
    @Test func changesReachAnAppAsIfTheHubHadSentThemAndNoneTwice() async throws {
        try await FeedLab.run { feeds in
            let app = feeds.lab.app()
            try await app.welcome()
            try await feeds.cutHub()
            // The connection to the hub was lost, so apps connect again.
            let away = feeds.lab.app()
            try await away.welcome()
            let before = away.notes.count
            let direct = feeds.lab.direct()
            try await direct.welcome()
            let known = direct.changes.count
            try await feeds.addRooms("Kitchen", "Bath")
            let home = try await feeds.atHub(HubMethods.addHome, AddHome(name: "Cabin")).id
            try await feeds.published()
            try await feeds.atHub(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
            try await feeds.published()
            let expected = try await feeds.expected()
            try await feeds.lab.copyHas(expected)
            try await away.until { (try? $0.canonical) == expected }
            // The same changes in the same order, under the same IDs.
            let told = away.changes
            let others = direct.changes.dropFirst(known)
            #expect(told.map(\.change) == others.map(\.change))
            #expect(told.map(\.revision) == others.map(\.revision) && told.map(\.user) == others.map(\.user))
            #expect(!away.notes.dropFirst(before).contains("reset"))
            let standings = away.state.standings
            #expect(standings.values.allSatisfy { $0.state == .away && $0.asOf != nil && $0.isSilent == nil })
            // Whatever needs the hub fails, as without a relay.
            #expect(await away.refusal(HubMethods.addRoom, InHome(home, AddRoom(name: "Hall"))) == .hubAway)

            let count = away.changes.count
            try await feeds.atHub(HubMethods.addRoom, InHome(home, AddRoom(name: "Loft")))
            try await feeds.published()
            let last = try await feeds.expected()
            try await away.until { (try? $0.canonical) == last }
            try await feeds.near()
            try await away.recording.until { $0.notes.last == "resumed" }
            #expect(away.changes.count == count + 1, "each is told once")
            #expect(!away.notes.dropFirst(before).contains("reset"))
            try await feeds.atHub(HubMethods.addRoom, InHome(home, AddRoom(name: "Cellar")))
            try await away.recording.until { $0.notes.last == "change roomAdded" }
            #expect(away.changes.count == count + 2)
        }
    }

    /// Has the hub's answer to the device held back until its feed has told more. Returns the way on which it is.
    private static func overtake(_ feeds: FeedLab) async throws -> TestWay {
        let way = feeds.lab.way
        try await feeds.cutHub()
        way.hold()
        way.mend()
        feeds.lab.agent.hubs.first?.wake()
        try await way.untilResetIsHeld()
        try await feeds.addRooms("Kitchen")
        try await feeds.lab.copyHas(try await feeds.expected())
        return way
    }

    /// The hub's answer is on its way while its feed tells more, and the connection ends before it has told that too.
    @Test func anAnswerOfTheHubThatItsFeedHasOvertakenTakesNothingBack() async throws {
        try await FeedLab.run { feeds in
            let way = try await Self.overtake(feeds)
            way.release(upToReset: true)
            way.cut()
            try await feeds.lab.away()
            #expect(try feeds.shown() == (try await feeds.expected()))
            try await feeds.addRooms("Bath")
            try await feeds.lab.copyHas(try await feeds.expected())
        }
    }

    @Test func aHubWhoseAnswerItsFeedHasOvertakenIsInReachAllTheSame() async throws {
        try await FeedLab.run { feeds in
            let way = try await Self.overtake(feeds)
            way.release()
            try await feeds.near()
            #expect(try feeds.shown() == (try await feeds.expected()))
            try await feeds.addRooms("Bath")
            try await feeds.lab.copyHas(try await feeds.expected())
        }
    }

    @Test func aRelayThatDoesNotKnowTheDeviceYetIsAskedAgainWhileTheHubIsNear() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            feeds.relay.follow { _ in .answer(HostileAnswer(status: 404, error: "notFound")) }
            try await feeds.near()
            try await feeds.untilFeed { $0.trouble != nil }
            feeds.relay.follow { _ in .pass }
            try await feeds.untilFeed { $0.trouble == nil && $0.problem == nil }
        }
    }

    @Test func aDeviceWithoutACopyHasTheHomesFromTheRelayAlone() async throws {
        try await FeedLab.run { feeds in
            try await feeds.addRooms("Kitchen")
            try await feeds.cutHub()
            feeds.lab.agent.stop()
            let path = feeds.lab.copyPath
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try feeds.lab.startAgentAgain()
            let expected = try await feeds.expected()
            try await feeds.lab.copyHas(expected)
            let app = feeds.lab.app()
            try await app.welcome()
            #expect(try app.state.canonical == expected)
            // And it goes on from there, also after a restart.
            try await feeds.addRooms("Bath")
            try await feeds.lab.copyHas(try await feeds.expected())
            try feeds.lab.restartAgent()
            #expect(try feeds.shown() == (try await feeds.expected()), "it is stored before it is shown")
        }
    }

    @Test func theCopyIsAsOldAsTheRelaySaysAndThenTheHubIsSilent() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            let app = feeds.lab.app()
            try await app.welcome()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
            let asOf = try #require(try await feeds.feed()?.asOf)
            try await app.until { $0.standings.values.first?.asOf.map { $0 >= asOf } == true }
            feeds.clock.advance(hours: 24)
            try feeds.lab.restartAgent()
            let young = feeds.lab.app()
            try await young.welcome()
            #expect(young.state.standings.values.first?.isSilent == nil)
            feeds.clock.advance(hours: 1.1)
            try feeds.lab.restartAgent()
            let old = feeds.lab.app()
            try await old.welcome()
            #expect(old.state.standings.values.first?.isSilent == true)
            let hubs = try await old.refusalReason(HubMethods.addHome, AddHome(name: "Cabin"))
            #expect(hubs.contains("wasn't heard of since"))
            // Near it isn't.
            try await feeds.near()
            try await old.until { $0.standings.isEmpty }
        }
    }

    @Test func theCopyOfAHubWhoseClockIsADayAheadIsAsOldAsTheDeviceSays() async throws {
        try await FeedLab.run { feeds in
            feeds.clock.advance(hours: -24)
            try await feeds.cutHub()
            let app = feeds.lab.app()
            try await app.welcome()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
            let asOf = try #require(try await feeds.feed()?.asOf)
            #expect(asOf <= feeds.clock.now)
            try await app.until { $0.standings.values.first?.asOf.map { $0 >= asOf } == true }
            #expect(app.state.standings.values.first?.asOf.map { $0 <= feeds.clock.now } == true)
            // A hub that is silent then is so as soon as any other.
            feeds.clock.advance(hours: 25.1)
            let late = feeds.lab.app()
            try await late.welcome()
            #expect(late.state.standings.values.first?.isSilent == true)
        }
    }

    @Test func anAppInTheBackgroundIsToldNothingAndThenEverythingOnce() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            let app = feeds.lab.app()
            try await app.welcome()
            _ = try await app.call(HubMethods.enterBackground, Empty())
            let count = app.notes.count
            try await feeds.addRooms("Kitchen", "Bath")
            let expected = try await feeds.expected()
            try await feeds.lab.copyHas(expected)
            #expect(app.notes.count == count)
            _ = try await app.call(HubMethods.enterForeground, Empty())
            try await app.until { (try? $0.canonical) == expected }
            #expect(app.notes.dropFirst(count).filter { $0 == "reset" }.count == 1)
            #expect(app.changes.isEmpty)
        }
    }

    @Test func aRemovedDeviceReadsNothingThatComesAfter() async throws {
        try await FeedLab.run { feeds in
            try await feeds.addRooms("Kitchen")
            try await feeds.cutHub()
            try await feeds.addRooms("Bath")
            let last = try await feeds.expected()
            try await feeds.lab.copyHas(last)
            feeds.setDevices(reader: false, other: true)
            try await feeds.addRooms("Hall", "Attic")
            try await feeds.untilFeed { $0.problem?.code == "notAddressed" && !$0.isStopped }
            #expect(try feeds.shown() == last)
        }
    }

    @Test func aFeedThatMovesIsFollowedAndOneThatEndsIsForgotten() async throws {
        try await FeedLab.run { feeds in
            var elsewhere = feeds.standing
            elsewhere.location?.feed = "\(FeedAddress(house: .random(), feed: .random()).feed)"
            feeds.lab.way.send(.feed(elsewhere))
            try await feeds.lab.untilHubs { $0.first?.feed?.place == nil }
            // Back where it was, it is read from the last base on.
            feeds.lab.way.send(.feed(feeds.standing))
            try await feeds.cutHub()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
            try await feeds.near()
            feeds.lab.way.send(.feed(FeedStanding(nil)))
            try await feeds.lab.untilHubs { $0.first?.feed == nil }
            feeds.relay.beHonest()
            try await feeds.cutHub()
            try feeds.lab.restartAgent()
            try await feeds.lab.away()
            #expect(try await feeds.feed() == nil)
            #expect(feeds.relay.requests.isEmpty, "the relay isn't asked any more")
        }
    }

    @Test func aDeviceThatIsAwayFollowsAFeedThatMovesAndHearsThatItEnds() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            let app = feeds.lab.app()
            try await app.welcome()
            try await feeds.addRooms("Kitchen")
            let former = feeds.address
            try await feeds.move()
            try await feeds.addRooms("Bath")
            let expected = try await feeds.expected()
            try await feeds.lab.copyHas(expected)
            try await app.until { (try? $0.canonical) == expected }
            let location = try #require(try feeds.settings()?.location)
            #expect(feeds.address != former && location.address == feeds.address && location.device == feeds.device)
            // It goes on there after a restart.
            try feeds.lab.restartAgent()
            try await feeds.addRooms("Hall")
            try await feeds.lab.copyHas(try await feeds.expected())
            try await feeds.end()
            try await feeds.lab.untilHubs { $0.first?.feed == nil }
            #expect(try feeds.settings()?.location == nil)
            #expect(try feeds.shown() == (try await feeds.expected()), "the device keeps what it has")
        }
    }

    @Test func aRelayBehindAProxyThatBreaksStreamsIsAskedWithRequestsThatWait() async throws {
        try await FeedLab.run { feeds in
            feeds.relay.follow { $0.kind == .live ? .close : .pass }
            try await feeds.cutHub()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
            for _ in 0..<3_000 where !feeds.relay.requests.contains(where: { $0.path.contains("wait=") }) {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(feeds.relay.requests.contains { $0.path.contains("wait=") })
            try await feeds.addRooms("Bath")
            try await feeds.lab.copyHas(try await feeds.expected())
        }
    }

    @Test func theKeysLastAndAreTheDevicesAlone() async throws {
        try await FeedLab.run { feeds in
            let keys = try #require(feeds.keys.value)
            feeds.keys.change { $0 = nil }
            try feeds.lab.restartAgent()
            try await feeds.lab.nearAgain()
            try await feeds.keys.until { $0 != nil }
            #expect(feeds.keys.value == keys)
            #expect(keys.relayKey != Data(base64Encoded: feeds.lab.way.key ?? ""))
            let file = feeds.lab.copyPath.replacing("copy.sqlite", with: "feed.json")
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }

    /// Random changes, cuts and restarts: the copy is what the hub shows this person, read from the relay alone.
    @Test(arguments: [1, 2, 3, 8, 13])
    func theCopyIsTheHubsProjectionWhateverHappens(seed: UInt64) async throws {
        try await FeedLab.run { feeds in
            var random = SplitMix(state: seed)
            let lab = feeds.lab
            let watcher = lab.app(retries: true)
            try await watcher.welcome()
            var homes = Array(feeds.directState.homes.keys)
            var isNear = true
            for step in 0..<30 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0:
                    homes.append(try await feeds.atHub(HubMethods.addHome, AddHome(name: "Home \(step)")).id)
                case 1 where homes.count > 1:
                    let home = homes.remove(at: Int.random(in: homes.indices, using: &random))
                    try await feeds.atHub(HubMethods.removeHome, HomeTarget(home: home))
                case 2...5:
                    guard let home = homes.randomElement(using: &random) else { continue }
                    try await feeds.atHub(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(step)")))
                case 6:
                    guard let home = homes.randomElement(using: &random),
                        let room = feeds.directState.homes[home]?.rooms.map(\.id).first
                    else { continue }
                    try await feeds.atHub(HubMethods.removeRoom, InHome(home, RemoveRoom(room)))
                case 7:
                    (isNear, _) = (false, lab.way.cut())
                case 8 where !isNear && Bool.random(using: &random):
                    (isNear, _) = (true, lab.way.mend())
                default:
                    // The data stay as they are at this moment, as after a kill.
                    try lab.restartAgent()
                }
            }
            // In the end there is only the relay.
            lab.way.cut()
            try await lab.away()
            try await feeds.published()
            let expected = try await feeds.expected()
            try await lab.copyHas(expected)
            try lab.restartAgent()
            #expect(try feeds.shown() == expected)
            let last = lab.app()
            try await last.welcome()
            #expect(try last.state.canonical == expected)
            let problem = try await feeds.feed()?.problem
            #expect(problem == nil, "an honest relay is believed")
            watcher.close()
        }
    }
}

extension RecordingClient {
    /// Returns the reason with which a call fails.
    fileprivate func refusalReason<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws -> String {
        do throws(HubError) {
            _ = try await call(method, parameters)
            return ""
        } catch {
            return error.reason
        }
    }
}
