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
            On a terminal, “hearth accessory add” leads through all steps: it shows the accessories found, and asks for \
            the setup code, the names and the rooms. If no home exists, it adds one. Press Return to accept a \
            suggestion, and Ctrl-D to cancel.

            In a script, name the accessory by the ID that “hearth accessory browse” shows, or by host and port. \
            Without --code, the hub asks for the code (see “hearth questions”). Other users can see command lines, so \
            prefer “--code -”, which reads the code from standard input.

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
        guard id == nil || host == nil else { throw ValidationError("Use either --id, or --host and --port.") }
        guard id != nil || host != nil || port != nil || isGuided else {
            throw ValidationError(
                "Name the accessory by --id, or by --host and --port. On a terminal, the command asks for it."
            )
        }
        guard (host == nil) == (port == nil) else {
            throw ValidationError("Use --host and --port together.")
        }
        if let port, !(1...65_535).contains(port) {
            throw ValidationError("--port must be 1 to 65535.")
        }
    }

    /// Whether the hub's guided setup asks for what the options leave out.
    private var isGuided: Bool {
        host == nil && port == nil && code != "-" && (id == nil || code == nil) && isatty(STDIN_FILENO) == 1
    }

    func run() async throws {
        let client = try await HomeClient(options)
        if isGuided {
            let guide = AccessorySetupGuide(client: client, options: options)
            let result = try await guide.run(deviceID: id, code: code, name: name, room: room)
            return print(result.ids, in: result.home, client)
        }
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
        print(added.ids, in: home.home.id, client)
    }

    /// Prints the added accessories.
    private func print(_ ids: [UUID], in home: UUID, _ client: HomeClient) {
        guard let home = client.view.homes[home] else { return }
        let rows = ids.compactMap { home.accessories[id: $0] }.map { record in
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
            ProgramOutput.note("Setup code (eight digits, as on the label): ", terminator: "")
            return readLine()?.trimmingCharacters(in: .whitespaces)
        }
    }
}
