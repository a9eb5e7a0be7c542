import Foundation
import Glibc
import HomeKit
import PeerProcess

/// Measures a hub process with simulated accessories, over its socket and through the `HomeKit` module.
struct HomeBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 5
        var richAccessories = 1_000
        var homes = [10, 100, 1_000, 10_000]
        var changes = 400
        var history = 100_000
        /// The events of an accessory in a round, which takes as long as they wait before the journal writes them.
        var events = 30

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(
            rounds: 2,
            richAccessories: 150,
            homes: [10, 100],
            changes: 50,
            history: 2_000,
            events: 4
        )
    }

    /// The number of clients that receive a change, without its author.
    static let listeners = 20
    static let reads = 1_000
    static let readServers = 50
    /// The number of requests in progress while a history is created.
    private static let pipelined = 500

    let hearth: URL
    let effort: Effort
    let folder: URL
    var figures = HomeFigures()

    init(hearth: URL, effort: Effort, folder: URL) {
        self.hearth = hearth
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        try await measureRichHome()
        try await measureOutages()
        try await measureReads()
        try await measureValues()
        try await measureAppends()
        for count in effort.homes { try await measureChanges(count) }
        try await measureHistory()
    }

    func makeFolder(_ name: String) throws -> URL {
        let made = folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: made,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        return made
    }

    // MARK: A home with many characteristics

    private mutating func measureRichHome() async throws {
        let runFolder = try makeFolder("rich")
        let (data, socket) = (runFolder.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        let home = try await SimulatedHome(richAccessories: effort.richAccessories, hearth, folder: runFolder)
        var hub = try await HubProcess(hearth, data: data, socket: socket)
        let id = try home.add(to: try HubClient(path: socket), named: "Villa")
        progress("home of \(effort.richAccessories) accessories")
        await hub.stop()
        for round in 1...effort.rounds {
            hub = try await HubProcess(hearth, data: data, socket: socket)
            figures.start.add(hub.timeToReady.milliseconds)
            _ = hub.clock.settled()
            figures.memory.add(try ProcessMemory(of: hub.process.processIdentifier).resident)
            let start = ContinuousClock.now
            let client = try HubClient(path: socket)
            figures.reset.add((ContinuousClock.now - start).milliseconds)
            figures.resetSize.add(Double(client.resetLength) / 1_000_000)
            try await loadInApp(socket)
            if round < effort.rounds { await hub.stop() }
            progress("hub's start \(round)/\(effort.rounds)")
        }
        try await measureDelegate(in: id, socket)
        try measureFanOut(in: id, socket)
        try await measureBroadcast()
        await hub.stop()
        await home.stop()
    }

    /// Measures an app that loads the homes.
    private mutating func loadInApp(_ socket: String) async throws {
        let loaded = try await AppProcess.load(socket)
        guard loaded.accessories == effort.richAccessories else {
            throw BenchFailure("the app sees \(loaded.accessories) accessories")
        }
        figures.appLoad.add(loaded.milliseconds)
        figures.appMemory.add(loaded.megabytes)
    }

    /// Measures the time from a bare client of the socket receiving a value to an app's delegate receiving it.
    private mutating func measureDelegate(in home: String, _ socket: String) async throws {
        let writer = try HubClient(path: socket)
        let bare = try HubClient(path: socket)
        guard let lamp = try writer.lamp() else { throw BenchFailure("no accessory has a brightness") }
        let characteristic = #"{"accessory":"\#(lamp.accessory)","iid":\#(lamp.iid)}"#
        let watching = #"{"home":"\#(home)","characteristics":[\#(characteristic)],"enabled":true}"#
        setenv("HEARTH_SOCKET", socket, 1)
        setenv("HEARTH_APP", "hearth.bench.app", 1)
        let app = WatchingApp()
        await app.load()
        try await app.watch(lamp.accessory)
        try bare.call("characteristic.notify", watching)
        for number in 1...effort.changes {
            let value = number % 100
            let write = #"{"characteristic":\#(characteristic),"value":\#(value)}"#
            _ = try writer.begin("characteristic.write", #"{"home":"\#(home)","writes":[\#(write)]}"#)
            _ = try bare.socket.line()
            let clientTime = ContinuousClock.now
            let timeout = clientTime + .seconds(5)
            var delegateTime = app.updateTime(of: value)
            while delegateTime == nil, .now < timeout {
                usleep(50)
                delegateTime = app.updateTime(of: value)
            }
            guard let delegateTime else { throw BenchFailure("the app's delegate didn't receive \(value)") }
            figures.delegateCall.add(max(delegateTime - clientTime, .zero).milliseconds)
            _ = try writer.socket.line()
        }
        await app.end()
        figures.echo.add(try await EchoProcess.roundTrips(effort.changes))
        progress("values to a delegate")
    }

    // MARK: Many reads

    private mutating func measureReads() async throws {
        let runFolder = try makeFolder("reads")
        let socket = runFolder.appending(path: "hub.sock").path
        let home = try await SimulatedHome(servers: Self.readServers, hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: runFolder.appending(path: "hub"), socket: socket)
        _ = try home.add(to: try HubClient(path: socket), named: "Villa")
        setenv("HEARTH_SOCKET", socket, 1)
        setenv("HEARTH_APP", "hearth.bench.app", 1)
        let app = WatchingApp()
        await app.load()
        for _ in 1...effort.rounds {
            _ = hub.clock.settled()
            let before = try WireRequests.count(of: hub.process.processIdentifier)
            let start = ContinuousClock.now
            let failed = await app.read(Self.reads)
            figures.reads.add((ContinuousClock.now - start).milliseconds)
            guard failed == 0 else { throw BenchFailure("\(failed) of \(Self.reads) reads failed") }
            let sent = try WireRequests.count(of: hub.process.processIdentifier) - before
            figures.wireRequests.add(Double(sent) / Double(Self.readServers))
        }
        await app.end()
        await hub.stop()
        await home.stop()
        progress("\(Self.reads) reads on \(Self.readServers) accessories")
    }

    // MARK: Sending changes to other clients

    private mutating func measureFanOut(in home: String, _ socket: String) throws {
        let author = try HubClient(path: socket)
        let room = try author.call("room.add", #"{"home":"\#(home)","name":"Room"}"#)
        let others = try (0..<Self.listeners).map { _ in try HubClient(path: socket) }
        for number in 1...effort.changes {
            let start = ContinuousClock.now
            _ = try author.begin("room.rename", #"{"home":"\#(home)","id":"\#(room)","name":"Room \#(number)"}"#)
            _ = try author.socket.line()
            let own = ContinuousClock.now
            for arrival in try arrivals(at: others.map(\.socket)) {
                figures.fanOut.add(max(arrival - own, .zero).milliseconds)
                figures.fanOutFromRequest.add((arrival - start).milliseconds)
            }
            _ = try author.socket.line()
        }
        progress("changes to \(Self.listeners) clients")
    }

    private func arrivals(at sockets: [UnixSocket]) throws -> [ContinuousClock.Instant] {
        var watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
        var arrivals: [ContinuousClock.Instant] = []
        while arrivals.count < sockets.count {
            guard poll(&watched, nfds_t(watched.count), 20_000) > 0 else {
                throw BenchFailure("a change didn't arrive")
            }
            let now = ContinuousClock.now
            for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                _ = try sockets[index].line()
                arrivals.append(now)
                watched[index].fd = -1
            }
        }
        return arrivals
    }

    /// Measures the same with processes that do nothing else: one packet in, one to each connection out.
    private mutating func measureBroadcast() async throws {
        let server = try await EchoProcess(.all, answerLength: 1)
        let sockets = try (0...Self.listeners).map { _ in try Socket(port: server.port) }
        for _ in 1...effort.changes {
            let start = ContinuousClock.now
            try sockets[0].send([1])
            var watched = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            var left = sockets.count
            while left > 0, poll(&watched, nfds_t(watched.count), 20_000) > 0 {
                let now = ContinuousClock.now
                for index in watched.indices where watched[index].fd >= 0 && watched[index].revents != 0 {
                    _ = try sockets[index].receive()
                    figures.broadcast.add((now - start).milliseconds)
                    watched[index].fd = -1
                    left -= 1
                }
            }
        }
        await server.stop()
    }

    // MARK: The cost of a change

    private mutating func measureChanges(_ count: Int) async throws {
        let runFolder = try makeFolder("lamps-\(count)")
        let socket = runFolder.appending(path: "hub.sock").path
        let home = try await SimulatedHome(lamps: count, hearth, folder: runFolder)
        let hub = try await HubProcess(hearth, data: runFolder.appending(path: "hub"), socket: socket)
        let client = try HubClient(path: socket)
        let id = try home.add(to: client, named: "Villa")
        let room = try client.call("room.add", #"{"home":"\#(id)","name":"Room"}"#)
        for round in 1...effort.rounds {
            let time = try rename(room, in: id, by: client, hub, prefix: "Room \(round)")
            figures.change[count, default: Samples()].add(time)
        }
        await hub.stop()
        await home.stop()
        progress("changes with \(count) accessories")
    }

    /// Returns the hub's processor time for renaming a room, in microseconds.
    private func rename(
        _ room: String,
        in home: String,
        by client: HubClient,
        _ hub: HubProcess,
        prefix: String
    ) throws -> Double {
        let time = try hub.clock.time {
            for number in 1...effort.changes {
                try client.call("room.rename", #"{"home":"\#(home)","id":"\#(room)","name":"\#(prefix) \#(number)"}"#)
            }
        }
        return time.microseconds / Double(effort.changes)
    }

    private mutating func measureAppends() async throws {
        for _ in 1...effort.rounds {
            let times = try await AppendTimes.measure(effort.changes, hearth)
            let (append, bare) = (Samples(values: times.append), Samples(values: times.bare))
            figures.append.add(append.values)
            figures.bareCommit.add(bare.values)
            figures.appendRatio.add(append.median / bare.median)
        }
        progress("appends")
    }

    private mutating func measureHistory() async throws {
        let runFolder = try makeFolder("history")
        let (data, socket) = (runFolder.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        let hub = try await HubProcess(hearth, data: data, socket: socket)
        let client = try HubClient(path: socket)
        let home = try client.call("home.add", #"{"name":"Villa"}"#)
        let room = try client.call("room.add", #"{"home":"\#(home)","name":"Room"}"#)
        var sent = 0
        while sent < effort.history {
            let last = min(sent + Self.pipelined, effort.history)
            for number in sent..<last {
                _ = try client.begin("room.rename", #"{"home":"\#(home)","id":"\#(room)","name":"Old \#(number)"}"#)
            }
            // Each call has an event and a reply.
            for _ in 0..<2 * (last - sent) { _ = try client.socket.line() }
            sent = last
        }
        for round in 1...effort.rounds {
            figures.changeAfterHistory.add(try rename(room, in: home, by: client, hub, prefix: "New \(round)"))
        }
        await hub.stop()
        let files = try FileManager.default.contentsOfDirectory(at: data, includingPropertiesForKeys: [.fileSizeKey])
        let size = try files.reduce(0) { $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
        figures.storeSize.add(Double(size) / 1_000_000)
        figures.bytesPerChange.add(Double(size) / Double(effort.history))
        progress("history of \(effort.history) changes")
    }

    func progress(_ what: String) {
        FileHandle.standardError.write(Data("hub: \(what)\n".utf8))
    }
}
