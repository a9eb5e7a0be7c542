import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth room`: manages the rooms of a home.
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "List, add, rename, move and remove rooms.",
        discussion: "Example: hearth room add \"Kids' Room\"",
        subcommands: [
            List.self, AddSubcommand<RoomResource>.self, RemoveSubcommand<RoomResource>.self,
            RenameSubcommand<RoomResource>.self, Move.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the rooms in order.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let home = try await HomeClient(options).home().home
            if options.json {
                JSONLine(home.orderedRooms.map { NamedRow(id: $0.id, name: $0.name) }).print()
            } else {
                for room in home.orderedRooms { ProgramOutput.line(room.name) }
            }
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move a room before another or to the end.",
            discussion: "Example: hearth room move Kitchen --before Bedroom"
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The room.") var name: String
        @Option(help: ArgumentHelp("The room that follows it (default: none).", valueName: "room"))
        var before: String?

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let next = try before.map { (name) throws(CommandFailure) in try home.room(name) }
            let request = ReorderRoom(try home.room(name), before: next)
            _ = try await client.call(HubMethods.reorderRoom, InHome(home.home.id, request))
            ChangeOutput.print(options)
        }
    }
}

/// The rooms of a home, for the subcommands that all named objects share.
enum RoomResource: AddableResource {
    static let noun = "a room"
    static let removalNote = ", keeping its accessories"
    static let add = HubMethods.addRoom
    static let remove = HubMethods.removeRoom
    static let rename = HubMethods.renameRoom

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.room(name)
    }
}
