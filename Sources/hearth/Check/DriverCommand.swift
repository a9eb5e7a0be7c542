import ControllerCheck
import Foundation
import HAP

/// The shell command that makes the controller under test do its part in a scenario.
struct DriverCommand: Sendable {
    private static let graceTime = Duration.seconds(2)
    /// The signals that end a program that crashes. A shell reports them as 128 and their number.
    private static let crashes = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]
    private static let shellOffset: Int32 = 128

    let command: String

    /// Runs the command, and returns how it ended. If the task is canceled, the command and what it started are ended.
    func run(_ place: ScenarioPlace) async throws -> DriveOutcome {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", command]
        process.environment = ProcessInfo.processInfo.environment.merging(environment(place)) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        // Standard output is for results.
        process.standardOutput = FileHandle.standardError
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in end.finish() }
        try process.run()
        let id = process.processIdentifier
        let ending = Task {
            for await _ in ends {}
            return process.terminationReason == .uncaughtSignal
                ? DriveOutcome.signaled(process.terminationStatus)
                : Self.outcome(code: process.terminationStatus)
        }
        return await withTaskCancellationHandler {
            await ending.value
        } onCancel: {
            // The command leads a process group.
            kill(-id, SIGTERM)
            Task {
                try? await Task.sleep(for: Self.graceTime)
                if process.isRunning { kill(-id, SIGKILL) }
            }
        }
    }

    private static func outcome(code: Int32) -> DriveOutcome {
        crashes.contains(code - shellOffset) ? .signaled(code - shellOffset) : .exited(code)
    }

    private func environment(_ place: ScenarioPlace) -> [String: String] {
        [
            "HEARTH_CHECK_SCENARIO": place.scenario.name,
            "HEARTH_CHECK_KIND": place.scenario.kind.rawValue,
            "HEARTH_CHECK_HOST": place.host,
            "HEARTH_CHECK_PORT": String(place.port),
            "HEARTH_CHECK_NAME": place.name,
            "HEARTH_CHECK_DEVICE_ID": place.deviceID.description,
            "HEARTH_CHECK_CODE": place.code.dashed,
            "HEARTH_CHECK_PAYLOAD": place.payload.uri,
        ]
    }
}
