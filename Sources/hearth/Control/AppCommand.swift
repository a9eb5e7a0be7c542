import ArgumentParser
import Foundation
import HubAPI

/// `hearth app`: lists and decides which apps may use the homes.
struct AppCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app",
        abstract: "List, allow and deny apps.",
        discussion: """
            An app identifies itself and states why it needs access. By default, every app may use the homes until you \
            deny it; with --ask-apps, the hub asks about each new app, or the agent on a device that joined a home. Denying \
            an app disconnects it immediately.

            This is consent, not isolation: any program of your user can claim any identifier. Give an app that runs \
            as another user or in a container its own socket instead (“hearth app socket”).

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
            let problem = socket.problem.map { "  can't be opened: \($0)" } ?? ""
            return "\(socket.path)  (mode \(AppSocketCommand.octal(socket.mode))\(group))\(problem)"
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "allow",
            abstract: "Allow an app to use the homes."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The app's identifier.") var id: String

        func run() async throws { try await AppCommand.call(HubMethods.allowApp, id, options) }
    }

    struct Deny: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "deny",
            abstract: "Deny an app access and disconnect it."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The app's identifier.") var id: String

        func run() async throws { try await AppCommand.call(HubMethods.denyApp, id, options) }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "forget",
            abstract: "Forget the decision about an app."
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
