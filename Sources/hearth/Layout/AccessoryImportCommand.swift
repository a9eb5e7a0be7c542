import ArgumentParser
import ControllerFiles
import Foundation
import HAP
import HomeModel
import HubAPI

/// `hearth accessory import`: takes accessories over from another controller, by the pairings in its file.
struct AccessoryImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Take over accessories that Home Assistant or aiohomekit has paired, without a reset.",
        discussion: """
            FILE is aiohomekit's pairing file, Home Assistant's .storage/core.config_entries, or its folder .storage; with “-” it is \
            read from standard input. It has keys in it: whoever has it has the accessories. By each pairing the accessory is told \
            to know this home too. The other controller stays paired and goes on, unless --take-over removes it.

            Each accessory gets a line as soon as it is done. What could not be imported is named with the reason, and the others \
            go on; run it again, and only what is missing is done.

            With the folder .storage, --areas puts the accessories where Home Assistant has them; rooms that are not there yet \
            are added.

            Example: hearth accessory import ~/homeassistant/.storage --dry-run
            """
    )

    /// How many accessories are talked to at a time.
    private static let concurrency = 8

    @Argument(help: "The other controller's file or folder, or - for standard input.", completion: .file())
    var file: String

    @Flag(name: .customLong("dry-run"), help: "Ask each accessory whether it could be imported, and change nothing.")
    var isRehearsal = false

    @Option(help: ArgumentHelp("The room; otherwise the default room.", valueName: "room"))
    var room: String?

    @Flag(name: .customLong("take-over"), help: "Remove the other controller from each accessory afterwards.")
    var takesOver = false

    @Flag(help: "Put the accessories into rooms called like Home Assistant's areas, and name them as there.")
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
            layout: registry.map { HomeAssistantPlacement(client: client, home: home.home.id, registry: $0) },
            isRehearsal: isRehearsal,
            takesOver: takesOver
        )
        var tally = ImportSummary()
        await withTaskGroup(of: [PairingImportReport].self) { group in
            var waiting = Self.byAccessory(entries)[...]
            for _ in 0..<Self.concurrency {
                if let entries = waiting.popFirst() { group.addTask { await work.run(entries) } }
            }
            while let reports = await group.next() {
                if let entries = waiting.popFirst() { group.addTask { await work.run(entries) } }
                for report in reports {
                    tally.count(report)
                    if options.json { JSONLine(report).print() } else { ProgramOutput.line(report.line) }
                }
            }
        }
        if !options.json { ProgramOutput.note(tally.summary) }
        if let failure = tally.failure { throw failure }
    }

    /// The entries of each accessory together, in the file's order: there may be an old pairing beside the valid one, and
    /// they are tried one after the other.
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
