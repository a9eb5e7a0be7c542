import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth favorite`: manages the user's favorites in a home.
struct FavoriteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favorite",
        abstract: "List, add, move and remove your favorites.",
        discussion: """
            A favorite is a service, an accessory with one service, or a scene. Each user of a home has their own. If a \
            name is used for both a service and a scene, the service is meant.

            Example: hearth favorite add "Reading Lamp"
            """,
        subcommands: [List.self, Add.self, Move.self, Remove.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List your favorites in order.")
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            /// The kind of service, or `scene`.
            var kind: String
            var accessory: UUID?
            var room: String?
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home().home
            let rows = client.view.account.favorites(in: home.id).compactMap { favorite -> (row: Row, kind: String)? in
                switch favorite {
                case .service(let identity):
                    // A service that its accessory lacks now keeps its place.
                    guard let (accessory, service) = home.service(identity) else { return nil }
                    let kind = Home.kind(of: service, in: accessory)
                    let row = Row(
                        id: identity.service,
                        name: Home.name(of: service, in: accessory),
                        kind: kind.rawValue,
                        accessory: accessory.id,
                        room: home.roomName(accessory.room)
                    )
                    return (row, Language.english.name(of: kind))
                case .actionSet(let id):
                    guard let scene = home.actionSet(id) else { return nil }
                    return (Row(id: id, name: scene.name, kind: "scene"), "Scene")
                }
            }
            if options.json {
                JSONLine(rows.map(\.row)).print()
            } else {
                var table = Table()
                for (row, kind) in rows { table.add(row.name, row.room ?? "", kind) }
                table.print()
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a favorite.",
            discussion: "Example: hearth favorite add \"Movie Night\" --before \"Reading Lamp\""
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "A service, an accessory or a scene.") var name: String
        @Option(help: ArgumentHelp("The favorite that follows it (default: none).", valueName: "name"))
        var before: String?

        func run() async throws {
            try await FavoriteCommand.place(name, before: before, HubMethods.addFavorite, options)
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "move",
            abstract: "Move a favorite before another or to the end.",
            discussion: "Example: hearth favorite move \"Front Door\" --before \"Movie Night\""
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The favorite.") var name: String
        @Option(help: ArgumentHelp("The favorite that follows it (default: none).", valueName: "name"))
        var before: String?

        func run() async throws {
            try await FavoriteCommand.place(name, before: before, HubMethods.moveFavorite, options)
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a favorite, keeping the accessory or scene."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The favorite.") var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let target = FavoriteTarget(home: home.home.id, favorite: try home.favorite(name))
            _ = try await client.call(HubMethods.removeFavorite, target)
            ChangeOutput.print(options)
        }
    }

    private static func place(
        _ name: String,
        before next: String?,
        _ method: Method<FavoritePlacement, Empty>,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let placement = FavoritePlacement(
            home: home.home.id,
            favorite: try home.favorite(name),
            before: try next.map { (name) throws(CommandFailure) in try home.favorite(name) }
        )
        _ = try await client.call(method, placement)
        ChangeOutput.print(options)
    }
}

extension NamedHome {
    /// Returns the service, or the scene, that has a name. The name of an accessory stands for its only tile.
    func favorite(_ name: String) throws(CommandFailure) -> Favorite {
        let accessories = home.accessories.map { record in
            (record.name, record.id, home.services(of: record).tiles.map { NamedService(accessory: record, shape: $0) })
        }
        let taken = Set(accessories.map { FoldedName($0.0) })
        let services = accessories.flatMap(\.2).filter { !taken.contains(FoldedName($0.name)) }
            .map { ($0.name, $0.id, [$0]) }
        let known = taken.union(services.map { FoldedName($0.0) })
        let scenes = home.actionSets.filter { !known.contains(FoldedName($0.name)) }
            .map { ($0.name, $0.id, Favorite.actionSet($0.id)) }
        let items = (accessories + services).map { ($0.0, $0.1, Candidate.services($0.2)) }
        let found = try NameLookup("service, accessory or scene", items + scenes.map { ($0.0, $0.1, .scene($0.2)) })
            .find(name)
        switch found {
        case .scene(let favorite): return favorite
        case .services(let services):
            guard let service = services.first else {
                throw CommandFailure("notFound", "“\(name)” has no service to control.")
            }
            guard services.count == 1 else {
                let names = services.map { "“\($0.name)” (\($0.id))" }.joined(separator: ", ")
                throw CommandFailure("ambiguous", "“\(name)” has several services. Name one of them: \(names).")
            }
            return .service(service.identity)
        }
    }

    /// What a name stands for.
    private enum Candidate {
        case services([NamedService])
        case scene(Favorite)
    }
}
