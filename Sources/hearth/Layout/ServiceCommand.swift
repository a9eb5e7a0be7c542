import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth service`: the services of a home's accessories.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "List and rename services.",
        discussion: "Example: hearth service rename \"Ceiling Fan Light\" \"Fan Light\"",
        subcommands: [List.self, Rename.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the services that people use."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var type: String
            var accessory: String
        }

        func run() async throws {
            let home = try await HomeClient(options).home()
            let rows = home.namedServices.map { service in
                Row(
                    id: service.id,
                    name: service.name,
                    type: service.shape.shownName,
                    accessory: service.accessory.name
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows { table.add(row.name, row.type, row.accessory) }
                table.print()
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename a service; the device is not told."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var newName: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let service = try home.service(name)
            let parameters = HubAPI.RenameService(
                home: home.home.id,
                accessory: service.accessory.id,
                iid: service.shape.iid,
                name: newName
            )
            _ = try await client.call(HubMethods.renameService, parameters)
            Receipt.print(options)
        }
    }
}
