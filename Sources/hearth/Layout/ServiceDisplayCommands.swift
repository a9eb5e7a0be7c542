import ArgumentParser
import Foundation
import HomeModel
import HubAPI

// How the services of a home are shown.

extension ServiceCommand {
    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move a service in the order of its room.",
            discussion: "Example: hearth service move \"Reading Lamp\" --before \"Ceiling Light\""
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The service.") var name: String
        @Option(help: ArgumentHelp("The service that follows it (default: none).", valueName: "service"))
        var before: String?

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let next = try before.map { (name) throws(CommandFailure) in try home.service(name).identity }
            let request = ReorderService(try home.service(name).identity, before: next)
            _ = try await client.call(HubMethods.reorderService, InHome(home.home.id, request))
            ChangeOutput.print(options)
        }
    }

    struct Hide: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "hide",
            abstract: "Hide a service from the lists of the home.",
            discussion: "It still works in scenes and automations.\n\nExample: hearth service hide \"Hall Switch\""
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The service.") var name: String

        func run() async throws {
            try await ServiceCommand.call(HubMethods.setServiceHidden, name, options) {
                SetServiceHidden(true, accessory: $0, iid: $1)
            }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a hidden service again."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The service.") var name: String

        func run() async throws {
            try await ServiceCommand.call(HubMethods.setServiceHidden, name, options) {
                SetServiceHidden(false, accessory: $0, iid: $1)
            }
        }
    }

    struct AskFirst: AsyncParsableCommand {
        /// Whether to ask.
        enum Setting: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        static let configuration = CommandConfiguration(
            commandName: "ask-first",
            abstract: "Ask for confirmation before a service is controlled.",
            discussion: """
                The home's page asks; the command line and apps don't. It always asks before it opens a lock or a door.

                Example: hearth service ask-first "Water Heater" on
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The service.") var name: String
        @Argument(help: "on or off.") var setting: Setting

        func run() async throws {
            try await ServiceCommand.call(HubMethods.setServiceAsksFirst, name, options) {
                SetServiceAsksFirst(setting == .on, accessory: $0, iid: $1)
            }
        }
    }

    private static func call<Request: HomeRequest>(
        _ method: Method<InHome<Request>, Empty>,
        _ name: String,
        _ options: ClientOptions,
        _ request: (_ accessory: UUID, _ iid: UInt64) -> Request
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let service = try home.service(name)
        _ = try await client.call(
            method,
            InHome(home.home.id, request(service.accessory.id, service.shape.iid))
        )
        ChangeOutput.print(options)
    }
}
