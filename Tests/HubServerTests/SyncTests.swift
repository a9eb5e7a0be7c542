import DNSSD
import FeedFollowing
import Foundation
import HomeHub
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import HubClient
import HubServer
import Logging
import PeerProcess
import RelayAPI
import RelayClient
import SealedFeed
import Testing

/// A hub that keeps everybody's feeds at a relay.
struct SyncTests {
    /// Runs `body` with a hub on a folder that can reach relays, and its owner's connection, then stops it.
    static func withHub<Result>(
        in folder: URL,
        _ body: (HomeHub, HubConnection) async throws -> Result
    ) async throws -> Result {
        let configuration = HubConfiguration(
            data: folder.appending(path: "hub"),
            interfaces: [.loopback],
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        let hub = try await HomeHub(configuration)
        do {
            try await hub.startSync(over: RelayedHouse.connector())
            let result = try await body(hub, try await connect(to: hub))
            await hub.stop()
            return result
        } catch {
            await hub.stop()
            throw error
        }
    }

    /// Connects as the hub's owner at the hub, or as another user.
    private static func connect(to hub: HomeHub, as user: UUID? = nil) async throws -> HubConnection {
        let authority = SessionAuthority(user: user ?? hub.owner.user, device: hub.owner.device, client: .person)
        let connection = HubConnection(over: InProcessTransport(to: hub, as: authority)) { _ in }
        _ = try await connection.call(HubMethods.hello, Hello(app: "hearth", purpose: "Tests."))
        return connection
    }

    private static func add(_ room: String, to home: UUID, _ owner: HubConnection) async throws {
        _ = try await owner.call(HubMethods.addRoom, InHome(home, AddRoom(name: room)))
    }

    private static func status(_ owner: HubConnection) async throws -> SyncStatus {
        try await owner.call(HubMethods.syncStatus, Empty())
    }

    private static func refusal(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HubError)?.code.rawValue ?? "\(error)"
        }
    }

    @Test func aPersonsDeviceReadsTheHomesAtTheRelay() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let laptop = FeedProbe()
                    try await laptop.join(by: owner)
                    let agent = try await laptop.connect(to: hub)
                    #expect(laptop.place == nil, "there is no relay yet")

                    let enabled = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    #expect(enabled.relay == relay.url && enabled.feeds.map(\.devices) == [1])
                    try await Wait.until("the agent is told where the feed is") { laptop.place != nil }
                    try await Self.add("Kitchen", to: home, owner)
                    try await laptop.untilRead("Kitchen", in: home, hub)

                    let status = try await Wait.value {
                        $0.feeds.first?.state == .current
                    } of: {
                        try await Self.status(owner)
                    }
                    let feed = try #require(status.feeds.first)
                    #expect(feed.state == .current && feed.entries > 0 && feed.reason == nil)
                    // The hub and the relay agree.
                    try await laptop.open(over: agent)
                    let copy = try await laptop.read(hub)
                    let place = try #require(laptop.place?.place)
                    #expect(place.seq == copy.headers.last?.sequence && place.seq == feed.entries)

                    let former = try #require(laptop.place)
                    let disabled = try await owner.call(HubMethods.disableSync, Empty())
                    #expect(disabled.relay == nil && disabled.feeds.isEmpty)
                    try await Wait.until("the agent is told that there is no feed") { laptop.place == nil }
                    // Devices that are away hear of it there.
                    #expect(try await Self.status(owner).ending == 1)
                    let last = try #require(try await laptop.read(hub, at: former).headers.last?.sequence)
                    #expect(last > place.seq)
                    agent.close()
                }
            }
        }
    }

    @Test func feedsGoOnAfterARestartOfTheHubAndOfTheRelay() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let laptop = FeedProbe()
                let home = try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    try await laptop.join(by: owner)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    _ = try await laptop.connect(to: hub)
                    try await Self.add("Kitchen", to: home, owner)
                    try await laptop.untilRead("Kitchen", in: home, hub)
                    await relay.stop()
                    try await Self.add("Bath", to: home, owner)
                    try await Wait.until("the hub waits for its relay") {
                        try await Self.status(owner).feeds.first?.state == .waiting
                    }
                    return home
                }
                try await Self.withHub(in: folder) { hub, owner in
                    try await Wait.until("the hub waits for its relay") {
                        try await Self.status(owner).feeds.first?.state == .waiting
                    }
                    try await Self.add("Hall", to: home, owner)
                    try await relay.start()
                    let copy = try await laptop.untilRead("Hall", in: home, hub)
                    #expect(copy.view.homes[home]?.rooms.contains { $0.name == "Bath" } == true)
                    #expect(copy.headers.allSatisfy { $0.term == 0 && $0.generation == 1 }, "nothing was lost")
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func aRelayThatLostItsMemoryIsFilledAgain(hasACopy: Bool) async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let (laptop, tablet) = (FeedProbe(), FeedProbe("Tablet"))
                    for device in [laptop, tablet] { try await device.join(by: owner) }
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    for device in [laptop, tablet] { _ = try await device.connect(to: hub) }
                    try await Self.add("Kitchen", to: home, owner)
                    for device in [laptop, tablet] { try await device.untilRead("Kitchen", in: home, hub) }
                    await relay.stop()
                    if hasACopy { try relay.copy(to: "copy") }
                    try await relay.start()
                    // A device is removed that the copy still has.
                    let devices = try await owner.call(HubMethods.devices, Empty()).devices
                    let removed = try #require(devices.first { $0.name == "Tablet" }).id
                    _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: removed))
                    try await Self.add("Bath", to: home, owner)
                    try await laptop.untilRead("Bath", in: home, hub)

                    await relay.stop()
                    try relay.restore(from: hasACopy ? "copy" : nil)
                    try await relay.start()
                    try await Self.add("Hall", to: home, owner)
                    let copy = try await laptop.untilRead("Hall", in: home, hub)
                    #expect(copy.headers.last?.term == 1)
                    await #expect(throws: RelayClientError.self, "the relay gives it nothing") {
                        try await tablet.read(hub)
                    }
                }
            }
        }
    }

    @Test func aRemovedDeviceOpensNothingThatComesLater() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let (laptop, tablet) = (FeedProbe(), FeedProbe("Tablet"))
                    let removed = try await tablet.join(by: owner)
                    try await laptop.join(by: owner)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    for device in [laptop, tablet] { _ = try await device.connect(to: hub) }
                    try await Self.add("Before", to: home, owner)
                    for device in [laptop, tablet] { try await device.untilRead("Before", in: home, hub) }
                    // Changes are made while it is removed.
                    async let changes: Void = {
                        for number in 0..<20 { try await Self.add("Room \(number)", to: home, owner) }
                    }()
                    _ = try await owner.call(HubMethods.removeDevice, RemoveDevice(id: removed))
                    try await Self.add("After", to: home, owner)
                    try await changes
                    let copy = try await laptop.untilRead("After", in: home, hub)
                    #expect(copy.headers.first?.isBase == true && copy.headers.last?.generation == 2)
                    await #expect(throws: RelayClientError.self) { try await tablet.read(hub) }

                    // Even if the relay serves it all that it has.
                    let place = try #require(tablet.place)
                    let (house, feed) = (try #require(HouseID(hex: place.house)), try #require(FeedID(hex: place.feed)))
                    let reader = try RelayClient(place.relay, as: laptop.relayKey)
                    let entries = try await reader.entries(of: feed, in: house, after: 0)
                    let hubs = [place.hub: hub.identity.publicKey]
                    let kept = KeptFeed(FeedAddress(house: house, feed: feed), device: removed)
                    var follower = FeedReader(kept, hubs: hubs, box: tablet.box)
                    var read: [String] = []
                    for entry in entries.map({ Array($0) }) {
                        guard let header = FeedEntry(entry)?.header, header.generation == 1 else { continue }
                        var step = try follower.receive(entry)
                        if case .fetchEnvelope = step {
                            let owner = try RelayClient(place.relay, as: hub.identity.owner(of: house))
                            let envelope = try await owner.envelope(1, to: removed, of: feed, in: house)
                            try follower.receive(envelope: Array(envelope))
                            step = try follower.receive(entry)
                        }
                        guard case .update(let update) = step else { continue }
                        read += update.content.events.map { String(decoding: $0, as: UTF8.self) }
                    }
                    #expect(read.contains { $0.contains("Before") })
                    #expect(!read.contains { $0.contains("After") }, "nothing later has the key of generation 1")
                    let owner = try RelayClient(place.relay, as: hub.identity.owner(of: house))
                    await #expect(throws: RelayClientError.self) {
                        try await owner.envelope(2, to: removed, of: feed, in: house)
                    }
                }
            }
        }
    }

    @Test func aRemovedPersonsFeedEndsAndNobodyElses() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let person = AddHomeUser(home: home, name: "Ann", role: .guest)
                    let ann = try await owner.call(HubMethods.addUser, person).id
                    let account = try #require(await hub.account(of: ann, in: home, to: "hearth"))
                    let guest = try await Self.connect(to: hub, as: account)
                    let (laptop, phone) = (FeedProbe(), FeedProbe("Phone"))
                    try await laptop.join(by: owner)
                    try await phone.join(by: guest)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    for device in [laptop, phone] { _ = try await device.connect(to: hub) }
                    #expect(laptop.place?.feed != phone.place?.feed && laptop.place?.house == phone.place?.house)
                    try await Self.add("Kitchen", to: home, owner)
                    let before = try await laptop.untilRead("Kitchen", in: home, hub)
                    try await phone.untilRead("Kitchen", in: home, hub)
                    #expect(try await Self.status(owner).feeds.map(\.person).sorted().contains("Ann"))

                    _ = try await owner.call(HubMethods.removeUser, InHome(home, RemoveUser(ann)))
                    try await Wait.until("Ann's feed has ended") {
                        let status = try await Self.status(owner)
                        return status.feeds.count == 1 && status.ending == 0
                    }
                    await #expect(throws: RelayClientError.self) { try await phone.read(hub) }
                    try await Self.add("Bath", to: home, owner)
                    let after = try await laptop.untilRead("Bath", in: home, hub)
                    #expect(after.headers.last?.generation == before.headers.last?.generation)
                }
            }
        }
    }

    @Test func feedsMoveToAnotherRelay() async throws {
        try await TestRelay.with { first in
            try await TestRelay.with(isOpen: false) { second in
                try await ServedHub.withFolder { folder in
                    try await Self.withHub(in: folder) { hub, owner in
                        let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                        let laptop = FeedProbe()
                        try await laptop.join(by: owner)
                        _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: first.url))
                        let agent = try await laptop.connect(to: hub)
                        defer { agent.close() }
                        try await Self.add("Kitchen", to: home, owner)
                        try await laptop.untilRead("Kitchen", in: home, hub)
                        let former = try #require(laptop.place)

                        // A relay that refuses the hub changes nothing.
                        let refused = await Self.refusal {
                            _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: second.url))
                        }
                        #expect(refused == "relayFailed")
                        #expect(try await Self.status(owner).relay == first.url)
                        let token = try await second.addToken(uses: 1)
                        let parameters = EnableSync(relay: second.url, token: token)
                        #expect(try await owner.call(HubMethods.enableSync, parameters).relay == second.url)
                        try await Wait.until("the agent is told where the feed is") {
                            laptop.place?.relay == second.url
                        }
                        #expect(laptop.place?.house != former.house && laptop.place?.feed != former.feed)
                        try await laptop.untilRead("Kitchen", in: home, hub)
                        try await Self.add("Bath", to: home, owner)
                        try await laptop.untilRead("Bath", in: home, hub)
                        #expect(try await Self.status(owner).ending == 1, "devices that are away hear of it there")
                        _ = try await laptop.read(hub, at: former)
                    }
                }
            }
        }
    }

    @Test(arguments: [true, false])
    func aHubThatWasSetBackStopsUntilAPersonDecides(recovers: Bool) async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let laptop = FeedProbe()
                let (data, copy) = (folder.appending(path: "hub"), folder.appending(path: "copy"))
                let home = try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    try await laptop.join(by: owner)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    _ = try await laptop.connect(to: hub)
                    try await Self.add("Kitchen", to: home, owner)
                    try await laptop.untilRead("Kitchen", in: home, hub)
                    return home
                }
                try FileManager.default.copyItem(at: data, to: copy)
                let cabin = try await Self.withHub(in: folder) { hub, owner in
                    let cabin = try await owner.call(HubMethods.addHome, AddHome(name: "Cabin")).id
                    try await Self.add("Attic", to: home, owner)
                    try await laptop.untilRead("Attic", in: home, hub)
                    return cabin
                }
                try FileManager.default.removeItem(at: data)
                try FileManager.default.moveItem(at: copy, to: data)

                // The hub stops, and doesn't start again.
                try await Self.withHub(in: folder) { hub, _ in
                    #expect(await hub.superseded()?.code == .storeRolledBack)
                }
                let refused = await Self.refusal { try await Self.withHub(in: folder) { _, _ in } }
                #expect(refused == "storeRolledBack")

                if recovers {
                    try await HomeHub.recoverLaterChanges(data, over: RelayedHouse.connector(), now: Date())
                } else {
                    try await HomeHub.discardLaterChanges(data, now: Date())
                }
                let again = await Self.refusal { try await HomeHub.discardLaterChanges(data, now: Date()) }
                #expect(again == "notAllowedNow", "it is decided")
                try await Self.withHub(in: folder) { hub, owner in
                    let devices = try await owner.call(HubMethods.devices, Empty()).devices
                    #expect(devices.map { $0.isSuspended == true } == [!recovers])
                    let journal = try await owner.call(HubMethods.journal, JournalQuery(home: home, limit: 20)).entries
                    let decision = recovers ? Verb.laterChangesRecovered : .laterChangesDiscarded
                    #expect(journal.contains { if case .change(decision, _) = $0.content { true } else { false } })
                    if !recovers {
                        let ids = DeviceTargets(ids: devices.map(\.id))
                        _ = try await owner.call(HubMethods.confirmDevices, ids)
                    }
                    try await Self.add("Hall", to: home, owner)
                    let follower = try await laptop.untilRead("Hall", in: home, hub)
                    let names = Set(follower.view.homes[home]?.rooms.map(\.name) ?? [])
                    #expect(names.contains("Kitchen") && names.contains("Attic") == recovers)
                    #expect((follower.view.homes[cabin] != nil) == recovers)
                    #expect(follower.headers.last?.term == 1 && follower.headers.last?.generation ?? 0 > 1)
                }
            }
        }
    }

    /// Two hubs under one key, as if somebody had copied a hub's folder and started both.
    @Test(arguments: [true, false])
    func ofAHubAndItsCopyTheOneThatWritesSecondStops(copyIsFirst: Bool) async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let laptop = FeedProbe()
                let home = try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    try await laptop.join(by: owner)
                    _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay.url))
                    _ = try await laptop.connect(to: hub)
                    try await Self.add("Kitchen", to: home, owner)
                    try await laptop.untilRead("Kitchen", in: home, hub)
                    return home
                }
                let elsewhere = folder.appending(path: "elsewhere")
                try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
                try FileManager.default.copyItem(
                    at: folder.appending(path: "hub"),
                    to: elsewhere.appending(path: "hub")
                )
                try await Self.withHub(in: copyIsFirst ? elsewhere : folder) { first, firstOwner in
                    try await Self.withHub(in: copyIsFirst ? folder : elsewhere) { second, secondOwner in
                        for owner in [firstOwner, secondOwner] {
                            try await Wait.until("both hubs know the relay's last entry") {
                                try await Self.status(owner).feeds.first?.state == .current
                            }
                        }
                        try await Self.add("Attic", to: home, firstOwner)
                        try await laptop.untilRead("Attic", in: home, first)
                        try await Self.add("Cellar", to: home, secondOwner)
                        #expect(await second.superseded()?.code == .storeRolledBack)
                    }
                    // What the second one had to say is nowhere, and the first one goes on.
                    try await Self.add("Bath", to: home, firstOwner)
                    let follower = try await laptop.untilRead("Bath", in: home, first)
                    #expect(follower.view.homes[home]?.rooms.contains { $0.name == "Cellar" } == false)
                    #expect(follower.headers.allSatisfy { $0.term == 0 })
                }
            }
        }
    }

    @Test func anOwnersDeviceOpensTheVaultWithAge() async throws {
        try await TestRelay.with { relay in
            try await ServedHub.withFolder { folder in
                let (laptop, phone) = (FeedProbe(), FeedProbe("Phone"))
                let key = try await Self.withHub(in: folder) { hub, owner in
                    let home = try await owner.call(HubMethods.addHome, AddHome(name: "Villa")).id
                    let person = AddHomeUser(home: home, name: "Ann", role: .guest)
                    let ann = try await owner.call(HubMethods.addUser, person).id
                    let account = try #require(await hub.account(of: ann, in: home, to: "hearth"))
                    try await laptop.join(by: owner)
                    try await phone.join(by: try await Self.connect(to: hub, as: account))
                    let parameters = EnableSync(relay: relay.url, keepsVault: true)
                    #expect(try await owner.call(HubMethods.enableSync, parameters).vault == SyncStatus.Vault())
                    for device in [laptop, phone] { _ = try await device.connect(to: hub) }
                    try await Self.add("Kitchen", to: home, owner)
                    for device in [laptop, phone] { try await device.untilRead("Kitchen", in: home, hub) }
                    await hub.makeVaultIfDue()
                    let made = try #require(try await Self.status(owner).vault)
                    #expect(made.made != nil && made.problem == nil)
                    await hub.makeVaultIfDue()
                    #expect(try await Self.status(owner).vault == made, "the next one is due tomorrow")
                    return hub.identity.publicKey
                }
                let place = try #require(laptop.place)
                let house = try #require(HouseID(hex: place.house))
                let client = try RelayClient(relay.url, as: laptop.relayKey)
                let version = try #require(try await client.vault(of: house).versions.first { $0.isComplete })
                var bytes: [UInt8] = []
                for number in 1...version.pieces {
                    bytes += try await client.piece(number, version: version.version, of: house)
                }
                let vault = try #require(Vault(bytes))
                #expect(vault.isSigned(by: key) && vault.house == house && vault.number == Int(version.version))
                let passphrase = try #require(vault.passphrase(for: place.device, with: laptop.box, from: key))
                // A guest's device gets neither the file nor the passphrase.
                let guest = try RelayClient(relay.url, as: phone.relayKey)
                await #expect(throws: RelayClientError.self) { try await guest.vault(of: house) }
                let phoneID = try #require(phone.place).device
                #expect(vault.passphrase(for: phoneID, with: phone.box, from: key) == nil)
                #expect(vault.passphrase(for: place.device, with: phone.box, from: key) == nil)

                // Debian's age opens it, and a hub that was restored from it is the same hub.
                let (sealed, opened) = (folder.appending(path: "home.age"), folder.appending(path: "home.sqlite"))
                try Data(vault.file).write(to: sealed)
                let script = try PeerPython.packageRoot().appending(path: "Tests/Peers/age_passphrase.py").path
                let arguments = [script, "open", passphrase, sealed.path, opened.path]
                let age = try PeerProcess(URL(filePath: "/usr/bin/python3"), arguments)
                _ = await age.exit()
                try #require(await age.terminate() == 0, "\(age.transcript)")
                let restored = folder.appending(path: "restored")
                let caller = Caller(user: UUID(), device: UUID(), app: "hearth", client: UUID())
                try await HomeStore.restore(opened, to: restored.appending(path: "hub"), by: caller, now: Date())
                try await Self.withHub(in: restored) { hub, owner in
                    #expect(hub.identity.publicKey == key)
                    let devices = try await owner.call(HubMethods.devices, Empty()).devices
                    let ids = DeviceTargets(ids: devices.map(\.id))
                    _ = try await owner.call(HubMethods.confirmDevices, ids)
                    let homes = try await laptop.connect(to: hub)
                    homes.close()
                    try await Wait.until("the feed goes on") { try await laptop.read(hub).view.homes.count == 1 }
                }
            }
        }
    }

    @Test func whatIsNoRelayIsRefusedAndChangesNothing() async throws {
        try await ServedHub.withFolder { folder in
            try await Self.withHub(in: folder) { _, owner in
                let wrong = [
                    "http://relay.example.org", "ftp://127.0.0.1", "", "https://user@relay.example.org",
                    "http://127.0.0.1:1",
                ]
                for relay in wrong {
                    let refusal = await Self.refusal {
                        _ = try await owner.call(HubMethods.enableSync, EnableSync(relay: relay))
                    }
                    #expect(refusal == "relayFailed", "\(relay)")
                }
                let long = [
                    EnableSync(relay: "https://" + String(repeating: "a", count: 512)),
                    EnableSync(relay: "http://127.0.0.1:1", token: String(repeating: "a", count: 257)),
                ]
                for parameters in long {
                    let refusal = await Self.refusal {
                        _ = try await owner.call(HubMethods.enableSync, parameters)
                    }
                    #expect(refusal == "invalidParameter")
                }
                let status = try await Self.status(owner)
                let disabled = try await owner.call(HubMethods.disableSync, Empty())
                #expect(status == SyncStatus() && disabled == SyncStatus())
            }
        }
    }

    @Test func aRelayHasRoomForTheEnvelopesAndTheListsOfHubsOfAllDevices() {
        let devices = max(DeviceLimits.agentsPerUser, DeviceLimits.agentsOfOwner)
        #expect(2 * devices <= RelayLimits.envelopesPerGeneration)
        #expect(FeedLimits.hubListsBytes <= RelayLimits.envelopeBytes)
    }
}
