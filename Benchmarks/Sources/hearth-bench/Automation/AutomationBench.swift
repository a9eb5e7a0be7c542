import Foundation
import Glibc
import HomeKit
import PeerProcess

/// Measures the automations of a hub process with simulated accessories.
struct AutomationBench {
    /// The number of repetitions.
    struct Effort {
        var rounds = 5
        /// The numbers of triggers, ascending.
        var triggers = [100, 1_000, 10_000]
        /// The firings in a round, one each minute of the hub's clock.
        var firings = 100
        /// The time in which an idle hub is measured.
        var idle = Duration.seconds(20)
        var reactions = 200
        /// The writes in a round.
        var writes = 400
        /// The scenes that are run in a round.
        var runs = 20
        /// The entries of a full journal.
        var entries = 1_000_000

        /// A minimal run, to test the benchmark itself.
        static let quick = Effort(
            rounds: 2,
            triggers: [100, 200, 1_200],
            firings: 100,
            idle: .seconds(3),
            reactions: 20,
            writes: 100,
            runs: 5,
            entries: 20_000
        )
    }

    /// The maximum number of triggers of a home.
    static let triggersPerHome = 1_000
    /// The number of lamps in a scene.
    static let lamps = 100
    /// Longer than the journal waits before it writes what an app does.
    static let journalDelay: useconds_t = 1_000_000

    let programs: Programs
    let effort: Effort
    let folder: URL
    var figures = AutomationFigures()

    var hearth: URL { programs.hearth }

    init(programs: Programs, effort: Effort, folder: URL) {
        self.programs = programs
        self.effort = effort
        self.folder = folder
    }

    mutating func run() async throws {
        try await measureFirings()
        try await measureIdleHub()
        try await measureReactions()
        try await measureWatchedValues()
        try await measureScenes()
        try await measureJournal()
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

    /// Returns the first characteristic of a type of each accessory of a hub.
    func characteristics(_ type: String, _ socket: String) async -> [BenchCharacteristic] {
        setenv("HEARTH_SOCKET", socket, 1)
        setenv("HEARTH_APP", "hearth.bench.app", 1)
        let app = WatchingApp()
        await app.load()
        let characteristics = await app.characteristics(type)
        await app.end()
        return characteristics
    }

    /// Returns the hub's processor time for an operation, including what its journal writes later.
    func timeWithJournal(_ hub: HubProcess, _ work: () throws -> Void) throws -> Duration {
        usleep(Self.journalDelay)
        return try hub.clock.time {
            try work()
            usleep(Self.journalDelay)
        }
    }

    func progress(_ what: String) {
        FileHandle.standardError.write(Data("automations: \(what)\n".utf8))
    }
}
