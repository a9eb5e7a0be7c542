import ArgumentParser

/// The `hearth` command: the hub, the simulator, the demo, and the commands of a client.
@main
struct Hearth: AsyncParsableCommand {
    /// The version of the program and the package.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "hearth",
        abstract: "Run and control a HomeKit home on Linux.",
        discussion: """
            A hub stores the homes and controls their accessories; the other commands connect to it.

            Try everything:       hearth demo
            Run a hub:            hearth hub
            In another terminal:  hearth accessory add
                                  hearth accessory list
                                  hearth set "Reading Lamp" On true
                                  hearth watch

            Exit codes: 0 success, 1 failure (standard error names the error), 2 wrong usage, 3 no hub.
            """,
        version: version,
        subcommands: [],
        groupedSubcommands: [
            CommandGroup(
                name: "Run",
                subcommands: [
                    DemoCommand.self, HubsCommand.self, AgentCommand.self, RelayCommand.self, SimulatorCommand.self,
                ]
            ),
            CommandGroup(name: "Simulate", subcommands: [SimCommand.self, ClockCommand.self]),
            CommandGroup(
                name: "Organize",
                subcommands: [
                    HomeCommand.self, RoomCommand.self, ZoneCommand.self, AccessoryCommand.self, ServiceCommand.self,
                    GroupCommand.self, SceneCommand.self, AutomationCommand.self, FavoriteCommand.self,
                    UserCommand.self,
                ]
            ),
            CommandGroup(
                name: "Control",
                subcommands: [
                    GetCommand.self, SetCommand.self, SayCommand.self, WatchCommand.self, IdentifyCommand.self,
                    PresenceCommand.self, MCPCommand.self,
                ]
            ),
            CommandGroup(name: "Listen", subcommands: [AirPlayCommand.self]),
            CommandGroup(name: "Explain", subcommands: [WhyCommand.self, LogCommand.self]),
            CommandGroup(
                name: "Permissions",
                subcommands: [
                    QuestionsCommand.self, AppCommand.self, LoginCommand.self, DeviceCommand.self,
                    InvitationCommand.self, JoinCommand.self, LeaveCommand.self, SyncCommand.self,
                    VaultCommand.self,
                ]
            ),
            CommandGroup(
                name: "Backup",
                subcommands: [
                    BackupCommand.self, RestoreCommand.self, ClaimCommand.self, ExportCommand.self, ImportCommand.self,
                ]
            ),
            CommandGroup(name: "Troubleshooting", subcommands: [DiagnoseCommand.self, CheckCommand.self]),
        ]
    )

    static func main() async {
        do {
            let words = ProgramArguments(Array(CommandLine.arguments.dropFirst())).words
            var command = try command(of: words)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            ProgramExit.end(with: error)
        }
    }

    /// Parses a command line, and prepares the process if it runs a service.
    private static func command(of words: [String]) throws -> any ParsableCommand {
        let command = try parse(words)
        if services.values.contains(where: { type(of: command) == $0 }) { AllocatorArenas.share() }
        return command
    }

    /// Parses a command line.
    static func parse(_ words: [String]) throws -> any ParsableCommand { try parseAlone(words) ?? parseAsRoot(words) }

    /// The commands that run as services.
    private static let services: [String: any ParsableCommand.Type] = [
        "agent": AgentCommand.self, "hub": HubCommand.self, "simulator": SimulatorCommand.self,
    ]

    /// Parses the command line of a service without the other commands, whose descriptions the parser would read first.
    ///
    /// - Returns: The command, or `nil` if the parser needs the whole program: for another command, for help, and for the
    ///   message about an error.
    static func parseAlone(_ words: [String]) -> (any ParsableCommand)? {
        guard let service = words.first.flatMap({ services[$0] }),
            let command = try? service.parseAsRoot(Array(words.dropFirst())), type(of: command) == service
        else { return nil }
        return command
    }
}
