import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth user`: manages the users of a home.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "List, add and remove users, and set roles.",
        discussion: """
            A guest can use the accessories. An administrator can also change the home and its users. The owner's role \
            can't change. After a restore from a backup, all users except the owner are suspended until the owner \
            confirms them.

            Example: hearth user add Ann --role guest
            """,
        subcommands: [List.self, Add.self, Invite.self, Remove.self, SetRole.self, Confirm.self]
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the users.")
        @OptionGroup var options: ClientOptions

        private struct Row: Encodable {
            var id: UUID
            var name: String
            var role: String
            var isYou: Bool
            var isSuspended: Bool
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home().home
            let rows = home.users.map { user in
                Row(
                    id: user.id,
                    name: user.name,
                    role: user.role.rawValue,
                    isYou: user.id == home.viewer,
                    isSuspended: user.isSuspended
                )
            }
            if options.json {
                JSONLine(rows).print()
            } else {
                var table = Table()
                for row in rows {
                    table.add(row.name, row.role, row.isYou ? "(you)" : row.isSuspended ? "(suspended)" : "")
                }
                table.print()
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add a user to the home.",
            discussion: "Example: hearth user add Ann --from \"Lake House\" --role administrator"
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        @Option(help: ArgumentHelp("The user's role, guest or administrator.", valueName: "role"))
        var role = AssignableRole.guest

        @Option(help: ArgumentHelp("Another home of yours, with this user.", valueName: "home"))
        var from: String?

        func run() async throws {
            let client = try await HomeClient(options)
            let existing = try from.map { (other) throws(CommandFailure) in
                let home = try client.home(named: other)
                return (home: home.home.id, user: try home.user(name))
            }
            let parameters = AddHomeUser(
                home: try client.home().home.id,
                name: existing?.user.name ?? name,
                role: role.role,
                person: existing.map { ItemTarget(home: $0.home, id: $0.user.id) }
            )
            ChangeOutput(try await client.call(HubMethods.addUser, parameters), parameters.name).print(options)
        }
    }

    struct Invite: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "invite",
            abstract: "Create a link with which a user of the home signs in.",
            discussion: """
                The user signs in with it on one device, once, within 24 hours. The hub must serve HTTP; see “hearth hub \
                --http”. Only the owner of all the user's homes can invite.

                Example: hearth user invite Ann
                """
        )

        /// The JSON output.
        private struct Output: Encodable {
            var id: UUID
            var expires: Date
            var links: [String]
            var fingerprint: String?
        }

        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let home = try client.home()
            let user = ItemTarget(home: home.home.id, id: try home.user(name).id)
            let created = try await client.call(HubMethods.createInvitation, CreateInvitation(user: user))
            let links = created.links.map(\.url)
            if options.json {
                let output = Output(
                    id: created.invitation.id,
                    expires: created.invitation.expires,
                    links: links,
                    fingerprint: created.fingerprint
                )
                JSONLine(output).print()
            } else {
                let list = links.map { "  \($0)" }.joined(separator: "\n")
                let address = links.first?.split(separator: "/#").first.map(String.init)
                let trust = LoginCode.trustText(created.fingerprint, at: address)
                ProgramOutput.line(
                    "Send one of these links to \(name). It works once, within 24 hours:\n\(list)\(trust)"
                )
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove a user from the home, or leave it."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let request = InHome(home.home.id, RemoveUser(try home.user(name).id))
            _ = try await client.call(HubMethods.removeUser, request)
            ChangeOutput.print(options)
        }
    }

    struct SetRole: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "role",
            abstract: "Set a user's role."
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var role: AssignableRole

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let parameters = InHome(home.home.id, HomeModel.SetRole(role.role, of: try home.user(name).id))
            _ = try await client.call(HubMethods.setRole, parameters)
            ChangeOutput.print(options)
        }
    }

    struct Confirm: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "confirm",
            abstract: "Confirm a user after a restore.",
            discussion: "Only the owner can confirm users.\n\nExample: hearth user confirm Ann"
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let request = InHome(home.home.id, ConfirmUser(try home.user(name).id))
            _ = try await client.call(HubMethods.confirmUser, request)
            ChangeOutput.print(options)
        }
    }
}

/// A role that can be assigned to a user.
enum AssignableRole: String, ExpressibleByArgument, CaseIterable {
    case guest
    case administrator

    var role: Role { self == .administrator ? .administrator : .guest }
}
