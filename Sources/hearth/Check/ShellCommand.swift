import AccessoryCheck
import Foundation

/// A shell command that restarts or stops the accessory under test.
struct ShellCommand: Sendable {
    /// Why a command didn't do what it is for.
    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private static let reachTime = Duration.seconds(60)
    private static let pause = Duration.milliseconds(200)

    private let command: String

    init(_ command: String) {
        self.command = command
    }

    /// Runs the command. Throws if it fails.
    func run() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let status = try await withCheckedThrowingContinuation {
            (continuation: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        guard status == 0 else {
            throw Failure(description: "The command “\(command)” ended with the code \(status).")
        }
    }

    /// Runs the command, and waits until the accessory accepts connections. Returns where it is then.
    func restart(_ target: CheckTarget, _ listener: AccessoryListener?) async throws -> CheckTarget {
        try await run()
        let end = ContinuousClock.now + Self.reachTime
        while ContinuousClock.now < end {
            for place in [await listener?.target(within: .zero), target].compactMap(\.self) {
                let connection = try? await ControllerConnection.open(
                    host: place.host,
                    port: place.port,
                    timeout: .seconds(2)
                )
                if (try? await connection?.get("/accessories")) != nil { return place }
            }
            try await Task.sleep(for: Self.pause)
        }
        throw Failure(description: "The accessory didn't come back within \(Self.reachTime).")
    }
}
