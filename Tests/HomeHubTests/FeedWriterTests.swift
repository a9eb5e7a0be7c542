import Foundation
@testable import HomeHub
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import PeerProcess
import SealedFeed
import Testing

/// A person's feed at a relay: what a session of the person would be told, for the person's devices.
struct FeedWriterTests {
    private static let agent = AgentIntroduction(version: "1", platform: "test")

    /// A feed, its relay, and a device that is to read it.
    private struct Stage {
        let address = FeedAddress(house: .random(), feed: .random())
        let relay = MemoryRelay()
        let device = FeedFollower()

        /// Runs a writer while a closure runs.
        func writing<Result>(
            of user: UUID? = nil,
            for devices: [UUID: FeedReaderDevice]? = nil,
            as lead: FeedLead = FeedLead(),
            on hub: HomeHub,
            _ body: (FeedWriter) async throws -> Result
        ) async throws -> Result {
            let writer = try await hub.feedWriter(
                of: user ?? hub.owner.user,
                at: address,
                for: devices ?? [device.id: device.reader],
                relay,
                as: lead
            )
            let running = Task { await writer.run() }
            defer { running.cancel() }
            let result = try await body(writer)
            running.cancel()
            await running.value
            return result
        }

        /// Waits until a device that reads the relay's entries from the first one on has what a client has.
        func untilRead(by follower: FeedFollower? = nil, like client: RecordingHubClient, on hub: HomeHub) async throws
        {
            let follower = follower ?? device
            let hubs = [hub.owner.device: hub.identity.publicKey]
            let address = address
            try await relay.state.until { state in
                guard let copy = try? follower.copy(of: state, at: address, hubs: hubs) else { return false }
                return copy.view.homes == client.view.homes
                    && copy.view.account.records == client.view.account.records
                    && copy.homeKeys?.keys.keys.sorted() == client.view.homes.keys.sorted()
            }
        }
    }

