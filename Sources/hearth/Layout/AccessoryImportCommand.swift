import ArgumentParser
import ControllerFiles
import Foundation
import HAP
import HomeModel
import HubAPI

/// `hearth accessory import`: imports another controller's accessories by the pairings in its file.
struct AccessoryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import accessories that Home Assistant or aiohomekit has paired.",
        discussion: """
            FILE is aiohomekit's pairing file, or Home Assistant's .storage folder or the core.config_entries file in \
            it; “-” reads standard input. The file contains keys that control the accessories. With each key, the hub \
            adds a pairing of its own, so nothing has to be reset. The other controller stays paired unless \
            --take-over removes it.

            Prints a line for each accessory as it is done. If an import fails, the line names the reason and the \
            others continue; run the command again to retry only those that failed.

            With the .storage folder, --areas moves the accessories to rooms named like Home Assistant's areas, adding \
            rooms as needed.

            Example: hearth accessory import ~/homeassistant/.storage --dry-run
            """
    )

    /// The maximum number of accessories imported at the same time.
    private static let concurrency = 8

    @Argument(help: "The other controller's file or folder, or “-” for standard input.", completion: .file())
    var file: String

    @Flag(name: .customLong("dry-run"), help: "Check each accessory without changing anything.")
    var isDryRun = false

    @Option(help: ArgumentHelp("The room (default: the default room).", valueName: "room"))
    var room: String?

    @Flag(name: .customLong("take-over"), help: "Remove the other controller from each imported accessory.")
    var removesOtherController = false

    @Flag(help: "Use Home Assistant's areas as rooms, and its names.")
    var areas = false

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let home = try client.home()
        let room = try room.map { (name) throws(CommandFailure) in try home.room(name) }
        let entries = try PairingSource.read(file).entries
        let registry = areas ? try PairingSource.registry(file) : nil
        let work = AccessoryImport(
            client: client,
            home: home.home.id,
            room: room,
            placement: registry.map { HomeAssistantPlacement(client: client, home: home.home.id, registry: $0) },
            isDryRun: isDryRun,
            removesOtherController: removesOtherController
        )
        var summary = ImportSummary()
        await withTaskGroup(of: [PairingImportReport].self) { group in
            var waiting = Self.byAccessory(entries)[...]
            for _ in 0..<Self.concurrency {
                if let entries = waiting.popFirst() { group.addTask { await work.run(entries) } }
            }
            while let reports = await group.next() {
                if let entries = waiting.popFirst() { group.addTask { await work.run(entries) } }
                for report in reports {
                    summary.count(report)
                    if options.json { JSONLine(report).print() } else { ProgramOutput.line(report.line) }
                }
            }
        }
        if !options.json { ProgramOutput.note(summary.text) }
        if let failure = summary.failure { throw failure }
    }

    /// Groups the entries by accessory, in the file's order. An accessory can have an old pairing next to the valid
    /// one; its entries are tried in turn.
    private static func byAccessory(_ entries: [ControllerFile.Entry]) -> [[ControllerFile.Entry]] {
        var groups: [[ControllerFile.Entry]] = []
        var positions: [DeviceID: Int] = [:]
        for entry in entries {
            if let id = entry.deviceID, let position = positions[id] {
                groups[position].append(entry)
            } else {
                if let id = entry.deviceID { positions[id] = groups.count }
                groups.append([entry])
            }
        }
        return groups
    }
}
