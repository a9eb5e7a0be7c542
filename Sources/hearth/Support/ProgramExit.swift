import ArgumentParser
import DNSSD
import AccessorySimulator
import Foundation
import HomeModel
import HomeStore
import HubAPI
import HubClient

/// The program's exit codes, and the format of its errors.
enum ProgramExit {
    /// The hub, an accessory or the command rejected the request.
    static let refused: Int32 = 1
    /// The command line is invalid.
    static let usage: Int32 = 2
    /// No hub answers.
    static let noHub: Int32 = 3

    /// Prints an error and ends the process with its exit code.
    static func end(with error: any Error) -> Never {
        let code = Hearth.exitCode(for: error)
        if code == .success {
            Hearth.exit(withError: error)
        }
        if code == .validationFailure {
            let unknownCommand = UnknownCommand(in: ProgramArguments(Array(CommandLine.arguments.dropFirst())).words)
            end(
                with: CommandFailure("usage", unknownCommand?.reason ?? Hearth.message(for: error)),
                status: usage,
                help: Hearth.fullMessage(for: error)
            )
        }
        let failure = CommandFailure(describing: error)
        end(with: failure, status: noHubCodes.contains(failure.name) ? noHub : refused)
    }

    private static let noHubCodes = [HubError.Code.noHub.rawValue, HubError.Code.untrustedHub.rawValue]

    private static func end(with failure: CommandFailure, status: Int32, help: String = "") -> Never {
        if CommandLine.arguments.contains("--json") {
            var members = ["error": failure.name, "reason": failure.reason]
            members["trouble"] = failure.trouble
            ProgramOutput.note(JSONLine(members).text)
        } else {
            ProgramOutput.note("error: \(failure.name): \(failure.reason)")
            // The parser's message starts with the error, which is printed already.
            if let usage = help.firstRange(of: "Usage:") { ProgramOutput.note(String(help[usage.lowerBound...])) }
        }
        exit(status)
    }
}
