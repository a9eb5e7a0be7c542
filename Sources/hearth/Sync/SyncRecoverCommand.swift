import ArgumentParser
import Foundation
import HomeHub
import HomeStore
import HubServer

/// `hearth sync recover`: lets a hub that was set back take over what the relay has.
struct SyncRecoverCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: "Take over later changes from the relay.",
        discussion: """
            A hub stops with the error storeRolledBack if its relay has changes that the hub has signed and doesn't know, \
            because its data was set back to an old copy. This command takes over the homes as their owner's feed has them. \
            Pairings and the devices of other users stay as they are in the old copy; accessories that were added since must be \
            paired again. The hub must not be running.

            Example: hearth sync recover
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
        try await HomeHub.recoverLaterChanges(folder, over: RelayedHouse.connector(), now: Date())
        if json {
            JSONLine(Done(data: folder.path)).print()
        } else {
            ProgramOutput.line("The hub has what its owner's feed has. Start it with: hearth hub --data \(folder.path)")
        }
    }
}
