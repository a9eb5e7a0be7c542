import Foundation
import HomeHub
import HomeIdentity
import HomeModel
import HostileRelay
import HubAPI
import PeerProcess
import RelayAPI
import RelayClient
import Testing

@testable import HomeAgent
@testable import SealedFeed

/// A relay that lies, in front of an honest one, and a device that reads from it. `Documentation/Sync.md` has the table of the
/// attacks.
///
/// After each attack the homes are as they were, or as the hub has made them since; the device names what is wrong; the hub is
/// used in the home's network as before; and once it was met, the device goes on reading.
@Suite struct HostileRelayTests {
    /// What the relay has, and what the device has read of it.
    struct Evidence: Sendable {
        /// All entries.
        var entries: [Data]
        /// The number of the device's last entry.
        var last: Int
        /// Entries of another feed that the same hub has signed, with the numbers that the device expects.
        var foreign: [Data]
        /// The place of which two entries exist.
        var fork: Data
        /// A beat.
        var beat: Data
    }

    /// What a relay does, and what comes of it.
    struct Attack: Sendable, CustomStringConvertible {
        /// What the relay does.
        var relay: String
        /// What the device does.
        var device: String
        /// The error that the device names; `nil` for none, because nothing is wrong that it could see.
        var error: String?
        var script: @Sendable (Evidence) -> HostileScript

        var description: String { relay }
        /// The row of the table.
        var row: String { "| \(relay) | \(device) | \(error.map { "`\($0)`" } ?? "–") |" }
    }

    private typealias Plan = @Sendable (Evidence) -> HostileScript

    /// Alters the entries of an answer. Bases are left out, because whoever gets one needs nothing before it.
    private static func entries(_ alter: @escaping @Sendable ([Data], Evidence) -> [Data]) -> Plan {
        { evidence in
            { request in
                guard request.kind == .entries else { return .pass }
                return .alter { answer in
                    guard let list = try? EntryList.decode(answer.body) else { return answer }
                    let changes = list.filter { FeedEntry(Array($0))?.header.isBase == false }
                    return HostileAnswer(body: EntryList.encode(alter(changes, evidence)))
                }
            }
        }
    }

    private static func answer(_ kind: HostileRequest.Kind, _ deed: HostileDeed) -> Plan {
        { _ in { $0.kind == kind ? deed : .pass } }
    }

    /// Claims that the feed stands elsewhere, and has no entries after the device's last one.
    private static func status(_ change: @escaping @Sendable (inout FeedStatus, Evidence) -> Void) -> Plan {
        { evidence in
            { request in
                switch request.kind {
                case .status:
                    .alter { answer in
                        guard var status = try? JSONDecoder().decode(FeedStatus.self, from: answer.body) else {
                            return answer
                        }
                        change(&status, evidence)
                        return HostileAnswer(body: (try? JSONEncoder().encode(status)) ?? Data())
                    }
                case .entries:
                    .alter { answer in
                        guard let list = try? EntryList.decode(answer.body) else { return answer }
                        let old = list.filter { evidence.entries.prefix(evidence.last).contains($0) }
                        return HostileAnswer(body: EntryList.encode(old))
                    }
                default: .pass
                }
            }
        }
    }

    private static func flipped(_ data: Data, at place: Double) -> Data {
        var bytes = Array(data)
        bytes[min(bytes.count - 1, Int(Double(bytes.count) * place))] ^= 1
        return Data(bytes)
    }

    private static func head(_ evidence: Evidence, at number: Int) -> EntryDigest {
        EntryDigest(of: Array(evidence.entries[number - 1]))
    }

    private static func place(_ number: Int) -> String {
        #","seq":\#(number),"head":"\#(EntryDigest.zero)","base":\#(number),"term":0"#
    }

