import Foundation
import PeerProcess

/// A running hub. This is a class because it represents a process.
final class HubProcess {
    private struct Ready: Decodable, Sendable {
        var event: String
    }

    let process: PeerProcess
    let clock: ProcessorClock
    let socket: String
    /// The time from starting the process until it is ready.
    let timeToReady: Duration

    /// Starts a hub on a data folder and waits until it is ready.
    ///
    /// - Parameter options: Further options of `hearth hub`.
    init(_ hearth: URL, data: URL, socket: String, options: [String] = []) async throws {
        let network = ["--socket", socket, "--mdns-interface", "127.0.0.1"]
        let arguments = ["--data", data.path, "--json"] + network + options
        let start = ContinuousClock.now
        process = try PeerProcess(hearth, ["hub"] + arguments)
        _ = try await process.json(Ready.self, "the hub's start") { $0.event == "ready" }
        timeToReady = .now - start
        clock = try ProcessorClock(of: process.processIdentifier)
        self.socket = socket
    }

    func stop() async {
        await process.terminate()
    }
}
