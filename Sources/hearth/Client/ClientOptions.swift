import ArgumentParser

/// The options of all commands that connect to a hub.
struct ClientOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The hub's socket (default: $HEARTH_SOCKET or a standard path).", valueName: "path"))
    var socket: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The home (default: the primary home).", valueName: "name"))
    var home: String?
}
