import ArgumentParser

/// The `hearth` command: the hub, the simulator, the demo, and the verbs of a client.
@main
struct Hearth: AsyncParsableCommand {
    /// The version of the program and of the package.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "A home of accessories: its hub, its simulator, and what you do with it.",
        discussion: """
            A hub keeps the home and its connections to accessories; everything else talks to it. “hearth demo” shows all of \
            it at once.

            Exit codes: 0 done, 1 refused (the error's name is on standard error), 2 wrong usage, 3 no hub.
            """,
        version: version,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(name: "Run", subcommands: [DemoCommand.self, HubCommand.self, SimulatorCommand.self]),
            CommandGroup(name: "Simulate", subcommands: [SimCommand.self]),
            CommandGroup(
                name: "Lay out",
                subcommands: [
                    HomeCommand.self, RoomCommand.self, ZoneCommand.self, AccessoryCommand.self, ServiceCommand.self,
                    GroupCommand.self, SceneCommand.self, AutomationCommand.self, UserCommand.self,
                ]
            ),
            CommandGroup(
                name: "Use",
                subcommands: [GetCommand.self, SetCommand.self, WatchCommand.self, IdentifyCommand.self]
            ),
            CommandGroup(name: "Answer", subcommands: [QuestionsCommand.self, AppCommand.self]),
            CommandGroup(
                name: "Keep",
                subcommands: [
                    BackupCommand.self, RestoreCommand.self, ClaimCommand.self, ExportCommand.self, ImportCommand.self,
                ]
            ),
            CommandGroup(name: "Find out", subcommands: [DiagnoseCommand.self]),
        ]
    )

    static func main() async {
        do {
            var command = try parseAsRoot(ProgramArguments(Array(CommandLine.arguments.dropFirst())).words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            ProgramExit.end(with: error)
        }
    }
}
