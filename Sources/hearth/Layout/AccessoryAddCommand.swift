import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth accessory add`: pairs an accessory and adds it to a home.
struct AccessoryAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Pair an accessory or a bridge and add it.",
        discussion: """
            Name the accessory by the ID that “hearth accessory browse” shows, or by host and port. Without --code, \
            prompts for the code on a terminal; otherwise the hub asks (see “hearth questions”). Other users can see \
            command lines, so prefer “--code -”, which reads the code from standard input.

            If an accessory of the home was reset, adding it by its ID pairs it again and keeps its name and room.

            Example: echo 482-11-957 | hearth accessory add --code - --id 3C:5A:B4:01:02:03 --room Kitchen
            """
    )

    /// The JSON output for an added accessory.
    private struct Row: Encodable {
        var id: UUID
        var name: String
        var room: String
    }

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The setup code, or “-” for standard input.", valueName: "code"))
    var code: String?

    @Option(help: ArgumentHelp("The device ID that the accessory advertises.", valueName: "device-id"))
    var id: String?

    @Option(help: ArgumentHelp("The accessory's host name or address.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The accessory's port, with --host.", valueName: "port"))
    var port: Int?

    @Option(help: ArgumentHelp("The room (default: the default room).", valueName: "room"))
    var room: String?

    @Option(help: ArgumentHelp("The accessory's name (default: the one it reports).", valueName: "name"))
    var name: String?

    func validate() throws {
        guard (id == nil) != (host == nil) else {
            throw ValidationError("Name the accessory by --id, or by --host and --port.")
        }
        guard (host == nil) == (port == nil) else {
            throw ValidationError("Use --host and --port together.")
        }
        if let port, !(1...65_535).contains(port) {
            throw ValidationError("--port must be 1 to 65535.")
        }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let room = try room.map { (name) throws(CommandFailure) in try home.room(name) }
        let code = try setupCode()
        let parameters = AddAccessory(
            home: home.home.id,
            deviceID: id,
            host: host,
            port: port,
            code: code,
            name: name,
            room: room
        )
        let added = try await client.call(HubMethods.addAccessory, parameters, waitingFor: "the accessory to be paired")
        guard let home = client.view.homes[home.home.id] else { return }
        let rows = added.ids.compactMap { home.accessories[id: $0] }.map { record in
            Row(id: record.id, name: record.name, room: home.roomName(record.room) ?? "")
        }
        if options.json {
            JSONLine(rows).print()
        } else {
            for row in rows { ProgramOutput.line("Added \(row.name) to \(row.room)") }
        }
    }

    private func setupCode() throws -> String? {
        switch code {
        case "-":
            guard let line = readLine() else {
                throw CommandFailure("invalidSetupCode", "Standard input contains no setup code.")
            }
            return line.trimmingCharacters(in: .whitespaces)
        case let code?:
            return code
        case nil:
            guard isatty(STDIN_FILENO) == 1 else { return nil }
            ProgramOutput.note("Setup code: ", terminator: "")
            return readLine()?.trimmingCharacters(in: .whitespaces)
        }
    }
}
