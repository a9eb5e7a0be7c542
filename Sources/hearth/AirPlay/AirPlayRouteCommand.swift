import ArgumentParser
import MediaRouting

/// `hearth airplay route`: chooses the receiver of the user's apps.
struct AirPlayRouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route",
        abstract: "Show or choose the receiver of apps.",
        discussion: """
            Apps that use Hearth's AVFoundation play long-form audio to this receiver. Those that play continue there within \
            a second. “none” keeps audio on this computer. Without a name, prints the choice.

            Example: hearth airplay route Kitchen
            """
    )

    @Argument(help: ArgumentHelp("The receiver's name, or “none”.", valueName: "name"))
    var name: String?

    @Option(help: ArgumentHelp("The receiver's host name or address (default: found by its name).", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The receiver's port, with --host.", valueName: "port"))
    var port: Int?

    @Option(help: ArgumentHelp("The receiver's password.", valueName: "text"))
    var password: String?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface on which apps look, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    func validate() throws {
        guard (host == nil) == (port == nil) else { throw ValidationError("Use --host and --port together.") }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be 1 to 65535.") }
        guard name != nil || (host == nil && password == nil && interfaces.isEmpty) else {
            throw ValidationError("Name a receiver, or “none”.")
        }
        guard name?.isEmpty != true else { throw ValidationError("The name must not be empty.") }
    }

    func run() async throws {
        let file = RouteFile.standard()
        if let name {
            let choice = RouteChoice(
                receiver: name == "none" ? nil : name,
                host: host,
                port: port,
                password: password,
                interfaces: interfaces.isEmpty ? nil : interfaces
            )
            do {
                try file.write(choice)
            } catch {
                throw CommandFailure("fileUnwritable", "\(file.path) can't be written.")
            }
        }
        ProgramOutput.line(file.choice.receiver ?? "none")
    }
}
