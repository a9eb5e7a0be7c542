import Foundation
import PeerProcess

/// Measures `hearth simulator` and HAP-python's server side by side. Both run all the time and are measured in turn, so
/// that other load on the machine affects both.
struct AccessoryBench {
    let programs: Programs
    let effort: Effort
    /// The folder of the servers' state.
    let folder: URL

    private(set) var figures: [Contestant: ServerFigures] = [:]
    /// The requests per second of an echo server.
    private(set) var echo = Samples()
    /// The processor time of the system calls and the cipher of a read and a write alone, in microseconds.
    private(set) var readFloor = Samples()
    private(set) var writeFloor = Samples()
    /// The same of a write, beside the writes after many connections.
    private(set) var writeFloorAfterVisitors = Samples()

    init(programs: Programs, effort: Effort, folder: URL) {
        self.programs = programs
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        for contestant in Contestant.allCases { figures[contestant] = ServerFigures() }
        for round in 1...effort.rounds {
            for contestant in Contestant.allCases { try await measureStart(contestant, round) }
            progress("start \(round)/\(effort.rounds)")
        }
        var servers: [(server: PairedServer, memory: ProcessMemory)] = []
        for contestant in Contestant.allCases { servers.append(try await start(contestant)) }
        for round in 1...effort.rounds {
            for (server, _) in servers { try await measure(server) }
            progress("round \(round)/\(effort.rounds)")
        }
        for (server, _) in servers { try server.receiveVisitors(effort.visitors) }
        let core = try await SharedCore(with: servers.map(\.server.server.process.processIdentifier))
        for round in 1...effort.rounds {
            for (server, _) in servers {
                let time = try server.measureWrites(effort.requests)
                figures[server.server.contestant]?.writeAfterVisitors.add(time)
                if server.server.contestant == .hearth {
                    writeFloorAfterVisitors.add(try await measureFloor(server.exchangeLengths().write))
                }
            }
            progress("after \(effort.visitors) connections \(round)/\(effort.rounds)")
        }
        try await core.leave()
        for (server, before) in servers {
            let after = try ProcessMemory(of: server.server.process.processIdentifier)
            let contestant = server.server.contestant
            figures[contestant]?.memory.add(before.resident)
            figures[contestant]?.proportionalMemory.add(before.proportional)
            figures[contestant]?.memoryGrowth.add(after.resident - before.resident)
            await server.server.stop()
        }
    }

    /// Starts a server in a new folder, pairs with it, and starts it again in the same folder.
    private mutating func measureStart(_ contestant: Contestant, _ round: Int) async throws {
        let state = try makeFolder("\(contestant)-start-\(round)")
        let first = try LampServer(contestant, programs: programs, folder: state)
        figures[contestant]?.firstStart.add(first.timeToAnswer.milliseconds)
        let code = try await first.ready()
        var setupTime = Samples()
        _ = try PairedServer(first, code: code, setupTime: &setupTime)
        figures[contestant]?.firstSetup.add(setupTime.values)
        await first.stop()
        let second = try LampServer(contestant, programs: programs, folder: state)
        figures[contestant]?.start.add(second.timeToAnswer.milliseconds)
        _ = try await second.ready()
        await second.stop()
    }

    private func start(_ contestant: Contestant) async throws -> (PairedServer, ProcessMemory) {
        let server = try LampServer(contestant, programs: programs, folder: makeFolder("\(contestant)"))
        let code = try await server.ready()
        let memory = try ProcessMemory(of: server.process.processIdentifier)
        var ignored = Samples()
        return (try PairedServer(server, code: code, setupTime: &ignored), memory)
    }

    /// Measures a running server once.
    private mutating func measure(_ server: PairedServer) async throws {
        let contestant = server.server.contestant
        guard var figures = figures[contestant] else { return }
        let core = try await SharedCore(with: [server.server.process.processIdentifier])
        // The floors follow at once, because the processor isn't always equally fast.
        let lengths = try server.exchangeLengths()
        figures.read.add(try server.measureReads(effort.requests))
        if contestant == .hearth { readFloor.add(try await measureFloor(lengths.read)) }
        figures.write.add(try server.measureWrites(effort.requests))
        if contestant == .hearth { writeFloor.add(try await measureFloor(lengths.write)) }
        figures.readOfMany.add(try server.measureReadsOfMany(effort.requests))
        figures.accessories.add(try server.measureDatabases(effort.databases, changing: false))
        figures.accessoriesAfterChange.add(try server.measureDatabases(effort.databases, changing: true))
        let verification = try server.measureVerifications(effort.verifications)
        figures.verify.add(verification.alone)
        figures.verifiedConnection.add(verification.whole)
        for _ in 0..<effort.setUps { try server.pairAgain(setupTime: &figures.setup) }
        try await core.leave()
        let (rate, answerLength) = try server.measureThroughput(effort.parallelRequests)
        figures.throughput.add(rate)
        if contestant == .hearth { echo.add(try await measureEcho(answerLength: answerLength)) }
        figures.event.add(try server.measureEvents(effort.events, idle: contestant.idle))
        self.figures[contestant] = figures
    }

    /// Measures what a request costs at least.
    private func measureFloor(_ length: (request: Int, answer: Int)) async throws -> Double {
        try await EchoProcess.floor(effort.requests, requestLength: length.request, answerLength: length.answer)
    }

    /// Returns the requests per second of the same client with the same number of bytes, without a server's work.
    private func measureEcho(answerLength: Int) async throws -> Double {
        let server = try await EchoProcess(.each, answerLength: answerLength)
        let sockets = try (0..<Effort.parallelConnections).map { _ in try Socket(port: server.port) }
        let requests = sockets.map { _ in
            [[UInt8]](repeating: [UInt8](repeating: 0, count: 100), count: effort.parallelRequests)
        }
        let (rate, _) = try PairedServer.exchange(requests, sockets, answerLength: answerLength)
        await server.stop()
        return rate
    }

    private func makeFolder(_ name: String) throws -> URL {
        let folder = folder.appending(path: name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private func progress(_ text: String) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

extension Contestant {
    /// Longer than the servers' time for coalescing events.
    fileprivate var idle: Duration {
        switch self {
        case .hearth: .milliseconds(350)
        case .hapPython: .milliseconds(700)
        }
    }
}
