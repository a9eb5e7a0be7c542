import ArgumentParser
import HomeModel
import HubAPI

/// `hearth user invite`: invites a device of a user of the home.
struct UserInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Create a link with which a user's device joins.",
        discussion: """
            One device of the user joins with it, or signs in with a browser, once, within seven days. If the hub uses a relay \
            (“hearth sync”), the device can be anywhere; a browser is in the hub's network. With --code, creates \
            a code of eight digits that is valid for ten minutes, for a device next to you. You can invite a user if you can \
            edit all of the user's homes, and an administrator if you own them.

            Example: hearth user invite Ann
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument var name: String

    @Flag(help: "Create a code in place of a link.")
    var code = false

    @Flag(help: "Draw the link as a QR code (default: on a terminal).")
    var qr = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let home = try client.home()
        let user = try home.user(name)
        let request = CreateInvitation(
            user: ItemTarget(home: home.home.id, id: user.id),
            kind: code ? .code : .link
        )
        let output = InvitationOutput(try await client.call(HubMethods.createInvitation, request))
        if options.json { return JSONLine(output).print() }
        output.print(for: user.name, at: try await HubTime(of: client), drawsCode: qr)
    }
}
