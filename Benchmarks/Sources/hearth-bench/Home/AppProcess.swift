import Foundation
import PeerProcess

/// An app as a process of its own that loads the homes of the hub at `HEARTH_SOCKET`, says what it took and ends.
struct AppProcess {
    /// The argument that makes the program this app.
    static let argument = "load-app"

    /// What it says.
    struct Loaded: Codable, Sendable {
        /// From making the manager until it was told that the homes are there.
        var milliseconds: Double
        /// Accessories, bridges not counted.
        var accessories: Int
        /// The process's memory by then.
        var megabytes: Double
    }

    /// The app itself.
    static func run() async throws {
        let start = ContinuousClock.now
        let app = LoadingApp()
        let count = await app.loaded()
        let time = (ContinuousClock.now - start).milliseconds
        let memory = try ProcessMemory(of: getpid()).resident
        let loaded = Loaded(milliseconds: time, accessories: count - app.bridges, megabytes: memory)
        print(String(decoding: try JSONEncoder().encode(loaded), as: UTF8.self))
    }

    /// Starts one and waits for what it says.
    static func load(_ socket: String) async throws -> Loaded {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let environment = ["HEARTH_SOCKET": socket, "HEARTH_APP": "hearth.bench.app"]
        let process = try PeerProcess(program, [argument], environment: environment)
        let loaded = try await process.json(Loaded.self, "the app", within: .seconds(30)) { _ in true }
        await process.terminate()
        return loaded
    }
}
