import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HomeText
import HubAPI

/// `hearth accessory`: manages the accessories of a home.
struct AccessoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessory",
        abstract: "Add, list, move, block and remove accessories.",
        discussion: "Example: hearth accessory add",
        subcommands: [
            List.self, Browse.self, AccessoryConfigureCommand.self, AccessoryAddCommand.self,
            AccessoryImportCommand.self,
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
            var isBridge: Bool
            /// The kinds of its tiles, each once.
            var kinds: [ServiceKind]
            var isReachable: Bool
            var isBlocked: Bool
            var cause: String?
            /// The cause as a code.
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
                    isBridge: record.isBridge,
                    kinds: Self.kinds(of: record, in: home),
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
                    let kinds =
                        row.isBridge && row.kinds.isEmpty
                        ? "Bridge" : Language.english.list(row.kinds.map { Language.english.name(of: $0) })
                    table.add(
                        row.name,
                        row.room,
                        kinds,
                        row.model ?? "",
                        row.isReachable ? "" : row.cause ?? "no response"
                    )
                }
                table.print()
            }
        }

        private static func kinds(of record: AccessoryRecord, in home: Home) -> [ServiceKind] {
            home.services(of: record).tiles.map { Home.kind(of: $0, in: record) }.reduce(into: []) { kinds, kind in
                if !kinds.contains(kind) { kinds.append(kind) }
            }
        }
    }

    struct Browse: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "browse",
            abstract: "List accessories on the network that aren't in a home.",
            discussion: "Example: hearth accessory browse --for 10"
        )
        @OptionGroup var options: ClientOptions

        @Option(name: .customLong("for"), help: ArgumentHelp("The time to browse.", valueName: "seconds"))
        var duration: Double = 5

        func validate() throws {
            guard duration > 0, duration <= 3_600 else {
                throw ValidationError("--for must be more than 0 and at most 3600 seconds.")
            }
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let timeout = Task {
                try await Task.sleep(for: .seconds(duration))
                _ = try? await client.call(HubMethods.stopBrowsing, Empty())
                client.close()
            }
            defer { timeout.cancel() }
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
            let parameters = InHome(home.home.id, MoveAccessory(id, room: try home.room(room)))
            _ = try await client.call(HubMethods.moveAccessory, parameters)
            ChangeOutput.print(options)
        }
    }

    struct Block: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "block",
            abstract: "Block an accessory or a bridge without removing it.",
            discussion: "The hub doesn't connect to it until you unblock it.\n\nExample: hearth accessory block Camera"
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
            abstract: "Unblock an accessory or a bridge."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            try await AccessoryCommand.call(HubMethods.unblockAccessory, name, options)
        }
    }

    fileprivate static func call<Request: ItemRequest>(
        _ method: Method<InHome<Request>, Empty>,
        _ name: String,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        _ = try await client.call(method, InHome(home.home.id, Request(try home.accessory(name).id)))
        ChangeOutput.print(options)
    }
}

/// The accessories of a home, for the subcommands that all named objects share.
enum AccessoryResource: NamedResource {
    static let noun = "an accessory"
    static let removalNote = " or a bridge, and unpair it"
    static let remove = HubMethods.removeAccessory
    static let rename = HubMethods.renameAccessory

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.accessory(name).id
    }
}
