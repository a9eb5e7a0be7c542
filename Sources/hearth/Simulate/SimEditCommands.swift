import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HubAPI

/// `hearth sim add`: hosts an accessory more.
struct SimAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add an accessory, a bridge, or an accessory behind a bridge, from files.",
        discussion: """
            Each file is an accessory file, or one of Apple's simulator, as “hearth simulator” takes it.

            Example: hearth sim add lamp.json --bridge "Light Bridge 1" --data sim
            """,
        aliases: ["import"]
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: ArgumentHelp("Accessory files.", valueName: "file")) var files: [String]
    @Option(help: ArgumentHelp("The bridge behind which they are to be.", valueName: "name")) var bridge: String?

    func run() async throws {
        // Checked here first: what is wrong is named by its line.
        let descriptions = try files.map { try AccessoryDescription(file: $0) }
        for (file, description) in zip(files, descriptions) { try Self.check(description, file) }
        for place in descriptions.flatMap(\.omitted) { ProgramOutput.note(place) }
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

    /// What a request may have beside the accessory: method, id and the bridge's name.
    private static let envelope = 4_096
    /// The longest accessory that a running simulator takes, in bytes of JSON.
    static let longestAccessory = HubProtocol.requestLimit - envelope

    /// Nothing is added if one of several files is too long to be sent.
    private static func check(_ description: AccessoryDescription, _ file: String) throws(CommandFailure) {
        var writer = JSONWriter()
        if let json = description.json { writer.write(json) }
        guard writer.bytes.count <= longestAccessory else {
            throw CommandFailure(
                "invalidFile",
                "\(file) takes \(writer.bytes.count) bytes; a running simulator takes \(longestAccessory). "
                    + "Name the file when the simulator is started."
            )
        }
    }
}

/// `hearth sim edit`: changes what an accessory says of itself.
struct SimEditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change an accessory's name, maker, versions, category or set-up code.",
        discussion: """
            The serial number is the accessory's identity and stays. Another category, set-up code or set-up id restarts the \
            accessory; its pairings stay.

            Example: hearth sim edit "Hall Lamp" --name "Floor Lamp" --firmware 2.0.1 --data sim
            """
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String
    @Option(help: "The name.") var name: String?
    @Option(help: "The maker.") var manufacturer: String?
    @Option(help: "The model.") var model: String?
    @Option(help: ArgumentHelp("The version of the firmware.", valueName: "x.y.z")) var firmware: String?
    @Option(help: ArgumentHelp("The version of the hardware.", valueName: "x.y.z")) var hardware: String?
    @Option(help: "The category, such as Lightbulb.") var category: String?
    @Option(help: ArgumentHelp("The set-up code.", valueName: "ddd-dd-ddd")) var setupCode: String?
    @Option(help: ArgumentHelp("The set-up id.", valueName: "XXXX")) var setupID: String?

    private var information: [(String, String?)] {
        [
            ("name", name), ("manufacturer", manufacturer), ("model", model), ("firmwareRevision", firmware),
            ("hardwareRevision", hardware),
        ]
    }
    private var outside: [(String, String?)] {
        [("category", category), ("setupCode", setupCode), ("setupID", setupID)]
    }

    func validate() throws {
        guard (information + outside).contains(where: { $0.1 != nil }) else {
            throw ValidationError("Say what is to be different, for example --name.")
        }
    }

    func run() async throws {
        let client = try SimulatorClient(options)
        var serialNumber = accessory
        var last: AccessoryDetail?
        for changes in [outside, information] where changes.contains(where: { $0.1 != nil }) {
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

/// `hearth sim remove`: an accessory less.
struct SimRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an accessory, with its identity and pairings; a bridge with all that is behind it.",
        discussion: "Example: hearth sim remove \"Hall Lamp\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.remove") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim reset`: as from the factory.
struct SimResetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset",
        abstract: "Make an accessory as from the factory: nobody is paired, keys and ids are new.",
        discussion: "Example: hearth sim reset \"Hall Lamp\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.reset") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim unpair`: without pairings, and otherwise as it is.
struct SimUnpairCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpair",
        abstract: "Let an accessory forget its controllers; ids and keys stay.",
        discussion: "Example: hearth sim unpair \"Hall Lamp\" --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String

    func run() async throws {
        try await SimulatorClient(options).call("accessory.unpair") { $0.member("accessory", accessory) }
    }
}

/// `hearth sim export`: an accessory as a file.
struct SimExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write an accessory, or a bridge with all behind it, as an accessory file.",
        discussion: "Example: hearth sim export \"Hall Lamp\" --data sim > lamp.json"
    )

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory or bridge.") var accessory: String
    @Flag(help: "With the present values instead of those that it starts with.") var presentValues = false
    @Flag(help: "With set-up code, set-up id, device id and all instance ids.") var identity = false
    @Option(help: ArgumentHelp("Write a file of Apple's simulator instead, with all of these.", valueName: "file"))
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

/// What a change of a simulated accessory prints.
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
