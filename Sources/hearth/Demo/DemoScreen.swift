import Foundation
import HomeKit

/// Shows the home on standard output: drawn anew in place on a terminal, else once and then the lines that changed.
@MainActor
final class DemoScreen {
    // A class, because it remembers what is on the screen.

    private let socket: String?
    private let isTerminal = isatty(STDOUT_FILENO) == 1
    private var shown: [String] = []

    private static let clear = "\u{1B}[H\u{1B}[2J"

    /// - Parameter socket: The hub's socket, to be told to people; nil if the hub is gone by the time that they read it.
    init(socket: String?) {
        self.socket = socket
    }

    /// Shows the home as it is now.
    func show(_ home: HMHome) {
        let lines = HomeTree(home).lines
        defer { shown = lines }
        if isTerminal, let socket {
            let hint = """

                From another terminal:  export HEARTH_SOCKET=\(socket)
                                        hearth set "Kitchen Light" On true
                Ctrl-C ends the demo.
                """
            ProgramOutput.line(Self.clear + lines.joined(separator: "\n") + "\n" + hint)
        } else if shown.isEmpty {
            ProgramOutput.line((lines + (socket.map { ["export HEARTH_SOCKET=\($0)"] } ?? [])).joined(separator: "\n"))
        } else {
            let changed = lines.filter { !shown.contains($0) }
            if !changed.isEmpty { ProgramOutput.line(changed.joined(separator: "\n")) }
        }
    }
}
