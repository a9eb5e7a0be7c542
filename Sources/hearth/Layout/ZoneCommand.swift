import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth zone`: manages the zones of a home.
struct ZoneCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "List, add, change and remove zones.",
        discussion: "Example: hearth zone add-room Upstairs Bedroom",
        subcommands: [
            List.self, AddSubcommand<ZoneResource>.self, RemoveSubcommand<ZoneResource>.self,
            RenameSubcommand<ZoneResource>.self, AddRoom.self,
            RemoveRoom.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the zones with their rooms."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var rooms: [String]
        }

        func run() async throws {
            let home = try await HomeClient(options).home().home
            let rows = home.zones.map { zone in
                Row(id: zone.id, name: zone.name, rooms: zone.rooms.compactMap { home.roomName($0) })
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                for row in rows { ProgramOutput.line("\(row.name): \(row.rooms.joined(separator: ", "))") }
            }
        }
    }

    struct AddRoom: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "add-room", abstract: "Add a room to a zone.")
        @OptionGroup var options: ClientOptions
        @Argument var zone: String
        @Argument var room: String

        func run() async throws {
            try await ZoneCommand.change(HubMethods.addRoomToZone, AddRoomToZone.init, zone, room, options)
        }
    }

    struct RemoveRoom: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-room",
            abstract: "Remove a room from a zone."
        )
        @OptionGroup var options: ClientOptions
        @Argument var zone: String
        @Argument var room: String

        func run() async throws {
            try await ZoneCommand.change(HubMethods.removeRoomFromZone, RemoveRoomFromZone.init, zone, room, options)
        }
    }

    private static func change<Request>(
        _ method: Method<InHome<Request>, Empty>,
        _ request: (_ room: UUID, _ zone: UUID) -> Request,
        _ zone: String,
        _ room: String,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let (zone, room) = (try home.zone(zone).id, try home.room(room))
        _ = try await client.call(method, InHome(home.home.id, request(room, zone)))
        ChangeOutput.print(options)
    }
}

/// The zones of a home, for the subcommands that all named objects share.
enum ZoneResource: AddableResource {
    static let noun = "a zone"
    static let removalNote = ", keeping its rooms"
    static let add = HubMethods.addZone
    static let remove = HubMethods.removeZone
    static let rename = HubMethods.renameZone

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.zone(name).id
    }
}
