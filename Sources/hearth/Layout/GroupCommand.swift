import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth group`: manages the service groups of a home.
struct GroupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "List, add, change and remove service groups.",
        discussion: "Example: hearth group add-service \"Desk Lamps\" \"Left Lamp\"",
        subcommands: [
            List.self, AddSubcommand<GroupResource>.self, RemoveSubcommand<GroupResource>.self,
            RenameSubcommand<GroupResource>.self,
            AddService.self, RemoveService.self,
        ]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the groups with their services."
        )
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var services: [String]
        }

        func run() async throws {
            let home = try await HomeClient(options).home().home
            let rows = home.serviceGroups.map { group in
                let services = group.services.compactMap { home.service($0) }
                return Row(
                    id: group.id,
                    name: group.name,
                    services: services.map { Home.name(of: $0.shape, in: $0.accessory) }
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                for row in rows { ProgramOutput.line("\(row.name): \(row.services.joined(separator: ", "))") }
            }
        }
    }

    struct AddService: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add-service",
            abstract: "Add a service to a group."
        )
        @OptionGroup var options: ClientOptions
        @Argument var group: String
        @Argument var service: String

        func run() async throws {
            try await GroupCommand.change(HubMethods.addServiceToGroup, AddServiceToGroup.init, group, service, options)
        }
    }

    struct RemoveService: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove-service",
            abstract: "Remove a service from a group."
        )
        @OptionGroup var options: ClientOptions
        @Argument var group: String
        @Argument var service: String

        func run() async throws {
            try await GroupCommand.change(
                HubMethods.removeServiceFromGroup,
                RemoveServiceFromGroup.init,
                group,
                service,
                options
            )
        }
    }

    private static func change<Request>(
        _ method: Method<InHome<Request>, Empty>,
        _ request: (ServiceIdentity, UUID) -> Request,
        _ group: String,
        _ service: String,
        _ options: ClientOptions
    ) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let (group, service) = (try home.serviceGroup(group).id, try home.service(service).identity)
        _ = try await client.call(method, InHome(home.home.id, request(service, group)))
        ChangeOutput.print(options)
    }
}

/// The service groups of a home, for the subcommands that all named objects share.
enum GroupResource: AddableResource {
    static let noun = "a group"
    static let removalNote = ", keeping its services"
    static let add = HubMethods.addServiceGroup
    static let remove = HubMethods.removeServiceGroup
    static let rename = HubMethods.renameServiceGroup

    static func id(named name: String, in home: NamedHome) throws(CommandFailure) -> UUID {
        try home.serviceGroup(name).id
    }
}
