import Foundation
import PeerProcess

/// An app in a separate process. It loads the homes of the hub at `HEARTH_SOCKET`, reports the cost, and exits.
struct AppProcess {
    /// The argument that runs the program as this app.
    static let argument = "load-app"

    /// The app's report.
    struct Loaded: Codable, Sendable {
        /// The time from creating the manager to its call that the homes are loaded.
        var milliseconds: Double
        /// The number of accessories, without bridges.
        var accessories: Int
        /// The process's memory at that time.
        var megabytes: Double
    }

    /// Runs the app.
    static func run() async throws {
        let start = ContinuousClock.now
        let app = LoadingApp()
        let count = await app.loaded()
        let time = (ContinuousClock.now - start).milliseconds
        let memory = try ProcessMemory(of: getpid()).resident
        let loaded = Loaded(milliseconds: time, accessories: count - app.bridges, megabytes: memory)
        print(String(decoding: try JSONEncoder().encode(loaded), as: UTF8.self))
    }

    /// Starts an app and waits for its report.
    static func load(_ socket: String) async throws -> Loaded {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let environment = ["HEARTH_SOCKET": socket, "HEARTH_APP": "hearth.bench.app"]
        let process = try PeerProcess(program, [argument], environment: environment)
        let loaded = try await process.json(Loaded.self, "the app", within: .seconds(30)) { _ in true }
        await process.terminate()
        return loaded
    }
}
