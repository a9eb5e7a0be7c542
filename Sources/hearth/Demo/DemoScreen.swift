import Foundation
import HomeKit
import HubAPI

/// Shows the home on standard output. Redraws it on a terminal; otherwise prints it once and then the changed lines.
@MainActor
final class DemoScreen {
    // This is a class because it remembers the lines on the screen.

    private let socket: String?
    /// Whether the screen is redrawn.
    let isTerminal = isatty(STDOUT_FILENO) == 1
    /// A code to sign in with on the page.
    var login: LoginCode?
    /// The address of the page of the simulated accessories.
    var simulatorPage: String?
    private var displayedLogin: String?
    private var displayedLines: [String] = []

    private static let clear = "\u{1B}[H\u{1B}[2J"

    /// - Parameter socket: The hub's socket, for a hint to the user, or `nil` if the hub stops immediately.
    init(socket: String?) {
        self.socket = socket
    }

    /// Shows the home's current state.
    func show(_ home: HMHome) {
        let lines = HomeTree(home).lines
        defer { displayedLines = lines }
        if isTerminal, let socket {
            let hint = """

                From another terminal:  export HEARTH_SOCKET=\(socket)
                                        hearth set "Kitchen Light" On true
                Ctrl-C stops the demo.

                """
            let page = login?.urls.first.map { "In a browser:           \($0)" }
            let accessories = simulatorPage.map { "Its accessories:        \($0)" }
            let links = [page, accessories].compactMap(\.self).joined(separator: "\n")
            ProgramOutput.line(Self.clear + lines.joined(separator: "\n") + "\n" + hint + links)
        } else if displayedLines.isEmpty {
            ProgramOutput.line((lines + (socket.map { ["export HEARTH_SOCKET=\($0)"] } ?? [])).joined(separator: "\n"))
        } else {
            let changed = lines.filter { !displayedLines.contains($0) }
            if !changed.isEmpty { ProgramOutput.line(changed.joined(separator: "\n")) }
        }
        if !isTerminal, let link = login?.urls.first, link != displayedLogin {
            if displayedLogin == nil, let simulatorPage { ProgramOutput.line("Its accessories: \(simulatorPage)") }
            displayedLogin = link
            ProgramOutput.line("In a browser: \(link)")
        }
    }
}
