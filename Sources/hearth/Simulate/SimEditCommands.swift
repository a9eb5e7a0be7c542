import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HubAPI

/// `hearth sim add`: adds accessories.
struct SimAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add accessories and bridges from files.",
        discussion: """
            Takes the same files as “hearth simulator”: accessory files, and files of Apple's simulator.

            Example: hearth sim add lamp.json --bridge "Light Bridge 1" --data sim
            """,
        aliases: ["import"]
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: ArgumentHelp("Accessory files.", valueName: "file")) var files: [String]
    @Option(help: ArgumentHelp("The bridge to add the accessories to.", valueName: "name")) var bridge: String?

    func run() async throws {
        // Parse all files first, so that an error names its line and nothing is added.
        let descriptions = try files.map { try AccessoryDescription(file: $0) }
        for (file, description) in zip(files, descriptions) { try Self.check(description, file) }
        for location in descriptions.flatMap(\.omitted) { ProgramOutput.note(location) }
        let client = try SimulatorClient(options)
        for description in descriptions {
            let detail = try await client.call("accessory.add", as: AccessoryDetail.self) { writer in
                writer.key("accessory")
                let parts = bridge == nil ? description.json : description.bridgedJSON
                if let parts { writer.write(parts) } else { writer.writeNull() }
                if let bridge { writer.member("bridge", bridge) }
            }
            SimulatorChangeOutput.print(detail.summary, options)
        }
    }

    /// The maximum length of a request without the accessory: the method, the ID and the bridge's name.
    private static let envelope = 4_096
    /// The maximum length of an accessory that a running simulator accepts, in bytes of JSON.
    static let maximumAccessoryLength = HubProtocol.requestLimit - envelope

    /// Throws if a file is too long to be sent. Checked for all files before any is added.
    private static func check(_ description: AccessoryDescription, _ file: String) throws(CommandFailure) {
        var writer = JSONWriter()
        if let json = description.json { writer.write(json) }
        guard writer.bytes.count <= maximumAccessoryLength else {
            throw CommandFailure(
                "invalidFile",
                "\(file) has \(writer.bytes.count) bytes; a running simulator accepts \(maximumAccessoryLength). "
                    + "Pass the file to “hearth simulator” instead."
            )
        }
    }
}

/// `hearth sim edit`: changes an accessory's information.
struct SimEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change an accessory's information or setup code.",
        discussion: """
            The serial number identifies the accessory and can't change. Changing the category, setup code or setup ID \
            restarts the accessory. Pairings stay.

            Example: hearth sim edit "Hall Lamp" --name "Floor Lamp" --firmware 2.0.1 --data sim
            """
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String
    @Option(help: "The name.") var name: String?
    @Option(help: "The manufacturer.") var manufacturer: String?
    @Option(help: "The model.") var model: String?
    @Option(help: ArgumentHelp("The firmware version.", valueName: "x.y.z")) var firmware: String?
    @Option(help: ArgumentHelp("The hardware version.", valueName: "x.y.z")) var hardware: String?
    @Option(help: "The category, such as Lightbulb.") var category: String?
    @Option(help: ArgumentHelp("The setup code.", valueName: "ddd-dd-ddd")) var setupCode: String?
    @Option(help: ArgumentHelp("The setup ID.", valueName: "XXXX")) var setupID: String?

    private var information: [(String, String?)] {
        [
            ("name", name), ("manufacturer", manufacturer), ("model", model), ("firmwareRevision", firmware),
            ("hardwareRevision", hardware),
        ]
    }
    private var identity: [(String, String?)] {
        [("category", category), ("setupCode", setupCode), ("setupID", setupID)]
    }

    func validate() throws {
        guard (information + identity).contains(where: { $0.1 != nil }) else {
            throw ValidationError("Name at least one change, such as --name.")
        }
    }

    func run() async throws {
        let client = try SimulatorClient(options)
        var serialNumber = accessory
        var last: AccessoryDetail?
        for changes in [identity, information] where changes.contains(where: { $0.1 != nil }) {
            let detail = try await client.call("accessory.edit", as: AccessoryDetail.self) { writer in
                writer.member("accessory", serialNumber)
                for (name, value) in changes {
                    if let value { writer.member(name, value) }
                }
            }
            serialNumber = detail.summary.serialNumber
            last = detail
        }
        if let last { SimulatorChangeOutput.print(last.summary, options) }
    }
}

/// `hearth sim remove`: removes an accessory.
struct SimRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an accessory or a bridge, and its pairings.",
        discussion: "Example: hearth sim remove \"Hall Lamp\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.remove") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim reset`: resets an accessory to factory settings.
struct SimResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Reset an accessory to factory settings.",
        discussion: """
            Removes all pairings, and creates new keys and IDs.

            Example: hearth sim reset "Hall Lamp" --data sim
            """
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.reset") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim unpair`: removes an accessory's pairings.
struct SimUnpairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Remove an accessory's pairings, keeping its IDs and keys.",
        discussion: "Example: hearth sim unpair \"Hall Lamp\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.unpair") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim export`: prints an accessory file.
struct SimExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print an accessory or a bridge as an accessory file.",
        discussion: "Example: hearth sim export \"Hall Lamp\" --data sim > lamp.json"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String
    @Flag(help: "Export current values instead of initial values.") var presentValues = false
    @Flag(help: "Include the setup code, setup ID, device ID and instance IDs.") var identity = false
    @Option(help: ArgumentHelp("Write a file for Apple's simulator instead, including those.", valueName: "file"))
    var apple: String?

    func run() async throws {
        let file = try await SimulatorClient(options).call("accessory.export", as: ControlFile.self) { writer in
            writer.member("accessory", accessory)
            writer.member("presentValues", presentValues)
            writer.member("identity", identity || apple != nil)
        }
        if let apple {
            let description = try AccessoryDescription(parsing: Array(file.file.utf8), source: accessory)
            try Data(try description.archive()).write(to: URL(filePath: apple), options: .atomic)
            return
        }
        ProgramOutput.line(file.file.trimmingCharacters(in: .newlines))
    }
}

/// The output of a command that changes a simulated accessory.
enum SimulatorChangeOutput {
    static func print(_ summary: AccessorySummary, _ options: SimulatorOptions) {
        if options.json {
            JSONLine(summary).print()
        } else if let code = summary.setupCode, summary.isPaired == false {
            ProgramOutput.line("\(summary.name)  code \(code)  \(summary.setupPayload ?? "")")
        } else {
            ProgramOutput.line(summary.name)
        }
    }
}
