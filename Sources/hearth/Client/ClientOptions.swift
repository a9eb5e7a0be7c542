import ArgumentParser

/// What all commands of a client understand.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The hub's socket; otherwise $HEARTH_SOCKET or the usual place.", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The home; otherwise the primary one.", valueName: "name"))
    var home: String?
}
