import ArgumentParser
import DNSSD
import AccessorySimulator
import Foundation
import HomeModel
import HomeStore
import HubAPI
import HubClient

/// How the command ends: its exit codes and the form of its errors.
enum ProgramExit {
    /// The hub, an accessory or the command refused.
    static let refused: Int32 = 1
    /// The command was called wrongly.
    static let usage: Int32 = 2
    /// There is no hub to talk to.
    static let noHub: Int32 = 3

    /// Reports an error and ends the process with the exit code that fits.
    static func end(with error: any Error) -> Never {
        let code = Hearth.exitCode(for: error)
        if code == .success {
            Hearth.exit(withError: error)
        }
        if code == .validationFailure {
            let mistyped = UnknownCommand(in: ProgramArguments(Array(CommandLine.arguments.dropFirst())).words)
            end(
                with: CommandFailure("usage", mistyped?.reason ?? Hearth.message(for: error)),
                status: usage,
                help: Hearth.fullMessage(for: error)
            )
        }
        let failure = CommandFailure(describing: error)
        end(with: failure, status: hasNoHub.contains(failure.name) ? noHub : refused)
    }

    private static let hasNoHub = [HubError.Code.noHub.rawValue, HubError.Code.untrustedHub.rawValue]

    private static func end(with failure: CommandFailure, status: Int32, help: String = "") -> Never {
        if CommandLine.arguments.contains("--json") {
            var members = ["error": failure.name, "reason": failure.reason]
            members["trouble"] = failure.trouble
            ProgramOutput.note(JSONLine(members).text)
        } else {
            ProgramOutput.note("error: \(failure.name): \(failure.reason)")
            // The parser's message repeats the error in its first line.
            if let usage = help.firstRange(of: "Usage:") { ProgramOutput.note(String(help[usage.lowerBound...])) }
        }
        exit(status)
    }
}
