import ArgumentParser
import HubAPI

/// `hearth device add`: invites another device of the user.
struct DeviceAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Create a code or link with which another device joins.",
        discussion: """
            Creates a code of eight digits for a device next to you: it is valid for ten minutes, in the hub's network. With \
            --link, creates a link, valid for seven days; when it is used, you compare six digits. If the hub uses a relay \
            (“hearth sync”), a device joins with the link from anywhere, otherwise in the hub's network. \
            To sign a browser in, run “hearth login”.

            Example: hearth device add "Ann's Laptop"
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "A name for the device (default: its host name).") var name: String?

    @Flag(help: "Create a link, with a QR code, in place of a code.")
    var link = false

    @Flag(help: "Draw the link as a QR code (default: on a terminal).")
    var qr = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let request = AddDevice(name: name, kind: link || qr ? .link : .code)
        let output = InvitationOutput(try await client.call(HubMethods.addDevice, request))
        if options.json { return JSONLine(output).print() }
        output.print(for: nil, at: try await HubTime(of: client), drawsCode: qr)
    }
}
