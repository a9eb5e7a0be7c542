import AccessorySimulator
import ArgumentParser
import Foundation
import HAP

/// `hearth sim characteristic`: edits the characteristics of a simulated accessory.
struct SimCharacteristicCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "characteristic",
        abstract: "Add, change and remove a service's characteristics.",
        discussion: "Example: hearth sim characteristic add \"Hall Lamp\" Lightbulb Hue --data sim",
        subcommands: [Add.self, Edit.self, Remove.self]
    )

    /// The arguments that name a characteristic.
    struct Place: ParsableArguments {
        @Argument(help: "The accessory.") var accessory: String
        @Argument(help: "The service's key or type.") var service: String
        @Argument(help: "The characteristic's HAP name without spaces, or its UUID.") var characteristic: String

        func write(to writer: inout JSONWriter) {
            writer.member("accessory", accessory)
            writer.member("service", service)
            writer.member("characteristic", characteristic)
        }
    }

    /// `hearth sim characteristic add`.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a characteristic.",
            discussion: """
                The definition is a value, or an object as in accessory files. A custom characteristic, named by UUID, \
                needs a format and permissions.

                Example: hearth sim characteristic add "Hall Lamp" Lightbulb 7E536242-341C-4862-BE90-272CE15BD633 \
                '{"format": "float", "permissions": ["pr", "pw", "ev"], "min": 0, "max": 1}' --data sim
                """
        )

        @OptionGroup var options: SimulatorOptions
        @OptionGroup var target: Place
        @Argument(help: ArgumentHelp("The value or the definition.", valueName: "json")) var definition: String?

        func run() async throws {
            try await SimCharacteristicCommand.call("characteristic.add", options, target, definition)
        }
    }

    /// `hearth sim characteristic edit`.
    struct Edit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "edit",
            abstract: "Change a characteristic's permissions, bounds or value.",
            discussion: """
                Properties that the object doesn't name stay.

                Example: hearth sim characteristic edit "Hall Lamp" Lightbulb Brightness '{"min": 10}' --data sim
                """
        )

        @OptionGroup var options: SimulatorOptions
        @OptionGroup var target: Place
        @Argument(help: ArgumentHelp("The properties to change.", valueName: "json")) var definition: String

        func run() async throws {
            try await SimCharacteristicCommand.call("characteristic.edit", options, target, definition)
        }
    }

    /// `hearth sim characteristic remove`.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove an optional characteristic.",
            discussion: "Example: hearth sim characteristic remove \"Hall Lamp\" Lightbulb Hue --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @OptionGroup var target: Place

        func run() async throws {
            try await SimCharacteristicCommand.call("characteristic.remove", options, target, nil)
        }
    }

    fileprivate static func call(
        _ method: String,
        _ options: SimulatorOptions,
        _ target: Place,
        _ definition: String?
    ) async throws {
        let definition = try definition.map { try CharacteristicArgument.json($0) }
        let detail = try await SimulatorClient(options).call(method, as: AccessoryDetail.self) { writer in
            target.write(to: &writer)
            if let definition {
                writer.key("definition")
                writer.write(definition)
            }
        }
        SimulatorChangeOutput.print(detail.summary, options)
    }
}