    static let attacks: [Attack] = [
        Attack(
            relay: "leaves out an entry",
            device: "asks for it once more, then reads nothing more",
            error: "relayLies",
            script: entries { list, _ in Array(list.dropFirst()) }
        ),
        Attack(
            relay: "names new entries and keeps them back",
            device: "asks once more, then reads nothing more",
            error: "relayLies",
            script: entries { _, _ in [] }
        ),
        Attack(
            relay: "replays old entries in place of new ones",
            device: "takes none of them",
            error: "relayLies",
            script: entries { _, evidence in Array(evidence.entries.prefix(2)) }
        ),
        Attack(
            relay: "reorders entries",
            device: "takes none of them",
            error: "relayLies",
            script: entries { list, _ in list.reversed() }
        ),
        Attack(
            relay: "serves entries of another person's feed",
            device: "takes none of them",
            error: "relayLies",
            script: entries { _, evidence in evidence.foreign }
        ),
        Attack(
            relay: "alters an entry's first line",
            device: "takes nothing of it",
            error: "relayLies",
            script: entries { list, _ in list.map { flipped($0, at: 0.1) } }
        ),
        Attack(
            relay: "alters an entry's signature",
            device: "takes nothing of it",
            error: "relayLies",
            script: entries { list, _ in list.map { flipped($0, at: 0.33) } }
        ),
        Attack(
            relay: "alters an entry's content",
            device: "takes nothing of it",
            error: "relayLies",
            script: entries { list, _ in list.map { flipped($0, at: 1) } }
        ),
        Attack(
            relay: "cuts an entry short",
            device: "takes nothing of it",
            error: "relayLies",
            script: entries { list, _ in list.map { $0.dropLast(3) } }
        ),
        Attack(
            relay: "writes an entry itself",
            device: "takes nothing of it",
            error: "relayLies",
            script: entries { _, _ in [Data(repeating: 7, count: 700)] }
        ),
        Attack(
            relay: "shows a second history that the hub has signed, because the hub was set back",
            device: "keeps both entries as evidence, and its own history",
            error: "feedForked",
            script: entries { _, evidence in [evidence.fork] }
        ),
        Attack(
            relay: "goes back to an old state",
            device: "looks whether the hub has begun again, and waits",
            error: "relayRolledBack",
            script: status { status, evidence in
                status.seq = Int64(evidence.last - 1)
                status.head = head(evidence, at: evidence.last - 1)
                status.beat = nil
            }
        ),
        Attack(
            relay: "names another last entry with the same number",
            device: "looks whether the hub has begun again, and waits",
            error: "relayRolledBack",
            script: status { status, evidence in
                status.seq = Int64(evidence.last)
                status.head = .zero
                status.beat = nil
            }
        ),
        Attack(
            relay: "hides entries that a beat tells of",
            device: "waits for them",
            error: "relayRolledBack",
            script: status { status, evidence in
                status.seq = Int64(evidence.last)
                status.head = head(evidence, at: evidence.last)
                status.beat = evidence.beat
            }
        ),
        Attack(
            relay: "alters a beat",
            device: "doesn't believe it",
            error: "relayLies",
            script: status { status, evidence in status.beat = flipped(evidence.beat, at: 0.5) }
        ),
        Attack(
            relay: "answers that the feed doesn't reach so far",
            device: "asks once more, then reads nothing more",
            error: "relayLies",
            script: answer(
                .entries,
                .answer(HostileAnswer(status: 409, error: "conflict", place(1)))
            )
        ),
        Attack(
            relay: "answers that the entries were removed, and has no base",
            device: "asks for the base, then reads nothing more",
            error: "relayLies",
            script: answer(
                .entries,
                .answer(HostileAnswer(status: 410, error: "dropped", place(900)))
            )
        ),
        Attack(
            relay: "freezes the feed",
            device: "shows the homes as of then, and after 25 hours that the hub is silent",
            error: nil,
            script: status { status, evidence in
                status.seq = Int64(evidence.last)
                status.head = head(evidence, at: evidence.last)
                status.beat = nil
            }
        ),
        Attack(
            relay: "refuses the device",
            device: "waits for the hub",
            error: "notAddressed",
            script: answer(.status, .answer(HostileAnswer(status: 404, error: "notFound")))
        ),
        Attack(
            relay: "answers something else than a relay",
            device: "tries again later",
            error: nil,
            script: answer(.status, .answer(HostileAnswer(body: Data("<html>".utf8))))
        ),
        Attack(
            relay: "ends the connection in the middle of an answer",
            device: "tries again later",
            error: nil,
            script: answer(.entries, .cut(100))
        ),
        Attack(
            relay: "answers without an end",
            device: "ends the connection at the limit, and tries again later",
            error: nil,
            script: answer(.entries, .endless(Data(repeating: 1, count: 64 << 10)))
        ),
        Attack(
            relay: "doesn't answer",
            device: "tries again later",
            error: nil,
            script: answer(.status, .hang)
        ),
    ]

