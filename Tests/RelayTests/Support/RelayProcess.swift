import Foundation
import PeerProcess

/// `hearth relay` as a process of its own.
struct RelayProcess {
    /// What the process prints when it is ready.
    private struct Ready: Decodable, Sendable {
        var event: String
        var url: String
        var metrics: String?
    }

    /// The executable of this build.
    static let hearth = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "hearth")

    let process: PeerProcess
    let url: String
    let metrics: String?

    var port: Int { URL(string: url)?.port ?? 0 }

    /// Starts a relay and waits until it is ready.
    init(in folder: URL, port: Int = 0, isOpen: Bool = true, _ more: [String] = []) async throws {
        let storage = ["--data", folder.appending(path: "relay").path]
        try await self.init(storage + ["--http", "\(port)"] + (isOpen ? ["--open"] : []) + more)
    }

    /// Starts a relay that keeps its data in PostgreSQL.
    init(postgres url: String) async throws {
        try await self.init(["--postgres", url, "--http", "0"])
    }

    private init(_ arguments: [String]) async throws {
        process = try PeerProcess(Self.hearth, ["relay"] + arguments + ["--json"])
        let ready = try await process.json(Ready.self, "the relay's start") { $0.event == "ready" }
        url = ready.url
        metrics = ready.metrics
    }

    /// Ends the process as a crash of the machine's power would, as far as a process can tell.
    func kill() async {
        process.kill(SIGKILL)
        _ = await process.exit()
    }

    /// Ends the process as the service manager does.
    func stop() async {
        process.kill(SIGTERM)
        _ = await process.exit()
    }
}
