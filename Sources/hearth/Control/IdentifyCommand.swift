import ArgumentParser
import HomeModel
import HubAPI

/// `hearth identify`: makes an accessory identify itself.
struct IdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Make an accessory blink or sound to identify itself.",
        discussion: "Example: hearth identify \"Kitchen Light\""
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "The accessory.") var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let target = ItemTarget(home: home.home.id, id: try home.accessory(name).id)
        _ = try await client.call(HubMethods.identifyAccessory, target, waitingFor: "“\(name)”")
        ChangeOutput.print(options)
    }
}