    @Test func noAttackChangesWhatIsShownOrWhatWorksAtHome() async throws {
        try await FeedLab.run { feeds in
            for attack in Self.attacks {
                do {
                    try await Self.perform(attack, on: feeds)
                } catch {
                    Issue.record("a relay that \(attack): \(error)")
                    throw error
                }
            }
        }
    }

    private static func perform(_ attack: Attack, on feeds: FeedLab) async throws {
        // The device has everything. While nothing can be read, the hub writes more.
        try await feeds.cutHub()
        let before = try await feeds.expected()
        try await feeds.lab.copyHas(before)
        let last = try await feeds.caughtUp()
        feeds.relay.follow { _ in .close }
        try await feeds.addRooms("Kitchen", "Bath")
        let after = try await feeds.expected()
        let evidence = try await evidence(feeds, last: last)
        feeds.relay.follow(attack.script(evidence))
        feeds.look()
        if let error = attack.error {
            try await feeds.untilFeed { $0.problem?.code == error }
        } else if attack.relay != "doesn't answer", attack.relay != "freezes the feed" {
            try await feeds.untilFeed { $0.trouble != nil && $0.problem == nil }
        } else {
            try await feeds.untilAsked(.status)
        }
        let shown = try feeds.shown()
        #expect(shown == before || (attack.error == "feedForked" && shown == after), "a relay that \(attack)")
        // The home's network is untouched.
        try await feeds.near()
        let app = feeds.lab.app()
        try await app.welcome()
        #expect(try app.state.canonical == after)
        for name in ["Kitchen", "Bath"] {
            let home = try #require(app.state.homes[feeds.home])
            let room = try #require(home.rooms.first { $0.name == name })
            _ = try await app.call(HubMethods.removeRoom, InHome(feeds.home, RemoveRoom(room.id)))
        }
        app.close()
        // Once the hub was met, a relay that is honest again is read.
        feeds.relay.beHonest()
        // The relay may have lied once more while the hub was near. Then the device asks the hub again after a while.
        feeds.meetAgain()
        try await feeds.published()
        if attack.error == "feedForked" { try await feeds.untilBase(after: last) }
        try await feeds.near()
        try await feeds.cutHub()
        try await feeds.addRooms("Hall")
        try await feeds.lab.copyHas(try await feeds.expected())
        let problem = try await feeds.feed()?.problem
        #expect(problem == nil, "a relay that \(attack)")
        try await feeds.near()
        let home = try #require(feeds.directState.homes[feeds.home])
        let hall = try #require(home.rooms.first { $0.name == "Hall" })
        try await feeds.atHub(HubMethods.removeRoom, InHome(feeds.home, RemoveRoom(hall.id)))
        try await feeds.published()
        try await feeds.near()
    }

    private static func evidence(_ feeds: FeedLab, last number: Int) async throws -> Evidence {
        let entries = try await feeds.entries()
        let address = FeedAddress(house: feeds.address.house, feed: .random())
        var other = try WrittenFeed(address, by: feeds.lab.hub.identity, for: feeds.device)
        try other.change(number + 1)
        // The hub's own key signs another entry in the place of the device's last one.
        let stored = try feeds.kept()
        let kept = try #require(stored)
        let mine = try #require(FeedEntry(Array(entries[number - 1])))
        var header = mine.header
        header.salt = (0..<FeedLimits.saltByteCount).map { _ in .random(in: 0...255) }
        let key = try #require(kept.keys[header.generation])
        let piece = try #require(mine.open(with: key))
        let fork = FeedEntry(piece, header: header, key: key, by: feeds.lab.hub.identity)
        let last = try #require(entries.last)
        let end = try #require(FeedEntry(Array(last)))
        let beat = FeedBeat(
            FeedPlace(term: end.header.term, sequence: end.header.sequence, head: end.digest),
            of: feeds.address,
            at: end.header.time + 1_000,
            hub: feeds.lab.hub.owner.device,
            by: feeds.lab.hub.identity
        )
        return Evidence(
            entries: entries,
            last: number,
            foreign: Array(other.entries.dropFirst(number)),
            fork: Data(fork.bytes),
            beat: Data(beat.bytes)
        )
    }

