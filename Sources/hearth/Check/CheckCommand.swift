import ArgumentParser

/// `hearth check`: tests software that speaks HAP.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Test an accessory or a controller against HAP's requirements.",
        subcommands: [CheckAccessoryCommand.self, CheckControllerCommand.self]
    )
}
