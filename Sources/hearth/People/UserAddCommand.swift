import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth user add`: adds a user to the home, and invites a device of theirs.
struct UserAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add a user to the home, and invite them.",
        discussion: """
            The user is in the home at once. The command shows the link with which a device of theirs joins or signs in, \
            once, within seven days; with --code, a code for a device next to you. A user who is already in another home of \
            yours needs no invitation.

            Example: hearth user add Ann --from "Lake House" --role administrator
            """
    )

    /// The JSON output.
    private struct Output: Encodable {
        var id: UUID
        var name: String
        /// Left out if no invitation was created.
        var invitation: InvitationOutput?
    }

    @OptionGroup var options: ClientOptions
    @Argument var name: String

    @Option(help: ArgumentHelp("The user's role, guest or administrator.", valueName: "role"))
    var role = AssignableRole.guest

    @Option(help: ArgumentHelp("Another home of yours, with this user.", valueName: "home"))
    var from: String?

    @Flag(help: "Create a code in place of a link.")
    var code = false

    @Flag(help: "Draw the link as a QR code (default: on a terminal).")
    var qr = false

    @Flag(inversion: .prefixedNo, help: "Create an invitation.")
    var invitation = true

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
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
        let added = try await client.call(HubMethods.addUser, parameters)
        let output = invitation && existing == nil ? await invite(added.id, to: parameters.home, client) : nil
        if options.json {
            return JSONLine(Output(id: added.id, name: parameters.name, invitation: output)).print()
        }
        ChangeOutput(added, parameters.name).print(options)
        output?.print(for: parameters.name, at: try await HubTime(of: client), drawsCode: qr)
    }

    /// Invites the added user. A hub that serves no devices has a user without an invitation, as before.
    private func invite(_ user: UUID, to home: UUID, _ client: HomeClient) async -> InvitationOutput? {
        let request = CreateInvitation(user: ItemTarget(home: home, id: user), kind: code ? .code : .link)
        do throws(HubError) {
            return InvitationOutput(try await client.call(HubMethods.createInvitation, request))
        } catch {
            ProgramOutput.note("\(name) has no invitation yet. \(error.reason)")
            return nil
        }
    }
}
