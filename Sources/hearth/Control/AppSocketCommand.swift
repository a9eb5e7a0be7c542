import ArgumentParser
import Foundation
import HubAPI
import HubClient

/// `hearth app socket`: a socket at which whoever connects is one app.
struct AppSocketCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "socket",
        abstract: "Give an app that runs as another user, or in a container, a socket of its own.",
        discussion: """
            Whoever can open the socket is this app, and can be nobody else: it may what an app may, and is allowed, denied \
            and cut off as one. It cannot answer questions, decide about apps or make backups. The socket is there again \
            at each start of the hub until it is removed.

            Examples:
            hearth app socket com.example.lights /run/lights/hub.sock --group lights
            hearth app socket --remove /run/lights/hub.sock
            """
    )

    /// What the app is to be told, as programs read it.
    private struct Opened: Encodable {
        var app: String
        var path: String
        var hubUser: UInt32
    }

    @OptionGroup var options: ClientOptions
    @Argument(help: "The app's identifier.") var app: String?
    @Argument(help: "Where to make the socket.") var path: String?

    @Option(help: ArgumentHelp("Who may connect: read and write bits, as in chmod.", valueName: "octal"))
    var mode = Self.octal(AppSocket.standardMode)

    @Option(help: ArgumentHelp("The group that the mode is about; otherwise that of the hub.", valueName: "group"))
    var group: String?

    @Option(help: ArgumentHelp("Remove the socket that is there, and end its connections.", valueName: "path"))
    var remove: String?

    func validate() throws {
        guard remove == nil else {
            guard app == nil, path == nil, group == nil else {
                throw ValidationError("--remove takes the path of a socket and nothing else.")
            }
            return
        }
        guard app != nil, path != nil else {
            throw ValidationError("Name the app and where to make its socket: hearth app socket APP PATH")
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
                ProgramOutput.note("“\(app)” is served at \(socket.path). It needs in its environment:")
                ProgramOutput.line("\(HubSocketPath.variable)=\(socket.path)")
                ProgramOutput.line("\(HubSocketPath.hubUserVariable)=\(opened.hubUser)")
            }
        }
    }

    /// A mode as `chmod` has it.
    static func octal(_ mode: Int) -> String { "0" + String(mode, radix: 8) }

    private static func bits(_ mode: String) -> Int? {
        Int(mode, radix: 8).flatMap { $0 & ~0o666 == 0 ? $0 : nil }
    }

    private static func absolute(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.path(percentEncoded: false)
    }
}
