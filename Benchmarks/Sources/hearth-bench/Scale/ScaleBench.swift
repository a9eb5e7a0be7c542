import Foundation
import PeerProcess

/// Measures one simulator with fifty full bridges and one hub that controls them all: their start, and their recovery
/// after either restarts.
struct ScaleBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 3
        var absences = 2
        var lamps = 7_450
        /// How long connections stay open before they are lost. The hub retries immediately only if a connection lasted
        /// half a minute.
        var hold = Duration.seconds(31)
        /// How long a simulator is stopped.
        var absence = Duration.seconds(30)

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(rounds: 2, absences: 1, lamps: 447, hold: .zero, absence: .seconds(2))
    }

    let hearth: URL
    let effort: Effort
    let folder: URL
    private(set) var bridges = 0
    private(set) var figures = ScaleFigures()

    init(hearth: URL, effort: Effort, folder: URL) {
        self.hearth = hearth
        self.effort = effort
        self.folder = folder
    }

    /// The number of accessories: lamps and bridges.
    private var accessories: Int { effort.lamps + bridges }

    mutating func run() async throws {
        let runFolder = folder.appending(path: "scale")
        try FileManager.default.createDirectory(
            at: runFolder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let (data, socket) = (runFolder.appending(path: "hub"), runFolder.appending(path: "hub.sock").path)
        var start = ContinuousClock.now
        var home = try await SimulatedHome(lamps: effort.lamps, hearth, folder: runFolder)
        figures.simulatorStart.add((ContinuousClock.now - start).milliseconds)
        bridges = home.bridges.count
        progress("\(bridges) bridges are ready")

        var hub = try await HubProcess(hearth, data: data, socket: socket)
        try pairAll(home, socket)
        figures.simulatorMemory.add(try ProcessMemory(of: home.simulator.processIdentifier).resident)
        try noteMemory(of: hub, in: \.hubMemory)
        await hub.stop()

        for round in 1...effort.rounds {
            start = .now
            hub = try await HubProcess(hearth, data: data, socket: socket)
            try ReachabilityWatch(path: socket).wait(for: accessories)
            figures.hubRestart.add((ContinuousClock.now - start).milliseconds)
            figures.hubRestartTime.add(hub.clock.settled().milliseconds)
            try noteMemory(of: hub, in: \.hubMemory)
            if round < effort.rounds { await hub.stop() }
            progress("hub's restart \(round)/\(effort.rounds)")
        }
        for round in 1...effort.rounds {
            try await measureRecovery(&home, hub, after: .zero, in: \.restart)
            progress("simulator's restart \(round)/\(effort.rounds)")
        }
        for round in 1...effort.absences {
            try await measureRecovery(&home, hub, after: effort.absence, in: \.absence)
            progress("simulator's absence \(round)/\(effort.absences)")
        }
        await hub.stop()
        await home.stop()
    }

    /// Adds all bridges, and waits until all accessories are reachable.
    private mutating func pairAll(_ home: SimulatedHome, _ socket: String) throws {
        let watch = try ReachabilityWatch(path: socket)
        let client = try HubClient(path: socket)
        let start = ContinuousClock.now
        let id = try client.call("home.add", #"{"name":"Villa"}"#)
        for bridge in home.bridges {
            let added = ContinuousClock.now
            try home.add(bridge, to: id, of: client)
            figures.pairing.add((ContinuousClock.now - added).milliseconds)
        }
        try watch.wait(for: accessories)
        figures.pairingOfAll.add((ContinuousClock.now - start).milliseconds)
        progress("pairing")
    }

    /// Kills the simulator, starts another one after a delay, and waits until the hub has reconnected to all
    /// accessories.
    private mutating func measureRecovery(
        _ home: inout SimulatedHome,
        _ hub: HubProcess,
        after absence: Duration,
        in recovery: WritableKeyPath<ScaleFigures, RecoveryFigures>
    ) async throws {
        try await Task.sleep(for: effort.hold)
        let watch = try ReachabilityWatch(path: hub.socket)
        let before = hub.clock.settled()
        let attempts = try ConnectionAttempts.count()
        await home.kill()
        try watch.wait(for: 0)
        try await Task.sleep(for: absence)
        let start = ContinuousClock.now
        try home.restart()
        try watch.wait(for: accessories)
        figures[keyPath: recovery].time.add((ContinuousClock.now - start).milliseconds)
        figures[keyPath: recovery].processorTime.add((hub.clock.settled() - before).milliseconds)
        let made = try ConnectionAttempts.count() - attempts
        figures[keyPath: recovery].attempts.add(Double(made) / Double(home.bridges.count))
        try noteMemory(of: hub, in: \.hubMemoryAfterLoss)
    }

    private mutating func noteMemory(of hub: HubProcess, in samples: WritableKeyPath<ScaleFigures, Samples>) throws {
        _ = hub.clock.settled()
        figures[keyPath: samples].add(try ProcessMemory(of: hub.process.processIdentifier).resident)
    }

    private func progress(_ text: String) {
        FileHandle.standardError.write(Data("scale: \(text)\n".utf8))
    }
}
