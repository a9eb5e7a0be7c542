import Foundation
import PeerProcess
import Testing

/// A house with a relay, a lamp and two hubs, as whole processes that are set up by commands alone.
struct HubPair {
    struct Ready: Decodable {
        var event: String?
        var url: String?
        var digits: String?
    }

    struct Invitation: Decodable {
        var link: String?
        var code: String?
    }

    struct Status: Decodable {
        struct Hub: Decodable {
            var name: String
            var isOwn: Bool
            var isLeading: Bool
            var isConnected: Bool
            var behind: Int?
        }

        struct Relay: Decodable {
            var votes: Bool
        }

        struct Pairing: Decodable {
            var accessory: String
        }

        var hubs: [Hub]
        var relay: Relay?
        var pairings: [Pairing]
        var untold: [String]
        var outlook: String

        /// Whether the hub that replied leads.
        var isLeading: Bool { hubs.first { $0.isOwn }?.isLeading == true }
        /// Whether the other hub is connected to the one that replied.
        var isConnected: Bool { hubs.first { !$0.isOwn }?.isConnected == true }
    }

    /// A hub's folder, socket and process.
    struct Hub {
        let place: Fixture
        var process: PeerProcess

        /// Runs a command that succeeds.
        @discardableResult
        func run(_ arguments: String..., input: String? = nil) async throws -> String {
            let outcome = try await place.run(arguments, input: input)
            try #require(outcome.status == 0, "\(arguments): \(outcome.error)")
            return outcome.output
        }

        /// Runs a command until it succeeds, because a hub may lead only in some seconds.
        func wait(_ arguments: String...) async throws {
            var error = ""
            try await Wait.until("\(arguments) \(error)") {
                let outcome = try await place.run(arguments)
                error = outcome.error
                return outcome.status == 0
            }
        }

        /// Adds a room. A leader that loses touch answers that it may be there all the same.
        func add(room: String) async throws {
            try await Wait.until("“\(room)” is added") {
                _ = try await place.run("room", "add", room)
                return (try? await rooms())?.contains(room) == true
            }
        }

        /// How the hubs stand.
        func status() async throws -> Status {
            try JSONDecoder().decode(Status.self, from: Data(try await run("hub", "list", "--json").utf8))
        }

        /// Waits until the hubs stand in a way.
        func wait(_ what: String, until condition: (Status) -> Bool) async throws {
            try await Wait.until(what) { condition(try await status()) }
        }

        /// The names of the rooms.
        func rooms() async throws -> [String] {
            try await run("room", "list").split(separator: "\n").map(String.init)
        }

        /// Waits until the hub has exactly these rooms.
        func wait(forRooms rooms: [String]) async throws {
            try await Wait.until("the hub has \(rooms)") { try await self.rooms() == rooms }
        }

        /// Makes a link for a device of the hub's own user.
        func link() async throws -> String {
            let added = try await run("device", "add", "--link", "--json")
            return try #require(try JSONDecoder().decode(Invitation.self, from: Data(added.utf8)).link)
        }

        /// Makes a code for a device of the hub's own user.
        func code() async throws -> String {
            let added = try await run("device", "add", "--json")
            return try #require(try JSONDecoder().decode(Invitation.self, from: Data(added.utf8)).code)
        }

        /// Ends the process at once.
        func kill() async {
            process.kill(SIGKILL)
            _ = await process.exit()
        }
    }

    let fixture: Fixture
    let relay: PeerProcess?
    let lamp: PeerProcess
    var first: Hub
    var second: Hub

    /// Runs a body with two hubs that have a lamp, and that control it both.
    ///
    /// - Parameter before: What is done before the second hub joins.
    static func with(
        relay hasRelay: Bool = true,
        before: (Hub) async throws -> Void = { _ in },
        _ body: (inout HubPair) async throws -> Void
    ) async throws {
        try await Fixture.with { fixture in
            var relay: (process: PeerProcess, url: String)?
            if hasRelay { relay = try await startRelay(fixture) }
            let id = Fixture.newDeviceID()
            let lamp = try await fixture.startLamp(id)
            let first = Hub(place: fixture, process: try await fixture.startHub(["--network", "127.0.0.1:0"]))
            try await first.run("home", "add", "Villa")
            let added = try await fixture.add(id, "--code", "-", input: Fixture.lampCode)
            try #require(added.status == 0, "\(added.error)")
            if let relay { try await first.run("sync", "on", relay.url) }
            try await before(first)
            let place = try place("second", in: fixture)
            try await join(place, to: first)
            let second = Hub(place: place, process: try await start(place))
            var pair = HubPair(fixture: fixture, relay: relay?.process, lamp: lamp, first: first, second: second)
            try await second.wait("both hubs are connected, and agree") { status in
                status.isConnected && status.hubs.contains { $0.isLeading }
            }
            for hub in [first, second] { try await hub.wait("set", "Lamp", "On", "false") }
            try await body(&pair)
            for process in [pair.first.process, pair.second.process, lamp] + [relay?.process].compactMap(\.self) {
                await process.terminate()
            }
        }
    }

