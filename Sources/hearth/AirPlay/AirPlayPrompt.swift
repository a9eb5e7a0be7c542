import AirPlay
package import ArgumentParser
import Foundation
package import MediaRouting

extension StreamSelection.Version: EnumerableFlag {
    package static func help(for value: Self) -> ArgumentHelp? {
        switch value {
        case .airplay2: "Use AirPlay 2: pairing and encryption (default: if the receiver advertises it)."
        case .classic: "Use the classic protocol without encryption (default with --host)."
        }
    }
}

/// Asks for what a receiver needs.
enum AirPlayPrompt {
    /// Returns the pairings of a file, which ask for PINs that the user hasn't given.
    static func pairings(_ file: AirPlayPairingFile, pin: PairingPIN?) -> SenderPairings {
        SenderPairings(file, pin: self.pin(pin), problem: report)
    }

    /// Returns a closure that returns the PIN that the user has given, or asks for the one that a receiver shows.
    static func pin(_ pin: PairingPIN?) -> SenderPairings.PIN {
        { receiver in
            if let pin { return pin }
            ProgramOutput.note("PIN that \(receiver) shows: ", terminator: "")
            return await line().flatMap { PairingPIN($0) }
        }
    }

    /// Tells the user that a pairing can't be kept.
    @Sendable static func report(_ failure: AirPlayPairingFile.Failure) {
        ProgramOutput.note("The pairing can't be kept: \(failure.commandFailure.reason)")
    }

    /// Whether there is a person to ask.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Returns a receiver's password: without echo from the terminal, if there is one, otherwise a line of standard input.
    static func password(_ receiver: String) async throws(CommandFailure) -> String? {
        // A program that writes the password needs no prompt.
        guard hasTerminal else { return await line() }
        return try Passphrase.ask("Password of \(receiver)")
    }

    /// Reads a line of standard input, without blocking a task.
    private static func line() async -> String? {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: readLine()?.trimmingCharacters(in: .whitespaces))
            }
        }
    }
}

extension AirPlayPairingFile.Failure {
    /// The error for the user.
    var commandFailure: CommandFailure {
        switch self {
        case .unreadable(let path): CommandFailure("fileUnreadable", "\(path) can't be read.")
        case .unwritable(let path): CommandFailure("fileUnwritable", "\(path) can't be written.")
        case .invalid(let path):
            CommandFailure(
                "invalidPairings",
                "\(path) isn't a file of AirPlay pairings. Choose another name, or remove it and pair again."
            )
        }
    }
}
