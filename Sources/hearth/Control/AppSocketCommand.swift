import ArgumentParser
import Foundation
import HubAPI
import HubClient

/// `hearth app socket`: creates a socket whose clients are all one app.
struct AppSocketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "socket",
        abstract: "Create a socket for one app.",
        discussion: """
            Use it for an app that runs as another user or in a container. Any process that can open the socket is \
            this app and has an app's permissions: it can't answer questions, decide about apps or make backups. Deny \
            the app to disconnect it. The hub, or the agent on a device that joined a home, opens the \
            socket again at each start until you remove it.

            Examples:
            hearth app socket com.example.lights /run/lights/hub.sock --group lights
            hearth app socket --remove /run/lights/hub.sock
            """
    )

    /// The JSON output: the settings that the app needs.
    private struct Opened: Encodable {
        var app: String
        var path: String
        var hubUser: UInt32
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "The app's identifier.") var app: String?
    @Argument(help: "The path of the socket to create.") var path: String?

    @Option(help: ArgumentHelp("The socket's permissions, as in chmod.", valueName: "octal"))
    var mode = Self.octal(AppSocket.standardMode)

    @Option(help: ArgumentHelp("The socket's group (default: the hub's group).", valueName: "group"))
    var group: String?

    @Option(help: ArgumentHelp("Remove the socket at this path and disconnect its clients.", valueName: "path"))
    var remove: String?

    func validate() throws {
        guard remove == nil else {
            guard app == nil, path == nil, group == nil else {
                throw ValidationError("--remove takes the path of a socket and nothing else.")
            }
            return
        }
        guard app != nil, path != nil else {
            throw ValidationError("Name the app and the socket's path: hearth app socket APP PATH")
        }
        guard Self.bits(mode) != nil else {
            throw ValidationError("--mode takes read and write bits in octal, such as 0660.")
        }
    }

    func run() async throws {
        if let remove {
            let target = AppSocketTarget(path: Self.absolute(remove))
            _ = try await HomeClient(options).call(HubMethods.closeAppSocket, target)
            ChangeOutput.print(options)
        } else if let app, let path, let mode = Self.bits(mode) {
            let socket = AppSocket(path: Self.absolute(path), mode: mode, group: group)
            let parameters = OpenAppSocket(id: app, socket: socket)
            let opened = try await HomeClient(options).call(HubMethods.openAppSocket, parameters)
            if options.json {
                JSONLine(Opened(app: app, path: socket.path, hubUser: opened.hubUser)).print()
            } else {
                ProgramOutput.note("“\(app)” is served at \(socket.path). Set in the app's environment:")
                ProgramOutput.line("\(HubSocketPath.variable)=\(socket.path)")
                ProgramOutput.line("\(HubSocketPath.hubUserVariable)=\(opened.hubUser)")
            }
        }
    }

    /// Returns a mode in the notation of `chmod`.
    static func octal(_ mode: Int) -> String { "0" + String(mode, radix: 8) }

    private static func bits(_ mode: String) -> Int? {
        Int(mode, radix: 8).flatMap { $0 & ~0o666 == 0 ? $0 : nil }
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }
}
