import ArgumentParser
import HubAPI

/// `hearth hub invite`: invites a second hub.
struct HubInviteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Create a link with which a second hub joins.",
        discussion: """
            The second hub keeps the homes together with this one, with all users and devices, and goes on when this one fails. \
            The link works once, within seven days, in the hub's network. When it is used, you compare six digits. Use a relay \
            (“hearth sync”), or the homes can't be changed while one of the hubs is off.

            Example: hearth hub invite
            """
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Draw the link as a QR code (default: on a terminal).")
    var qr = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        var output = InvitationOutput(try await client.call(HubMethods.inviteHub, Empty()))
        output.isForHub = true
        if options.json { return JSONLine(output).print() }
        output.print(for: nil, at: try await HubTime(of: client), drawsCode: qr)
    }
}
