import ArgumentParser

/// `hearth hub`: runs the hub, and lets a second one keep the homes too.
struct HubsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Run the hub, or add a second one.",
        discussion: """
            Without a subcommand, runs the hub; for its options, see “hearth hub run --help”. A second hub on another machine \
            goes on when this one fails: run “hearth hub invite” here, and “hearth hub join” there.

            Example: hearth hub
            """,
        subcommands: [
            HubCommand.self, HubInviteCommand.self, HubJoinCommand.self, HubListCommand.self, HubLeaveCommand.self,
            HubRemoveCommand.self, HubAloneCommand.self,
        ],
        defaultSubcommand: HubCommand.self
    )
}
