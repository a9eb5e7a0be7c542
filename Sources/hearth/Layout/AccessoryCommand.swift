import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// `hearth accessory`: the accessories of a home, and those that could join it.
struct AccessoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessory",
        abstract: "Find, add, import, list, rename, move, block and remove accessories.",
        discussion: "Example: hearth accessory add --id 3C:5A:B4:01:02:03 --room Kitchen",
        subcommands: [
            List.self, Browse.self, AccessoryAddCommand.self, AccessoryImportCommand.self,
            RemoveSubcommand<AccessoryResource>.self,
            RenameSubcommand<AccessoryResource>.self, Move.self, Block.self, Unblock.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the accessories and whether they respond."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var room: String
            var category: Int
            var bridge: UUID?
            var manufacturer: String?
            var model: String?
            var isReachable: Bool
            var isBlocked: Bool
            var cause: String?
            /// The cause in one word.
            var trouble: AccessoryTrouble?
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let (home, view) = (try client.home().home, client.view)
            let rows = home.accessories.map { record in
                let reachability = view.reachability[record.id]
                return Row(
                    id: record.id,
                    name: record.name,
                    room: home.roomName(record.room) ?? "",
                    category: record.category.rawValue,
                    bridge: record.bridge,
                    manufacturer: record.information.manufacturer,
                    model: record.information.model,
                    isReachable: reachability?.isReachable ?? false,
                    isBlocked: record.isBlocked,
                    cause: reachability?.cause,
                    trouble: reachability?.trouble
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows {
                    table.add(row.name, row.room, row.model ?? "", row.isReachable ? "" : row.cause ?? "no response")
                }
                table.print()
            }
        }
    }

    struct Browse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "browse",
            abstract: "Show accessories on the network that are in no home.",
            discussion: "Example: hearth accessory browse --for 10"
        )
        @OptionGroup var options: ClientOptions

        @Option(name: .customLong("for"), help: ArgumentHelp("How long to look.", valueName: "seconds"))
        var duration: Double = 5

        func validate() throws {
            guard duration > 0, duration <= 3_600 else {
                throw ValidationError("--for takes seconds, more than 0 and at most 3600.")
            }
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let end = Task {
                try await Task.sleep(for: .seconds(duration))
                _ = try? await client.call(HubMethods.stopBrowsing, Empty())
                client.close()
            }
            defer { end.cancel() }
            _ = try await client.call(HubMethods.startBrowsing, Empty())
            for await event in client.events {
                guard case .discovered(let accessory) = event else { continue }
                if options.json {
                    JSONLine(accessory).print()
                } else {
                    let paired = accessory.isPaired ? "  (paired with another controller)" : ""
                    ProgramOutput.line("\(accessory.deviceID)  \(accessory.name)  \(accessory.model)\(paired)")
                }
            }
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "move", abstract: "Move an accessory to a room.")
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var room: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let id = try home.accessory(name).id
            let parameters = MoveAccessory(home: home.home.id, id: id, room: try home.room(room))
            _ = try await client.call(HubMethods.moveAccessory, parameters)
            ChangeOutput.print(options)
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Shut out an accessory, or a bridge with all behind it, without removing it.",
            discussion: "The hub does not connect to it until it is unblocked. Example: hearth accessory block Camera"
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            try await AccessoryCommand.call(HubMethods.blockAccessory, name, options)
        }
    }

    struct Unblock: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "unblock",
            abstract: "Let in an accessory that was blocked, or a bridge with all behind it."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            try await AccessoryCommand.call(HubMethods.unblockAccessory, name, options)
        }
    }

    fileprivate static func call(
        _ method: Method<Target, Empty>,
        _ name: String,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        _ = try await client.call(method, Target(home: home.home.id, id: try home.accessory(name).id))
        ChangeOutput.print(options)
    }
}

/// Accessories of a home, for the commands that all named things have.
enum AccessoryResource: NamedResource {
    static let noun = "an accessory"
    static let removalNote = ", or a bridge with all behind it, and unpair it"
    static let remove = HubMethods.removeAccessory
    static let rename = HubMethods.renameAccessory

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.accessory(name).id
    }
}
