import AccessoryCheck
import Foundation

/// The shell command that restarts the accessory under test.
struct RestartCommand: Sendable {
    private static let reachTime = Duration.seconds(60)
    private static let pause = Duration.milliseconds(200)

    let command: String

    /// Runs the command, and waits until the accessory accepts connections. Returns where it is then.
    func run(_ target: CheckTarget, _ listener: AccessoryListener?) async throws -> CheckTarget {
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
            throw CommandFailure("restartFailed", "The command to restart the accessory ended with the code \(status).")
        }
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
        throw CommandFailure("restartFailed", "The accessory didn't come back within \(Self.reachTime).")
    }
}
