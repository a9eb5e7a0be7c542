import Foundation
import HAP
import HAPCatalog
import PeerProcess

/// A program under measurement, as a bridge with ``lamps`` lamps.
enum Contestant: String, CaseIterable {
    case hearth
    case hapPython

    /// The maximum number of lamps of a bridge.
    static let lamps = 149
}

/// A running server of a ``Contestant``. This is a class because it represents a process.
final class LampServer {
    private struct Ready: Decodable, Sendable {
        var event: String
        var port: Int?
        var setupCode: String?
    }

    let contestant: Contestant
    let process: PeerProcess
    let clock: ProcessorClock
    let port: Int
    /// The time from starting the process to its first response.
    let timeToAnswer: Duration

    /// Starts the program with its state in a folder, and waits for its first response.
    init(_ contestant: Contestant, programs: Programs, folder: URL) throws {
        self.contestant = contestant
        port = try Listener.freePort()
        let (executable, arguments) = programs.command(of: contestant, port: port, folder: folder)
        let start = ContinuousClock.now
        process = try PeerProcess(executable, arguments)
        try Self.awaitAnswer(port: port)
        timeToAnswer = .now - start
        clock = try ProcessorClock(of: process.processIdentifier)
    }

    /// Waits until the server is advertised, and returns its setup code.
    func ready() async throws -> SetupCode {
        let ready = try await process.json(Ready.self, "\(contestant) ready") { $0.event == "ready" }
        return try SetupCode(ready.setupCode ?? "")
    }

    func stop() async {
        await process.terminate()
    }

    private static func awaitAnswer(port: Int) throws {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            guard let connection = try? ControllerConnection(port: port) else {
                usleep(100)
                continue
            }
            let response = try connection.ask(connection.accessories)
            guard [.connectionAuthorizationRequired, .unauthorized].contains(response.status) else {
                throw BenchFailure("an unverified connection got \(response.status)")
            }
            return
        }
        throw BenchFailure("no server came up on port \(port)")
    }
}

/// The locations of the programs.
struct Programs {
    let hearth: URL
    let python: URL
    /// The Benchmarks folder.
    let folder: URL

    func command(of contestant: Contestant, port: Int, folder state: URL) -> (URL, [String]) {
        let common = ["--lights", String(Contestant.lamps), "--port", String(port)]
        switch contestant {
        case .hearth:
            let network = ["--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1"]
            return (hearth, ["simulator", "--json", "--data", state.path] + network + common)
        case .hapPython:
            let script = folder.appending(path: "Peers/hap_python_lamps.py").path
            let file = state.appending(path: "state.json").path
            return (python, ["-B", script, "--code", SetupCode.random().dashed, "--state", file] + common)
        }
    }
}