    // MARK: Removed devices

    @Test func aRemovedDeviceWithAllItsKeysAndARelayThatServesItReadsNothingThatCameAfter() async throws {
        try await FeedLab.run { feeds in
            try await feeds.addRooms("Kitchen")
            try await feeds.cutHub()
            let before = try await feeds.expected()
            try await feeds.lab.copyHas(before)
            let last = try await feeds.caughtUp()
            feeds.setDevices(reader: false, other: true)
            try await feeds.addRooms("Bath")
            // The relay gives the device all that it has, whoever asks.
            let entries = try await feeds.entries()
            let status = try await feeds.owner.status(of: feeds.address.feed, in: feeds.address.house)
            let statusBody = try JSONEncoder().encode(status)
            feeds.relay.follow { request in
                switch request.kind {
                case .status: .answer(HostileAnswer(body: statusBody))
                case .entries:
                    .answer(HostileAnswer(body: EntryList.encode(Array(entries.dropFirst(request.after ?? 0)))))
                case .envelope: .answer(HostileAnswer(status: 404, error: "notFound"))
                default: .pass
                }
            }
            feeds.look()
            try await feeds.untilFeed { $0.problem?.code == "notAddressed" }
            #expect(try feeds.shown() == before)
            let stored = try feeds.kept()
            let kept = try #require(stored)
            #expect(!kept.keys.isEmpty && entries.count > last)
            let settings = try feeds.settings()
            let box = try #require(settings?.keys?.box)
            for bytes in entries.dropFirst(last) {
                let entry = try #require(FeedEntry(Array(bytes)))
                #expect(kept.keys.values.allSatisfy { entry.open(with: $0) == nil })
                // Nor is there anything for the device's box.
                let hub = feeds.lab.hub.identity.publicKey
                for device in [feeds.device, feeds.other.id] {
                    let bytes = try? await feeds.owner.envelope(
                        Int64(entry.header.generation),
                        to: device,
                        of: feeds.address.feed,
                        in: feeds.address.house
                    )
                    #expect((bytes == nil) == (device == feeds.device))
                    if let bytes { #expect(Envelope(Array(bytes))?.open(with: box, from: hub) == nil) }
                }
            }
        }
    }

    @Test func anEnvelopeThatWasAlteredIsALie() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            let before = try await feeds.expected()
            try await feeds.lab.copyHas(before)
            feeds.relay.follow { request in
                request.kind == .envelope
                    ? .alter { answer in
                        var answer = answer
                        answer.body = Self.flipped(answer.body, at: 0.4)
                        return answer
                    } : .pass
            }
            feeds.setDevices(reader: true, other: false)
            try await feeds.atHub(HubMethods.addRoom, InHome(feeds.home, AddRoom(name: "Bath")))
            try await feeds.untilFeed { $0.problem?.code == "relayLies" && $0.isStopped }
            #expect(try feeds.shown() == before)
        }
    }

    @Test func aHubThatWasSetBackIsNamedWhenItIsMet() async throws {
        try await FeedLab.run { feeds in
            try await feeds.cutHub()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
            let last = try await feeds.caughtUp()
            let entries = try await feeds.entries()
            let digest = EntryDigest(of: Array(entries[last - 2]))
            // It doesn't know the last entry that it has signed.
            var old = feeds.standing
            old.location?.place = FeedLocation.Place(term: 0, seq: last - 1, head: "\(digest)")
            let standing = old
            feeds.lab.way.setOpenFeed { _ in standing }
            feeds.lab.way.mend()
            feeds.lab.agent.hubs.first?.wake()
            try await feeds.lab.nearAgain()
            try await feeds.untilFeed { $0.problem?.code == "hubRolledBack" && $0.isStopped }
            // And one that has another entry with the same number has two histories.
            old.location?.place = FeedLocation.Place(term: 0, seq: last, head: "\(digest)")
            feeds.lab.agent.hubs.first?.feed?.send(.met(old))
            try await feeds.untilFeed { $0.problem?.code == "feedForked" }
        }
    }

    @Test func aRelayThatWentBackIsFoundOutAtHomeTooUntilItHasItsEntriesAgain() async throws {
        try await FeedLab.run { feeds in
            try await feeds.addRooms("Kitchen")
            try await feeds.near()
            feeds.lab.agent.hubs.first?.feed?.send(.met(feeds.standing))
            let entries = try await feeds.entries()
            let head = EntryDigest(of: Array(entries[0]))
            feeds.relay.follow { request in
                guard request.kind == .status else { return .pass }
                return .alter { answer in
                    guard var status = try? JSONDecoder().decode(FeedStatus.self, from: answer.body) else {
                        return answer
                    }
                    (status.seq, status.head, status.beat) = (1, head, nil)
                    return HostileAnswer(body: (try? JSONEncoder().encode(status)) ?? Data())
                }
            }
            feeds.look()
            try await feeds.untilFeed { $0.problem?.code == "relayRolledBack" && !$0.isStopped }
            feeds.relay.beHonest()
            // As the agent does at its next look at the hub.
            #expect(feeds.lab.agent.hubs.first?.feed?.awaitsPlace == true)
            feeds.lab.agent.hubs.first?.feed?.send(.met(feeds.standing))
            try await feeds.untilFeed { $0.problem == nil }
        }
    }

    @Test func aRelayThatLiesWhileTheHubIsNearIsReadAgainWithoutANewConnection() async throws {
        try await FeedLab.run { feeds in
            feeds.relay.follow { request in
                guard request.kind == .status else { return .pass }
                return .alter { answer in
                    guard var status = try? JSONDecoder().decode(FeedStatus.self, from: answer.body) else {
                        return answer
                    }
                    status.beat = Data("a beat".utf8)
                    return HostileAnswer(body: (try? JSONEncoder().encode(status)) ?? Data())
                }
            }
            feeds.look()
            try await feeds.untilFeed { $0.problem?.code == "relayLies" && $0.isStopped }
            let feed = try #require(feeds.lab.agent.hubs.first?.feed)
            feeds.relay.beHonest()
            // As the agent does at a heartbeat of the hub's.
            #expect(feed.heartbeat())
            feed.send(.met(feeds.standing))
            try await feeds.untilFeed { $0.problem == nil && !$0.isStopped }
            #expect(!feed.awaitsPlace)
            try await feeds.cutHub()
            try await feeds.addRooms("Kitchen")
            try await feeds.lab.copyHas(try await feeds.expected())
        }
    }

    @Test func aRelayThatWakesWithoutEndCostsLittle() async throws {
        try await FeedLab.run { feeds in
            let wake = LiveFrame.wake(feeds.address.feed, seq: 9_999).encoded
            feeds.relay.follow { $0.kind == .live ? .endless(wake) : .pass }
            try await feeds.cutHub()
            try await feeds.untilAsked(.live)
            let before = feeds.relay.requests.count
            try await Task.sleep(for: .seconds(3))
            let asked = feeds.relay.requests.count - before
            #expect(asked <= 8, "\(asked) requests")
        }
    }

    // MARK: The table

    @Test func theTableHasEachAttack() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Documentation/Sync.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").map(String.init)
        let first = try #require(lines.firstIndex(of: "| A relay that | The device | Error |"))
        let rows = lines[(first + 2)...].prefix { $0.hasPrefix("|") }
        #expect(Array(rows) == Self.attacks.map(\.row))
    }
}
