import ArgumentParser
import Foundation
import HomeHub
import HomeStore

/// `hearth claim`: which of two hubs of one home goes on.
struct ClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Let the hub of a data folder go on, in place of any other of the same homes.",
        discussion: """
            When two hubs run the same homes, the one that was restored from a backup last goes on; the other one stops, and \
            does not start again. This command is for when that is not what you want: stop both, claim the data folder of the \
            one that is to go on, and start it. Others of the same homes stop once they hear of it.

            Example: hearth claim --data ~/.local/share/hearth
            """
    )

    /// What “done” tells.
    private struct Done: Encodable {
        var data: String
    }

    @Option(help: ArgumentHelp("The data folder.", valueName: "dir"), completion: .directory)
    var data: String

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandFailure("fileUnreadable", "There is no folder \(folder.path).")
        }
        guard HomeStore.isPresent(at: folder) else {
            throw CommandFailure("fileUnreadable", "There are no homes in \(folder.path): give a hub's data folder.")
        }
        try await HomeHub.claim(folder, now: Date())
        if json {
            JSONLine(Done(data: folder.path)).print()
        } else {
            ProgramOutput.line("The hub of \(folder.path) goes on. Start it: hearth hub --data \(data)")
        }
    }
}
