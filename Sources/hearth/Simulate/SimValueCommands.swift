import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HAPCatalog
import HomeText

/// The arguments that name a characteristic of a simulated accessory.
struct SimulatedCharacteristic: ParsableArguments {
    @Argument(help: "The accessory.") var accessory: String
    @Argument(help: "The characteristic's HAP name without spaces, or its UUID.") var characteristic: String
    @Option(help: ArgumentHelp("The service, if several have it.", valueName: "key")) var service: String?

    func write(to writer: inout JSONWriter) {
        writer.member("accessory", accessory)
        writer.member("characteristic", characteristic)
        if let service { writer.member("service", service) }
    }
}

/// `hearth sim get`: reads a value.
struct SimGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Read a characteristic's value.",
        discussion: "Example: hearth sim get \"Garage Door Opener\" CurrentDoorState --data sim"
    )

    @OptionGroup var options: SimulatorOptions
    @OptionGroup var target: SimulatedCharacteristic

    func run() async throws {
        let detail = try await SimulatorClient(options).call("value.get", as: CharacteristicDetail.self) { writer in
            target.write(to: &writer)
        }
        if options.json {
            JSONLine(detail).print()
        } else {
            ProgramOutput.line(detail.values.text(of: detail.value))
        }
    }
}

/// `hearth sim set`: sets a value manually.
struct SimSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a value, as a person at the accessory would.",
        discussion: """
            The value is a number with or without its unit, on or off, a value's name, or text.

            Example: hearth sim set "Garage Door Opener" ObstructionDetected on --data sim
            """
    )

    @OptionGroup var options: SimulatorOptions
    @OptionGroup var target: SimulatedCharacteristic
    @Argument(help: "The value.") var value: String

    func run() async throws {
        let client = try SimulatorClient(options)
        let current = try await current(client)
        let value = try current.values.commandValue(of: value, named: current.name)
        let detail = try await client.call("value.set", as: CharacteristicDetail.self) { writer in
            target.write(to: &writer)
            writer.key("value")
            switch value {
            case .bool(let value): writer.write(value)
            case .integer(let value): writer.write(value)
            case .unsigned(let value): writer.write(value)
            case .double(let value): writer.write(value)
            case .string(let value): writer.write(value)
            case .data(let bytes): writer.write(Data(bytes).base64EncodedString())
            }
        }
        if options.json { JSONLine(detail).print() }
    }

    /// The options of `hearth sim edit` that change an accessory's information, by characteristic.
    private static let edits: [HAPType: String] = [
        HAPType.Characteristic.name: "--name", HAPType.Characteristic.manufacturer: "--manufacturer",
        HAPType.Characteristic.model: "--model", HAPType.Characteristic.firmwareRevision: "--firmware",
        HAPType.Characteristic.hardwareRevision: "--hardware",
    ]

    private func current(_ client: SimulatorClient) async throws -> CharacteristicDetail {
        do {
            return try await client.call("value.get", as: CharacteristicDetail.self) { target.write(to: &$0) }
        } catch let failure as CommandFailure where failure.name == SimulatorError.Code.notAllowed.rawValue {
            guard let type = CharacteristicDefinition.named(target.characteristic)?.type, let option = Self.edits[type]
            else { throw failure }
            throw CommandFailure(
                failure.name,
                "\(failure.reason): hearth sim edit \"\(target.accessory)\" \(option) \"\(value)\""
            )
        }
    }
}

/// `hearth sim press`: presses a button.
struct SimPressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "press",
        abstract: "Press a button.",
        discussion: "Example: hearth sim press \"Bedside Button\" double --data sim"
    )

    /// The kind of press.
    enum Press: String, ExpressibleByArgument, CaseIterable {
        case single, double, long
    }

    @OptionGroup var options: SimulatorOptions
    @Argument(help: "The accessory.") var accessory: String
    @Argument(help: "The kind of press: single, double or long.") var press: Press = .single
    @Option(help: ArgumentHelp("The button's service, if there are several.", valueName: "key")) var service: String?

    func run() async throws {
        try await SimulatorClient(options).call("button.press") { writer in
            writer.member("accessory", accessory)
            writer.member("press", press.rawValue)
            if let service { writer.member("service", service) }
        }
    }
}
