import ArgumentParser

/// `hearth airplay`: sends and receives audio as AirPlay does.
struct AirPlayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airplay",
        abstract: "Send and receive audio over AirPlay.",
        discussion: """
            Needs no hub. What needs Apple's keys is left out: playing from an iPhone or a Mac to “hearth airplay \
            receive”, screen mirroring and protected video. See Documentation/AirPlay.md.
            """,
        subcommands: [
            AirPlayListCommand.self, AirPlayPlayCommand.self, AirPlayReceiveCommand.self, AirPlayRouteCommand.self,
        ]
    )
}
