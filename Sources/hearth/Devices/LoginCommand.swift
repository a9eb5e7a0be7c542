import ArgumentParser
import Foundation
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
    }

    @OptionGroup var options: ClientOptions

    @Option(help: ArgumentHelp("The user of the home to sign in (default: you).", valueName: "name"))
    var user: String?

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
            JSONLine(Output(code: login.code, expiresIn: login.expiresIn, links: login.links)).print()
        } else {
            ProgramOutput.line(login.text)
        }
    }
}

extension LoginCode {
    /// The links that sign in. A browser doesn't send the part after `#`, so the code appears in no log.
    var links: [String] { addresses.map { "\($0)/#code=\(code)" } }

    /// The code in two groups.
    var groupedCode: String { "\(code.prefix(4))-\(code.suffix(4))" }

    /// The lines for users.
    var text: String {
        let links = links.map { "  \($0)" }.joined(separator: "\n")
        return "Open this link within \(expiresIn) seconds:\n\(links)\nOr enter the code \(groupedCode) on the page."
    }
}
