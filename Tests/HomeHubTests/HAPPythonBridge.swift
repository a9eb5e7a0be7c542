import Foundation
import PeerProcess
import Testing

/// The bridge of `Tests/Peers/hap_python_bridge.py`, based on HAP-python: a lightbulb, a lock and a sensor.
enum HAPPythonBridge {
    /// A message that the bridge prints on its standard output.
    struct Report: Decodable, Sendable {
        var event: String
        var port: Int?
        var deviceID: String?
        var controllers: Int?
        var name: String?
        var char: String?
    }

    static let code = "482-11-957"

    /// Returns a name that no other test's bridge has.
    static func newName() -> String { "Foreign \(Int.random(in: 100_000...999_999))" }

    /// Starts the bridge and waits until it listens. Its keys and pairings are stored in the folder.
    static func start(_ name: String, in folder: URL) async throws -> PeerProcess {
        try await startReported(name, in: folder).bridge
    }

    /// Starts the bridge, and returns its first message, too.
    static func startReported(
        _ name: String,
        in folder: URL,
        port: Int = 0,
        isAdvertised: Bool = true
    ) async throws -> (bridge: PeerProcess, ready: Report) {
        let state = folder.appending(path: "bridge.json").path
        let bridge = try PeerPython.start(
            "hap_python_bridge.py",
            ["--code", code, "--state", state, "--name", name, "--port", "\(port)"] + (isAdvertised ? [] : ["--quiet"])
        )
        let ready = try await bridge.json(Report.self, "the bridge's start") {
            $0.event == "ready"
        }
        return (bridge, ready)
    }

    /// Removes the pairings of a bridge that isn't running. The bridge keeps its identity.
    static func forgetPairings(in folder: URL) throws {
        let file = folder.appending(path: "bridge.json")
        var state = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        for key in ["paired_clients", "client_properties", "client_uuid_to_bytes"] { state[key] = [String: String]() }
        try JSONSerialization.data(withJSONObject: state).write(to: file)
    }
}
