import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth set`: writes a characteristic.
struct SetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Write a characteristic of an accessory or a service.",
        discussion: """
            The value is a number with or without its unit, on or off, a value's name, or text.

            Example: hearth set "Kitchen Light" Brightness 70
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "An accessory or a service.") var name: String
    @Argument(help: "A characteristic: HAP's name without spaces, or a UUID.") var characteristic: String
    @Argument(help: "The value.") var value: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let subject = try home.subject(name)
        let shape = try subject.characteristic(characteristic)
        let shown = ShownValue(characteristic: shape)
        let write = WriteCharacteristics.Write(
            characteristic: subject.reference(shape),
            value: try shown.value(of: value)
        )
        let request = WriteCharacteristics(home: home.home.id, writes: [write])
        let results = try await client.call(HubMethods.write, request, waitingFor: "“\(subject.accessory.name)”")
        if let error = results.outcomes.first?.error { throw error }
        Receipt.print(options)
    }
}