    private static func startRelay(_ fixture: Fixture) async throws -> (PeerProcess, String) {
        let data = fixture.folder.appending(path: "relay").path
        let arguments = ["relay", "--http", "127.0.0.1:0", "--open", "--data", data, "--json"]
        let relay = try PeerProcess(Programs.hearth, arguments)
        let ready = try await relay.json(Ready.self, "the relay's start") { $0.event == "ready" }
        return (relay, try #require(ready.url))
    }

    static func place(_ name: String, in fixture: Fixture) throws -> Fixture {
        let folder = fixture.folder.appending(path: name)
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false, attributes: attributes)
        return Fixture(folder: folder)
    }

    /// Lets a folder's hub join, and interrupts that once.
    private static func join(_ place: Fixture, to first: Hub) async throws {
        let invitation = try JSONDecoder().decode(
            Invitation.self,
            from: Data(try await first.run("hub", "invite", "--json").utf8)
        )
        let arguments = ["--data", place.data, "--name", "Cellar", "--json"]
        let link = try #require(invitation.link)
        let early = try PeerProcess(Programs.hearth, ["hub", "join", link] + arguments)
        let shown = try await early.json(Ready.self, "the digits") { $0.event == "waiting" }
        #expect(await early.terminate() != 0)
        let digits = try #require(shown.digits)
        try await Wait.until("the hub asks about the digits") { try await first.run("questions").contains(digits) }
        try await first.run("questions", "answer", input: "Yes")
        let joining = try PeerProcess(Programs.hearth, ["hub", "join"] + arguments)
        let again = try await joining.json(Ready.self, "the digits again") { $0.event == "waiting" }
        #expect(again.digits == digits)
        _ = try await joining.json(Ready.self, "the homes") { $0.event == "joined" }
        #expect(await joining.exit() == 0)
    }

    private static func start(_ place: Fixture) async throws -> PeerProcess {
        try await place.startHub(["--network", "127.0.0.1:0"])
    }

    /// Starts a hub again, whose process has ended.
    static func restart(_ hub: inout Hub) async throws { hub.process = try await start(hub.place) }

    /// The hub that leads, and the other one.
    func leader() async throws -> (leader: Hub, other: Hub) {
        var isFirst: Bool?
        try await Wait.until("a hub leads") {
            if try await first.status().isLeading { isFirst = true }
            if try await second.status().isLeading { isFirst = false }
            return isFirst != nil
        }
        return isFirst == true ? (first, second) : (second, first)
    }

    // MARK: Devices

    /// Starts an agent that finds nothing on the network, so that only an address or the relay leads to a hub.
    static func startAgent(_ place: Fixture) async throws -> Hub {
        let agent = try PeerProcess(
            Programs.hearth,
            ["agent", "--data", place.data, "--socket", place.socket, "--mdns-interface", "none", "--json"]
        )
        _ = try await agent.json(Ready.self, "the agent's start") { $0.event == "ready" }
        return Hub(place: place, process: agent)
    }

    /// Lets a device join by a link, whose digits somebody compares at a hub.
    static func join(_ agent: Hub, with link: String, confirmedAt hub: Hub) async throws {
        let joining = try PeerProcess(
            Programs.hearth,
            ["join", link, "--name", "Laptop", "--socket", agent.place.socket, "--json"]
        )
        let digits = try await joining.json(Ready.self, "the digits") { $0.event == "waiting" }.digits
        try await Wait.until("the hub asks about the digits") {
            try await hub.run("questions").contains(try #require(digits))
        }
        try await hub.run("questions", "answer", input: "Yes")
        await joining.exit()
        #expect(await joining.terminate() == 0, "\(joining.transcript)")
    }
}
