import ArgumentParser
import Foundation
import HAP
import HomeModel
import HubAPI

/// `hearth login`: creates a code with which a browser signs in.
struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "login",
        abstract: "Create a code to sign in with a browser.",
        discussion: """
            The hub must serve HTTP; see “hearth hub --http”. The code is valid for 60 seconds and for one device. Open \
            the link on that device, or enter the code there. On the hub's machine, --user creates a code for another \
            user of the home.

            Example: hearth login
            """
    )

    /// The JSON output.
    private struct Output: Encodable {
        var code: String
        var expiresIn: Int
        var links: [String]
        var fingerprint: String?
    }

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The user of the home to sign in (default: you).", valueName: "name"))
    var user: String?

    @Flag(help: "Draw the link as a QR code (default: on a terminal, if other devices can open it).")
    var qr = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        var request = CreateLogin()
        if let user {
            let home = try client.home().home
            let id = try NameLookup("user", home.users.map { ($0.name, $0.id, $0.id) }).find(user)
            request.user = ItemTarget(home: home.id, id: id)
        }
        let login = try await client.call(HubMethods.createLogin, request)
        if options.json {
            let output = Output(
                code: login.code,
                expiresIn: login.expiresIn,
                links: login.urls,
                fingerprint: login.fingerprint
            )
            JSONLine(output).print()
        } else {
            ProgramOutput.line(login.text)
            if let url = login.urls.first, qr || ProgramOutput.isTerminal && !login.isForThisMachine,
                let code = QRCode(ofText: url)
            {
                ProgramOutput.qrCode(code)
            }
        }
    }
}

extension LoginCode {
    /// The links that sign in. A browser doesn't send the part after `#`, so the code appears in no log.
    var urls: [String] { addresses.map { "\($0)/#code=\(code)" } }

    /// Whether only this machine can open the links.
    var isForThisMachine: Bool {
        addresses.allSatisfy { $0.contains("://127.") || $0.contains("://[::1]") }
    }

    /// The code in two groups.
    var groupedCode: String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// Returns the lines about the certificate that devices need, after a line break; an empty text if they need none.
    static func trustText(_ fingerprint: String?, at address: String?) -> String {
        guard let fingerprint, let address else { return "" }
        let plain = address.replacing("https://", with: "http://", maxReplacements: 1)
        return """

            A device that doesn't trust the hub yet needs its certificate: \(plain)/trust
            The certificate has the fingerprint \(fingerprint)
            """
    }

    /// The lines for users.
    var text: String {
        let links = urls.map { "  \($0)" }.joined(separator: "\n")
        let text =
            "Open this link within \(expiresIn) seconds:\n\(links)\nOr enter the code \(groupedCode) on the page."
        return text + Self.trustText(fingerprint, at: addresses.first)
    }
}
