import ArgumentParser
import Foundation
import HomeHub
import HomeStore

/// `hearth claim`: makes one of two duplicate hubs the active one.
struct ClaimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "claim",
        abstract: "Make a data folder's hub the active one.",
        discussion: """
            When two hubs run the same homes, the hub that was restored from a backup last keeps running. The other \
            hub stops and doesn't start again. To choose the other hub instead, stop both hubs, claim the data folder \
            of the hub to keep, and start it. Other hubs of the same homes stop when they detect it.

            Example: hearth claim
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
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw CommandFailure("fileUnreadable", "The folder \(folder.path) doesn't exist.")
        }
        guard HomeStore.isPresent(at: folder) else {
            throw CommandFailure("fileUnreadable", "\(folder.path) doesn't contain homes. Use a hub's data folder.")
        }
        try await HomeHub.claim(folder, now: Date())
        if json {
            JSONLine(Done(data: folder.path)).print()
        } else {
            ProgramOutput.line("Claimed \(folder.path). Start its hub with: hearth hub --data \(folder.path)")
        }
    }
}
