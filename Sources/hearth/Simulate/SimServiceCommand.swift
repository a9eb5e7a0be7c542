import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HAPCatalog

/// `hearth sim service`: edits the services of a simulated accessory.
struct SimServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Add, change and remove an accessory's services.",
        discussion: "Example: hearth sim service add \"Hall Lamp\" MotionSensor --data sim",
        subcommands: [Add.self, Edit.self, Remove.self]
    )

    /// `hearth sim service add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a service with its required characteristics.",
            discussion: """
                The type is a HAP name without spaces, or a UUID. Add other characteristics with --with, as NAME=JSON \
                or NAME.

                Example: hearth sim service add "Hall Lamp" Lightbulb --key second --with Brightness=40 --data sim
                """
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: "The accessory.") var accessory: String
        @Argument(help: "The service type.") var type: String
        @Option(help: "The key, required if the type is already in use.") var key: String?
        @Option(help: "The service's name.") var name: String?
        @Option(help: ArgumentHelp("A characteristic to add.", valueName: "name=json")) var with: [String] = []
        @Flag(help: "Make it the primary service.") var primary = false

        func validate() throws {
            // The simulator reports an unknown type, because its error is more precise.
            guard let known = ServiceDefinition.named(type)?.type ?? HAPType(type), with.isEmpty, name == nil,
                ServiceDefinition.of(known)?.required.isEmpty ?? true
            else { return }
            throw ValidationError(
                "A service needs a characteristic, and this type requires none. Add one with --with NAME=JSON."
            )
        }

        func run() async throws {
            let characteristics = try with.map { try CharacteristicArgument($0) }
            let detail = try await SimulatorClient(options).call("service.add", as: AccessoryDetail.self) { writer in
                writer.member("accessory", accessory)
                writer.key("service")
                writer.object { writer in
                    writer.member("type", type)
                    if let key { writer.member("key", key) }
                    if let name { writer.member("name", name) }
                    if primary { writer.member("primary", true) }
                    writer.key("characteristics")
                    writer.object { writer in
                        for characteristic in characteristics {
                            writer.key(characteristic.name)
                            if let json = characteristic.json {
                                writer.write(json)
                            } else {
                                writer.object { _ in }
                            }
                        }
                    }
                }
            }
            SimulatorChangeOutput.print(detail.summary, options)
        }
    }

    /// `hearth sim service edit`.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Change a service's name, flags, links or delay.",
            discussion: "Example: hearth sim service edit \"Hall Lamp\" Lightbulb --name Ceiling --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: "The accessory.") var accessory: String
        @Argument(help: "The service's key or type.") var service: String
        @Option(help: "The service's name.") var name: String?
        @Option(help: ArgumentHelp("Whether it is the primary service.", valueName: "true|false"))
        var primary: Bool?
        @Option(help: ArgumentHelp("Whether it is hidden from users.", valueName: "true|false"))
        var hidden: Bool?
        @Option(help: ArgumentHelp("The time until the current state matches the target state.", valueName: "seconds"))
        var delay: Double?
        @Option(help: ArgumentHelp("A linked service's key, or '' to remove all links.", valueName: "key"))
        var linked: [String] = []

        func run() async throws {
            let detail = try await SimulatorClient(options).call("service.edit", as: AccessoryDetail.self) { writer in
                writer.member("accessory", accessory)
                writer.member("service", service)
                if let name { writer.member("name", name) }
                if let primary { writer.member("primary", primary) }
                if let hidden { writer.member("hidden", hidden) }
                if let delay {
                    writer.key("delay")
                    writer.write(delay)
                }
                guard !linked.isEmpty else { return }
                writer.key("linked")
                writer.array { writer in
                    for key in linked where !key.isEmpty { writer.write(key) }
                }
            }
            SimulatorChangeOutput.print(detail.summary, options)
        }
    }

    /// `hearth sim service remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a service.",
            discussion: """
                Its instance IDs are never reused.

                Example: hearth sim service remove "Hall Lamp" MotionSensor --data sim
                """
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: "The accessory.") var accessory: String
        @Argument(help: "The service's key or type.") var service: String

        func run() async throws {
            let detail = try await SimulatorClient(options).call("service.remove", as: AccessoryDetail.self) { writer in
                writer.member("accessory", accessory)
                writer.member("service", service)
            }
            SimulatorChangeOutput.print(detail.summary, options)
        }
    }
}

/// A characteristic on the command line: its name and its definition in JSON.
struct CharacteristicArgument {
    let name: String
    let json: JSONValue?

    /// Parses `NAME` or `NAME=JSON`. Text that isn't JSON is a string.
    init(_ word: String) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        name = parts[0]
        guard parts.count == 2 else {
            json = nil
            return
        }
        json = try Self.json(parts[1])
    }

    /// Parses JSON. Text that doesn't look like JSON is a string.
    static func json(_ text: String) throws(CommandFailure) -> JSONValue {
        if let value = try? JSONValue(parsing: Array(text.utf8)) { return value }
        guard text.first != "{", text.first != "[", text.first != "\"" else {
            throw CommandFailure("usage", "“\(text)” is not valid JSON.")
        }
        return .string(text)
    }
}
