import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// `hearth service`: the services of a home's accessories.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "List and rename services, and say what switches belong to.",
        discussion: "Example: hearth service rename \"Ceiling Fan Light\" \"Fan Light\"",
        subcommands: [List.self, Rename.self, Associate.self]
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
            var associatedType: String?
            var accessory: String
        }

        func run() async throws {
            let home = try await HomeClient(options).home()
            let rows = home.namedServices.map { service in
                Row(
                    id: service.id,
                    name: service.name,
                    type: service.shape.displayName,
                    associatedType: service.accessory.associatedTypes[service.shape.iid]?.serviceDisplayName,
                    accessory: service.accessory.name
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows {
                    let type = row.associatedType.map { "\(row.type) of \($0)" } ?? row.type
                    table.add(row.name, type, row.accessory)
                }
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
            ChangeOutput.print(options)
        }
    }

    struct Associate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "associate",
            abstract: "Say what a switch, an outlet or a contact sensor belongs to, so that it counts as that.",
            discussion: """
                The type is HAP's name of a service without spaces, such as Fan or Lightbulb; “none” takes it back.

                Example: hearth service associate "Hall Switch" Fan
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var type: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let service = try home.service(name)
            let parameters = SetAssociatedType(
                home: home.home.id,
                accessory: service.accessory.id,
                iid: service.shape.iid,
                type: try Self.type(named: type)
            )
            _ = try await client.call(HubMethods.setAssociatedType, parameters)
            ChangeOutput.print(options)
        }

        private static func type(named name: String) throws(CommandFailure) -> HAPType? {
            if name == "none" { return nil }
            guard let type = ServiceDefinition.named(name)?.type ?? HAPType(name) else {
                throw CommandFailure("invalidAssociatedType", "“\(name)” is no type of service.")
            }
            return type
        }
    }
}
