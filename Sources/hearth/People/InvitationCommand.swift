import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth invitation`: lists and withdraws the open invitations of a home.
struct InvitationCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invitation",
        abstract: "List and withdraw open invitations.",
        discussion: """
            An invitation lets one device join or sign in as its user, once. It ends when it is used or withdrawn, after \
            too many wrong codes, and after ten minutes for a code or seven days for a link. To invite somebody, run \
            “hearth user invite”; to invite a device of your own, “hearth device add”.

            Example: hearth invitation withdraw Ann
            """,
        subcommands: [List.self, Withdraw.self],
        defaultSubcommand: List.self
    )

    /// An open invitation with its user's name.
    fileprivate struct Row: Encodable {
        var id: UUID
        var user: String
        /// Whether it is for a device of the caller's own.
        var isYours: Bool
        var kind: String
        var created: Date
        var expires: Date
        var triesLeft: Int?
    }

    /// Returns the open invitations of a home, and those of the caller's own devices.
    fileprivate static func rows(_ client: HomeClient, _ home: NamedHome) async throws -> [Row] {
        try await client.call(HubMethods.invitations, HomeTarget(home: home.home.id)).invitations.map { invitation in
            Row(
                id: invitation.id,
                user: home.home.users[id: invitation.user]?.name ?? "",
                isYours: invitation.user == home.home.viewer,
                kind: (invitation.kind ?? .link).rawValue,
                created: invitation.created,
                expires: invitation.expires,
                triesLeft: invitation.triesLeft
            )
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "list", abstract: "List the open invitations.")
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let rows = try await InvitationCommand.rows(client, try client.home())
            if options.json { return JSONLine(rows).print() }
            guard !rows.isEmpty else {
                return ProgramOutput.line(
                    "No invitation is open. To invite a user of the home: hearth user invite NAME"
                )
            }
            let time = try await HubTime(of: client)
            var table = Table()
            for row in rows {
                let tries = row.triesLeft.map { ", \($0) tries left" } ?? ""
                table.add(
                    row.isYours ? "\(row.user) (you)" : row.user,
                    row.kind,
                    "until \(time.text(row.expires))\(tries)",
                    row.id.uuidString
                )
            }
            table.print()
        }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Withdraw an invitation.",
            discussion: """
                The user stays in the home; to remove the user, run “hearth user remove”.

                Example: hearth invitation withdraw Ann
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The invited user's name, or the invitation's ID.") var invitation: String

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let id: UUID
            if let given = UUID(uuidString: invitation) {
                id = given
            } else {
                let rows = try await InvitationCommand.rows(client, try client.home())
                id = try NameLookup("open invitation for", rows.map { ($0.user, $0.id, $0.id) }).find(invitation)
            }
            _ = try await client.call(HubMethods.removeInvitation, InvitationTarget(id: id))
            ChangeOutput.print(options)
        }
    }
}
