import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth user`: manages the users of a home.
struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "List, add, invite and remove users, and set their rights.",
        discussion: """
            A guest can use the accessories. An administrator can also change the home and its users. The owner's role \
            can't change. Owners and administrators can also use the home from away, guests only if “hearth user away” \
            allows it. After a restore from a backup, all users except the owner are suspended until the owner \
            confirms them.

            Example: hearth user add Ann --role guest
            """,
        subcommands: [
            List.self, UserAddCommand.self, UserInviteCommand.self, Remove.self, SetRole.self, Away.self, Confirm.self,
        ]
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
            /// Whether the user was added and has not yet joined.
            var isInvited: Bool
            /// Whether the user may use the home from away.
            var mayBeAway: Bool
        }

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let home = try client.home().home
            let invitations = try await Self.invitations(to: home, client)
            let rows = home.users.map { user in
                Row(
                    id: user.id,
                    name: user.name,
                    role: user.role.rawValue,
                    isYou: user.id == home.viewer,
                    isSuspended: user.isSuspended,
                    isInvited: user.isInvited,
                    mayBeAway: user.mayBeAway
                )
            }
            if options.json { return JSONLine(rows).print() }
            let time = try await HubTime(of: client)
            var table = Table()
            for row in rows {
                let expiry = invitations?.last { $0.user == row.id }?.expires
                let invited = expiry.map { "(invited until \(time.text($0)))" } ?? (row.isInvited ? "(invited)" : "")
                let standing = row.isYou ? "(you)" : row.isSuspended ? "(suspended)" : invited
                let role = Role(rawValue: row.role)
                let place = row.mayBeAway == role.canEditLayout ? "" : row.mayBeAway ? ", also away" : ", not away"
                table.add(row.name, row.role, role.allowance + place, standing)
            }
            table.print()
        }

        /// Returns the open invitations, or `nil` if the user can't see them.
        private static func invitations(to home: Home, _ client: HomeClient) async throws -> [Invitation]? {
            guard let viewer = home.viewer, [.owner, .administrator].contains(home.users[id: viewer]?.role) else {
                return nil
            }
            return try? await client.call(HubMethods.invitations, HomeTarget(home: home.id)).invitations
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

    struct Away: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "away",
            abstract: "Allow a user to use the home from away.",
            discussion: """
                From away means through a relay, from outside the home's network. Without it, the user's devices can use \
                the home only at home. To turn it off ends their connections at once.

                Example: hearth user away Ann on
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument var name: String
        @Argument var state: Switch

        enum Switch: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            let request = InHome(home.home.id, SetMayBeAway(state == .on, of: try home.user(name).id))
            _ = try await client.call(HubMethods.setMayBeAway, request)
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
