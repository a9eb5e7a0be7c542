import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth room`: manages the rooms of a home.
struct RoomCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "room",
        abstract: "List, add, rename and remove rooms.",
        discussion: "Example: hearth room add \"Kids' Room\"",
        subcommands: [
            List.self, AddSubcommand<RoomResource>.self, RemoveSubcommand<RoomResource>.self,
            RenameSubcommand<RoomResource>.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the rooms.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let home = try await HomeClient(options).home().home
            if options.json {
                JSONLine(home.rooms.map { NamedRow(id: $0.id, name: $0.name) }).print()
            } else {
                for room in home.rooms { ProgramOutput.line(room.name) }
            }
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
