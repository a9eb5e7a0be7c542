import ArgumentParser
import Foundation
import HubAPI

/// `hearth app`: which apps may use the homes.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "List, allow and deny the apps that use the homes.",
        discussion: """
            An app is known by the identifier that it gives, and tells why it wants to use the homes. One that was neither \
            allowed nor denied may use them, unless the hub runs with --ask-apps. An app that is denied is cut off at once.

            This is consent, not protection: what runs as your user can call itself anything. An app that runs as another \
            user or in a container gets a socket of its own instead, at which it can be nobody else.

            Example: hearth app deny com.example.lights
            """,
        subcommands: [List.self, Allow.self, Deny.self, Forget.self, AppSocketCommand.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the apps.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let apps = try await HomeClient(options).call(HubMethods.apps, Empty()).apps
            if options.json {
                JSONLine(apps).print()
            } else {
                for app in apps {
                    ProgramOutput.line(Self.line(app))
                    for socket in app.sockets ?? [] { ProgramOutput.line("  " + Self.line(socket)) }
                }
            }
        }

        private static func line(_ app: Apps.App) -> String {
            let decision = app.isAllowed.map { $0 ? "allowed" : "denied" } ?? "not decided"
            let state = app.isConnected ? "\(decision), connected" : decision
            return "\(app.id)  (\(state))" + (app.purpose.isEmpty ? "" : "  \(app.purpose)")
        }

        private static func line(_ socket: AppSocket) -> String {
            let group = socket.group.map { ", group \($0)" } ?? ""
            let problem = socket.problem.map { "  not open: \($0)" } ?? ""
            return "\(socket.path)  (mode \(AppSocketCommand.octal(socket.mode))\(group))\(problem)"
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Let an app use the homes; it need not have been here before."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The app's identifier.") var id: String

        func run() async throws { try await AppCommand.call(HubMethods.allowApp, id, options) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Keep an app from the homes, from now on and at once."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The app's identifier.") var id: String

        func run() async throws { try await AppCommand.call(HubMethods.denyApp, id, options) }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget whether an app was allowed or denied."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The app's identifier.") var id: String

        func run() async throws { try await AppCommand.call(HubMethods.forgetApp, id, options) }
    }

    private static func call(_ method: Method<AppTarget, Empty>, _ id: String, _ options: ClientOptions) async throws {
        _ = try await HomeClient(options).call(method, AppTarget(id: id))
        ChangeOutput.print(options)
    }
}
