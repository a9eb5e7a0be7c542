import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth home`: manages the user's homes.
struct HomeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "home",
        abstract: "List, add, rename, place and remove homes.",
        discussion: "Example: hearth home add \"Lake House\"",
        subcommands: [List.self, Add.self, Remove.self, Rename.self, Primary.self, HomePlaceCommand.self]
    )

    /// Returns the user's home with a name or ID.
    private static func home(_ name: String, _ client: HomeClient) throws(CommandFailure) -> AccountHomeRecord {
        try NameLookup("home", client.view.account.homes.map { ($0.name, $0.id, $0) }).find(name)
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the homes.")
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var isPrimary: Bool
            /// Since when the home's hub is out of reach; left out if it is in reach.
            var awaySince: Date?
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let homes = client.view.account.homes
            if client.welcome.hasNoHub == true { ProgramOutput.note(HomeClient.noHub) }
            let away = Dictionary(
                client.view.standings.values.flatMap { hub in
                    hub.homes.map { ($0, min(hub.since, hub.asOf ?? hub.since)) }
                },
                uniquingKeysWith: min
            )
            let rows = homes.map {
                Row(id: $0.id, name: $0.name, isPrimary: $0.isPrimary, awaySince: away[$0.id])
            }
            if options.json { return JSONLine(rows).print() }
            for row in rows {
                let since = row.awaySince.map { "out of reach since \(HubTime.local.text($0))" }
                let remarks = [row.isPrimary ? "primary" : nil, since].compactMap(\.self).joined(separator: ", ")
                ProgramOutput.line(remarks.isEmpty ? row.name : "\(row.name)  (\(remarks))")
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a home.",
            discussion: """
                The first home becomes the primary home. On a terminal, the command asks where the home is; “hearth home \
                place” changes that.
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            try client.checkHub()
            let added = try await client.call(HubMethods.addHome, AddHome(name: name))
            ChangeOutput(added, name).print(options)
            if !options.json, isatty(STDIN_FILENO) == 1 { try await PlaceQuestion.ask(for: added.id, client) }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a home and unpair its accessories."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try HomeCommand.home(name, client)
            let target = HomeTarget(home: home.id)
            _ = try await client.call(HubMethods.removeHome, target, waitingFor: "the accessories to be unpaired")
            ChangeOutput.print(options)
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a home.")
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var newName: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try HomeCommand.home(name, client)
            let parameters = RenameHome(home: home.id, name: newName)
            _ = try await client.call(HubMethods.renameHome, parameters)
            ChangeOutput.print(options)
        }
    }

    struct Primary: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "primary",
            abstract: "Make a home the primary home."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            let target = HomeTarget(home: try HomeCommand.home(name, client).id)
            _ = try await client.call(HubMethods.setPrimaryHome, target)
            ChangeOutput.print(options)
        }
    }
}