    @Test func aFeedHasWhatTheirSessionsHave() async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { _ in
                try await stage.untilRead(like: client, on: hub)
                for name in ["Kitchen", "Bath", "Hall"] {
                    _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
                    try await stage.untilRead(like: client, on: hub)
                }
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Cabin"))
                try await stage.untilRead(like: client, on: hub)
                #expect(client.view.homes.count == 2)
                let hubs = [hub.owner.device: hub.identity.publicKey]
                let copy = try stage.device.copy(of: stage.relay.state.value, at: stage.address, hubs: hubs)
                let keys = try await client.call(HubMethods.homeKeys, Empty())
                #expect(copy.homeKeys == FeedHomeKeys(user: keys.user, keys: keys.keys))
            }
        }
        #expect(stage.relay.headers.first?.isBase == true && stage.relay.headers.contains { !$0.isBase })
        #expect(stage.relay.headers.allSatisfy { $0.term == 0 && $0.generation == 1 })
    }

    @Test func aFeedGoesOnAfterARestart() async throws {
        let stage = Stage()
        try await withDataFolder { folder in
            let home = try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                try await stage.writing(on: hub) { _ in try await stage.untilRead(like: client, on: hub) }
                // The relay isn't told of this one.
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                return home
            }
            let written = stage.relay.headers.count
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                try await stage.writing(on: hub) { _ in
                    try await stage.untilRead(like: client, on: hub)
                    _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Bath")))
                    try await stage.untilRead(like: client, on: hub)
                }
            }
            let added = stage.relay.headers.dropFirst(written)
            #expect(added.map(\.isBase) == [false, false], "only what was missing")
            #expect(added.allSatisfy { $0.generation == 1 && $0.term == 0 })
        }
    }

    @Test func aRemovedDeviceReadsNothingMore() async throws {
        let stage = Stage()
        let other = FeedFollower()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { writer in
                try await stage.untilRead(like: client, on: hub)
                let both = [stage.device.id: stage.device.reader, other.id: other.reader]
                writer.setDevices(both)
                try await stage.untilRead(by: other, like: client, on: hub)
                #expect(stage.relay.headers.allSatisfy { $0.generation == 1 }, "adding a device needs no new key")

                writer.setDevices([other.id: other.reader])
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                try await stage.untilRead(by: other, like: client, on: hub)
                #expect(stage.relay.state.value.readers == [other.reader.access])
            }
            let hubs = [hub.owner.device: hub.identity.publicKey]
            let error = #expect(throws: FeedError.self) {
                try stage.device.copy(of: stage.relay.state.value, at: stage.address, hubs: hubs)
            }
            #expect(error?.code == .notAddressed)
        }
        let last = stage.relay.headers.filter { $0.generation == 2 }
        #expect(last.first?.isBase == true && last.count == stage.relay.headers.count - (last.first?.sequence ?? 0) + 1)
    }

    @Test func aDeviceThatIsAddedLaterGetsTheListsOfHubsToo() async throws {
        let stage = Stage()
        let other = FeedFollower()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
            let members = [hub.identity.publicKey, IdentityKey().publicKey].map {
                HubMember(id: UUID(), key: $0, box: BoxKey().publicBox)
            }
            let list = SignedHubList(try HubList(founder: members[0]).adding(members[1]), by: hub.identity)
            let lead = FeedLead(
                FeedLeadership(list: list.list.sequence, term: 1),
                hubs: [hub.owner.device: hub.identity.publicKey],
                lists: HubListChain(list)
            )
            try await stage.writing(as: lead, on: hub) { writer in
                try await stage.untilRead(like: client, on: hub)
                #expect(stage.relay.state.value.lists.map(\.device) == [stage.device.id])
                writer.setDevices([stage.device.id: stage.device.reader, other.id: other.reader])
                let lists = try await stage.relay.state.until { $0.lists.count == 2 }.lists
                let added = try #require(lists.last)
                #expect(added.device == other.id && added.generation == lists[0].generation)
                #expect(added.open(with: other.box) == lead.lists)
                #expect(added.open(with: stage.device.box) == nil, "it is sealed for that device alone")
            }
        }
    }

    @Test func aGuestsFeedHasWhatTheGuestMaySee() async throws {
        let stage = Stage()
        try await withHub { hub in
            let owner = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
            _ = try await owner.call(HubMethods.addHome, AddHome(name: "Secret"))
            let ann = try await owner.call(HubMethods.addUser, AddHomeUser(home: home, name: "Ann", role: .guest)).id
            let guest = try await RecordingHubClient(to: hub, as: ann, app: HubProtocol.agentApp, agent: Self.agent)
            let account = await hub.account(ann, to: HubProtocol.agentApp)
            try await stage.writing(of: account, on: hub) { _ in
                try await stage.untilRead(like: guest, on: hub)
                _ = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                try await guest.until { $0.homes[home]?.rooms.contains { $0.name == "Kitchen" } == true }
                try await stage.untilRead(like: guest, on: hub)
                #expect(guest.view.homes.count == 1)
            }
        }
    }

    @Test func aRelayThatIsOutOfReachGetsEverythingLater() async throws {
        let stage = Stage()
        stage.relay.state.change { $0.isAway = true }
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { writer in
                for await status in await writer.statuses {
                    if case .waiting = status { break }
                }
                #expect(stage.relay.headers.isEmpty)
                stage.relay.state.change { $0.isAway = false }
                writer.wake()
                try await stage.untilRead(like: client, on: hub)
                // The relay appends an entry whose answer is lost.
                stage.relay.state.change { $0.losesAnswer = true }
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                try await stage.untilRead(like: client, on: hub)
                for await status in await writer.statuses {
                    if case .waiting = status { break }
                }
                writer.wake()
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Bath")))
                try await stage.untilRead(like: client, on: hub)
            }
        }
        #expect(stage.relay.headers.allSatisfy { $0.term == 0 })
    }

    @Test func aFeedThatEndsWhileItsFirstEntryIsOnItsWayTellsItsReaders() async throws {
        let stage = Stage()
        stage.relay.state.change { $0.holdsAnswers = true }
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
            try await stage.writing(on: hub) { writer in
                try await stage.relay.state.until { $0.entries.count == 1 }
                #expect(await !writer.finish(telling: FeedStanding(nil), within: .zero), "it isn't sure yet")
                stage.relay.state.change { $0.holdsAnswers = false }
                try await stage.relay.state.until { $0.entries.count == 2 }
            }
        }
    }

    @Test func aHomeThatIsGoneAgainBeforeTheRelayHearsOfItIsReadToo() async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
            try await stage.writing(on: hub) { writer in
                try await stage.untilRead(like: client, on: hub)
                stage.relay.state.change { $0.isAway = true }
                // This one waits in the writer, and the others in its inbox: they become one content.
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Cabin")).id
                for await status in await writer.statuses {
                    if case .waiting = status { break }
                }
                let tent = try await client.call(HubMethods.addHome, AddHome(name: "Tent")).id
                _ = try await client.call(HubMethods.removeHome, HomeTarget(home: tent))
                _ = try await client.call(HubMethods.removeHome, HomeTarget(home: home))
                try await client.until { $0.homes.count == 1 }
                stage.relay.state.change { $0.isAway = false }
                writer.wake()
                for await status in await writer.statuses {
                    if case .current(let place) = status, place.sequence > 2 { break }
                }
                let hubs = [hub.owner.device: hub.identity.publicKey]
                let copy = try stage.device.copy(
                    of: stage.relay.state.value,
                    at: stage.address,
                    hubs: hubs,
                    fromFirst: true
                )
                #expect(copy.view.homes == client.view.homes)
                #expect(copy.told.isSuperset(of: [home, tent]), "this home was told of")
            }
        }
    }

    @Test func aHubThatStopsBeforeItNotesAnEntryTakesItOver() async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { _ in
                try await stage.untilRead(like: client, on: hub)
                stage.relay.state.change { $0.losesAnswer = true }
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                try await stage.untilRead(like: client, on: hub)
            }
            let written = stage.relay.headers.count
            try await stage.writing(on: hub) { _ in
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Bath")))
                try await stage.untilRead(like: client, on: hub)
            }
            #expect(stage.relay.headers.dropFirst(written).map(\.isBase) == [false])
        }
    }

    /// The state is stored after a moment, or after this many entries.
    @Test(arguments: [3, 32])
    func aHubThatStopsBeforeItNotesSomeEntriesTakesThemOver(count: Int) async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { _ in try await stage.untilRead(like: client, on: hub) }
            let key = SecretKey(kind: .feedKey, log: .account(hub.owner.user))
            let stored = try #require(try await hub.store.secret(key))
            try await stage.writing(on: hub) { _ in
                for number in 1...count {
                    _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Room \(number)")))
                    try await stage.untilRead(like: client, on: hub)
                }
            }
            #expect(try await hub.store.secret(key) != stored, "a writer that ends notes what it has written")
            try await hub.store.setSecret(stored, for: key)
            let written = stage.relay.headers.count
            try await stage.writing(on: hub) { _ in
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Bath")))
                try await stage.untilRead(like: client, on: hub)
            }
            #expect(stage.relay.headers.dropFirst(written).map(\.isBase) == [false], "the feed goes on")
            #expect(stage.relay.headers.allSatisfy { $0.term == 0 })
        }
    }

    @Test func aRelayThatLostEntriesIsWrittenAgain() async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
            try await stage.writing(on: hub) { _ in
                for name in ["Kitchen", "Bath", "Hall"] {
                    _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: name)))
                    try await stage.untilRead(like: client, on: hub)
                }
                stage.relay.state.change { $0.entries.removeLast() }
                _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Attic")))
                try await stage.untilRead(like: client, on: hub)
            }
            let journal = try await client.call(HubMethods.journal, JournalQuery(home: home, limit: 100)).entries
            let refills = journal.filter { entry in
                if case .change(.relayRefilled, _) = entry.content { true } else { false }
            }
            #expect(refills.count == 1 && refills.first?.cause == .hub)
        }
        #expect(stage.relay.headers.last?.term == 1)
    }

    @Test func aHubThatWasSetBackWritesNothing() async throws {
        let stage = Stage()
        try await withDataFolder { folder in
            let (data, copy) = (folder.appending(path: "hub"), folder.appending(path: "copy"))
            let home = try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                let home = try await client.call(HubMethods.addHome, AddHome(name: "Villa")).id
                try await stage.writing(on: hub) { writer in
                    try await stage.untilRead(like: client, on: hub)
                    // The relay has the entry before the hub has noted that.
                    for await status in await writer.statuses {
                        if case .current(let place) = status, place.sequence > 0 { break }
                    }
                }
                return home
            }
            try FileManager.default.copyItem(at: data, to: copy)
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                try await stage.writing(on: hub) { _ in
                    _ = try await client.call(HubMethods.addRoom, InHome(home, AddRoom(name: "Kitchen")))
                    try await stage.untilRead(like: client, on: hub)
                }
            }
            try FileManager.default.removeItem(at: data)
            try FileManager.default.moveItem(at: copy, to: data)
            let written = stage.relay.state.value.entries
            try await withHub(at: folder) { hub in
                try await stage.writing(on: hub) { writer in
                    for await status in await writer.statuses {
                        guard case .stopped(let error) = status else { continue }
                        #expect(error.code == .storeRolledBack && error.changes == 1)
                        break
                    }
                }
            }
            #expect(stage.relay.state.value.entries == written)
        }
    }

    @Test(arguments: [false, true])
    func aRestoredBackupGoesOnWithANewKey(isFromBeforeTheFirstEntryWasNoted: Bool) async throws {
        let stage = Stage()
        stage.relay.state.change { $0.losesAnswer = isFromBeforeTheFirstEntryWasNoted }
        try await withDataFolder { folder in
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
                try await stage.writing(on: hub) { _ in try await stage.untilRead(like: client, on: hub) }
            }
            let (data, copy) = (folder.appending(path: "hub"), folder.appending(path: "copy"))
            let store = try await HomeStore.open(at: data)
            try await store.copy(to: copy)
            try await store.close()
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                try await stage.writing(on: hub) { _ in
                    _ = try await client.call(HubMethods.addHome, AddHome(name: "Cabin"))
                    try await stage.untilRead(like: client, on: hub)
                }
            }
            try FileManager.default.removeItem(at: data)
            let person = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
            try await HomeStore.restore(copy, to: data, by: person, now: Date())
            try await withHub(at: folder) { hub in
                let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
                #expect(client.view.homes.count == 1)
                try await stage.writing(on: hub) { _ in try await stage.untilRead(like: client, on: hub) }
            }
            #expect(stage.relay.headers.last?.isBase == true && stage.relay.headers.last?.generation == 2)
        }
    }

    @Test func aBeatIsSignedForTheLastEntry() async throws {
        let stage = Stage()
        try await withHub { hub in
            let client = try await RecordingHubClient(to: hub, app: HubProtocol.agentApp, agent: Self.agent)
            _ = try await client.call(HubMethods.addHome, AddHome(name: "Villa"))
            try await stage.writing(on: hub) { writer in
                try await stage.untilRead(like: client, on: hub)
                for await status in await writer.statuses {
                    if case .current = status { break }
                }
                await writer.beat()
            }
            let beat = try #require(stage.relay.state.value.beat)
            #expect(beat.isSigned(by: hub.identity.publicKey))
            #expect(beat.place.sequence == stage.relay.headers.count && beat.address == stage.address)
        }
    }
}
