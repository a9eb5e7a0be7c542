import ArgumentParser
import Foundation
import HomeHub
import HomeStore

/// `hearth sync discard`: lets a hub that was set back go on with its data.
struct SyncDiscardCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "discard",
        abstract: "Go on with old data, and discard later changes.",
        discussion: """
            A hub stops with the error storeRolledBack if its relay has changes that the hub has signed and doesn't know, \
            because its data was set back to an old copy. This command lets it go on with the data that it has; devices \
            replace what they know. Users other than the owner, and all devices, are suspended until the owner confirms them \
            (“hearth user confirm”, “hearth device confirm”), because they may have been removed since. The hub must not be \
            running.

            Example: hearth sync discard
            """
    )

    /// The JSON output.
    private struct Done: Encodable {
        var data: String
    }

    @Option(
        help: ArgumentHelp("The data folder (default: that of “hearth hub”).", valueName: "dir"),
        completion: .directory
    )
    var data: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let folder = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.data()
        guard HomeStore.isPresent(at: folder) else {
            throw CommandFailure("fileUnreadable", "\(folder.path) doesn't contain homes. Use a hub's data folder.")
        }
        try await HomeHub.discardLaterChanges(folder, now: Date())
        if json {
            JSONLine(Done(data: folder.path)).print()
        } else {
            ProgramOutput.line("The hub goes on with its data. Start it with: hearth hub --data \(folder.path)")
        }
    }
}
