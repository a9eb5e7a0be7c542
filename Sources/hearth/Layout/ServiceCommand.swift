import ArgumentParser
import Foundation
import HAPCatalog
import HomeModel
import HubAPI

/// `hearth service`: manages the services of a home's accessories.
struct ServiceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "List, rename, order and hide services.",
        discussion: "Example: hearth service rename \"Ceiling Fan Light\" \"Fan Light\"",
        subcommands: [
            List.self, Rename.self, Associate.self, Move.self, Hide.self, Show.self, AskFirst.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the user-facing services."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var type: String
            var associatedType: String?
            var accessory: String
            var kind: ServiceKind
            var isHidden: Bool
            var asksFirst: Bool
        }

        func run() async throws {
            let home = try await HomeClient(options).home()
            let rows = home.namedServices.map { service in
                Row(
                    id: service.id,
                    name: service.name,
                    type: service.shape.displayName,
                    associatedType: service.accessory.associatedTypes[service.shape.iid]?.serviceDisplayName,
                    accessory: service.accessory.name,
                    kind: Home.kind(of: service.shape, in: service.accessory),
                    isHidden: service.accessory.hiddenServices.contains(service.shape.iid),
                    asksFirst: service.accessory.servicesAskingFirst.contains(service.shape.iid)
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows {
                    let type = row.associatedType.map { "\(row.type) of \($0)" } ?? row.type
                    let marks = [row.isHidden ? "hidden" : nil, row.asksFirst ? "asks first" : nil].compactMap(\.self)
                    table.add(row.name, type, row.accessory, marks.joined(separator: ", "))
                }
                table.print()
            }
        }
    }

    struct Rename: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rename",
            abstract: "Rename a service.",
            discussion: "The name is stored in the home, not in the accessory."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var newName: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let service = try home.service(name)
            let parameters = InHome(
                home.home.id,
                RenameService(accessory: service.accessory.id, iid: service.shape.iid, name: newName)
            )
            _ = try await client.call(HubMethods.renameService, parameters)
            ChangeOutput.print(options)
        }
    }

    struct Associate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "associate",
            abstract: "Set what a switch, outlet or contact sensor controls.",
            discussion: """
                Shows the service as one of another type. The type is a HAP service name without spaces, such as Fan \
                or Lightbulb; “none” removes the association.

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
            let parameters = InHome(
                home.home.id,
                SetAssociatedType(try Self.type(named: type), accessory: service.accessory.id, iid: service.shape.iid)
            )
            _ = try await client.call(HubMethods.setAssociatedType, parameters)
            ChangeOutput.print(options)
        }

        private static func type(named name: String) throws(CommandFailure) -> HAPType? {
            if name == "none" { return nil }
            guard let type = ServiceDefinition.named(name)?.type ?? HAPType(name) else {
                throw CommandFailure("invalidAssociatedType", "“\(name)” is not a service type such as Fan.")
            }
            return type
        }
    }
}
