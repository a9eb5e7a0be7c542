import Foundation
import PeerProcess
import Testing

/// The executables of this build.
enum Programs {
    /// The `hearth` command.
    static let hearth = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "hearth")
    /// An app that uses the `HomeKit` module, in `Tests/Support/HomeKitApp`.
    static let app = hearth.deletingLastPathComponent().appending(path: "homekit-app")
}

/// A folder for one test's hub, and the commands that connect to that hub.
struct Fixture: Sendable {
    /// The result of a command.
    struct Outcome: Sendable {
        var status: Int32
        var output: String
        var error: String
    }

    /// The properties of JSON output that tests read.
    struct Line: Decodable, Sendable {
        var event: String?
        var name: String?
        var id: String?
        var port: Int?
        var setupCode: String?
        var error: String?
        var reason: String?
        var characteristic: String?
        var accessory: String?
        var isReachable: Bool?
        var verb: String?
        var names: [String]?
    }

    let folder: URL
    var socket: String { folder.appending(path: "hub.sock").path }
    var data: String { folder.appending(path: "hub").path }

    /// Runs `body` with an empty folder and removes it.
    static func with<Result>(_ body: (Fixture) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(Fixture(folder: folder))
    }

    /// Starts a hub and waits until it is ready.
    func startHub(_ more: [String] = []) async throws -> PeerProcess {
        let arguments = ["hub", "--data", data, "--socket", socket, "--mdns-interface", "127.0.0.1", "--json"]
        let hub = try PeerProcess(Programs.hearth, arguments + more)
        _ = try await hub.json(Line.self, "the hub's start") { $0.event == "ready" }
        return hub
    }

    /// Starts a simulator with one lamp bridge and waits until it is ready.
    func startLights(_ count: Int) async throws -> (process: PeerProcess, ready: Line) {
        let data = folder.appending(path: "simulator").path
        let arguments = [
            "--lights", "\(count)", "--data", data, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1",
        ]
        let process = try PeerProcess(Programs.hearth, ["simulator"] + arguments + ["--json"])
        return (process, try await process.json(Line.self, "the simulator's start") { $0.event == "ready" })
    }

    /// The setup code of ``startLamp(_:_:)``.
    static let lampCode = "482-11-957"

    /// Returns a device ID that no other test uses, because all tests share the loopback interface.
    static func newDeviceID() -> String {
        (0..<6).map { _ in String(format: "%02X", UInt8.random(in: 0...255)) }.joined(separator: ":")
    }

    /// Starts a simulated lamp with a device ID and waits until it is ready.
    func startLamp(_ deviceID: String, _ more: [String] = []) async throws -> PeerProcess {
        let description = #"""
            {
              "format": 1, "name": "Lamp", "manufacturer": "Hearth", "model": "Lamp", "serialNumber": "LAMP-1",
              "category": "Lightbulb", "deviceID": "\#(deviceID)", "setupCode": "\#(Self.lampCode)",
              "services": [{ "type": "Lightbulb", "characteristics": { "On": false } }]
            }
            """#
        return try await startSimulator("lamp", describedBy: description, more)
    }

    /// Starts a simulated accessory, with its data in the folder of that name, and waits until it is ready.
    func startSimulator(
        _ name: String,
        describedBy description: String,
        _ more: [String] = []
    ) async throws -> PeerProcess {
        let file = folder.appending(path: "\(name).json")
        try Data(description.utf8).write(to: file)
        let data = folder.appending(path: name).path
        let arguments = ["--data", data, "--bind", "127.0.0.1", "--mdns-interface", "127.0.0.1", "--json"]
        let process = try PeerProcess(Programs.hearth, ["simulator", file.path] + arguments + more)
        _ = try await process.json(Line.self, "the accessory's start") { $0.event == "ready" }
        return process
    }

    /// Adds an accessory as soon as the hub has discovered it, which may be after the simulator is ready.
    ///
    /// - Parameters:
    ///   - more: Other arguments, including the setup code.
    ///   - isReset: Whether the accessory is in the home and was reset. Until the hub notices, it is `alreadyAdded`.
    func add(
        _ deviceID: String,
        _ more: String...,
        input: String? = nil,
        isReset: Bool = false
    ) async throws -> Outcome {
        let early = isReset ? ["notDiscovered", "alreadyAdded"] : ["notDiscovered"]
        return try await Wait.value { outcome in
            !early.contains { outcome.error.hasPrefix("error: \($0): ") }
        } of: {
            try await run(["accessory", "add", "--id", deviceID] + more, input: input)
        }
    }

    /// Runs a command and waits for its end, with a timeout.
    func run(_ arguments: String..., input: String? = nil) async throws -> Outcome {
        try await run(arguments, input: input)
    }

    /// Runs a command and waits for its end, with a timeout.
    ///
    /// Its streams are files rather than pipes, so that no thread blocks on them.
    func run(
        _ arguments: [String],
        of program: URL = Programs.hearth,
        input: String? = nil
    ) async throws -> Outcome {
        let files = folder.appending(path: "run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: files) }
        let (output, error) = (files.appending(path: "output"), files.appending(path: "error"))
        try Data((input.map { "\($0)\n" } ?? "").utf8).write(to: files.appending(path: "input"))
        // The shell only redirects, then executes the command.
        let script = #"cd "$1" && shift && exec "$@" <input >output 2>error"#
        let process = try PeerProcess(
            URL(filePath: "/bin/sh"),
            ["-c", script, "sh", files.path, program.path] + arguments,
            environment: ["HEARTH_SOCKET": socket]
        )
        let timeout = Task {
            try await Task.sleep(for: Wait.limit)
            process.kill(SIGKILL)
        }
        defer { timeout.cancel() }
        await process.exit()
        return Outcome(
            status: await process.terminate(),
            output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
            error: String(decoding: try Data(contentsOf: error), as: UTF8.self)
        )
    }
}
