import ArgumentParser
import HubAPI
import HubClient
import LocalRPCSockets

/// `hearth mcp`: lets an AI assistant look at the homes and operate them.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp",
        abstract: "Serve an AI assistant on standard input and output.",
        discussion: """
            An assistant's program starts this command and speaks the Model Context Protocol with it. The assistant can list \
            the homes, read and write values, run scenes, say sentences, and ask why something happened. It acts for you and \
            appears in the journal with its name. To unlock, open or disarm something, it needs your answer on the page or \
            in “hearth questions”. “hearth app deny NAME” shuts it out.

            Nothing is sent anywhere but to the assistant's program. An assistant on another machine connects to /mcp at the \
            page's address instead, with the token of a device that is signed in.

            Example of a program's configuration:
              {"mcpServers": {"home": {"command": "hearth", "args": ["mcp"]}}}
            """
    )

    @Option(help: ArgumentHelp("The hub's socket (default: $HEARTH_SOCKET or a standard path).", valueName: "path"))
    var socket: String?

    func run() async throws {
        let path = socket ?? HubSocketPath.standard()
        await AssistantConnection(AssistantWorker(over: { UnixSocketTransport(path: path) })).run()
    }
}
