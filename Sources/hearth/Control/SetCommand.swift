import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth set`: writes a characteristic.
struct SetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write a characteristic of an accessory or a service.",
        discussion: """
            The value is a number with or without its unit, on or off, a state such as unlocked, a value's name, or text. With --by, adds a \
            number to the current value; the hub keeps the sum within the accessory's bounds.

            Example: hearth set "Kitchen Light" Brightness 70
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "An accessory or a service.") var name: String
    @Argument(help: "A characteristic's HAP name without spaces, or its UUID.") var characteristic: String
    @Argument(help: "The value.") var value: String?
    @Option(help: ArgumentHelp("Add this number to the current value; --by=-10 subtracts.", valueName: "number"))
    var by: Double?

    func validate() throws {
        if value != nil, by != nil { throw ValidationError("Give either a value or --by.") }
        guard value != nil || by != nil else {
            throw ValidationError(
                "Give the characteristic and its value, as in hearth set \"\(name)\" On true. “\(characteristic)” is taken as "
                    + "the characteristic."
            )
        }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let subject = try home.subject(name)
        let shape = try subject.characteristic(characteristic)
        let content: WriteCharacteristics.Write.Content =
            if let by {
                .difference(.double(by))
            } else {
                .value(try ValueText(shape).commandValue(of: value ?? "", named: shape.displayName))
            }
        let write = WriteCharacteristics.Write(characteristic: subject.reference(shape), content)
        let request = WriteCharacteristics(home: home.home.id, writes: [write])
        let results = try await client.call(HubMethods.write, request, waitingFor: "“\(subject.accessory.name)”")
        if let error = results.outcomes.first?.error { throw error }
        ChangeOutput.print(options)
    }
}
