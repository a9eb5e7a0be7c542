import ArgumentParser
import Foundation
import HomeHub
import HomeIdentity
import HubServer

/// `hearth hub join`: makes this machine's hub the second one of homes.
struct HubJoinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Make this machine the second hub of homes.",
        discussion: """
            “hearth hub invite” shows the link at the first hub. The data folder must have no homes. The command shows six digits, \
            waits until the owner has confirmed them at the first hub, and gets its homes. Then start this hub with “hearth \
            hub”. What was interrupted goes on with the same command, with the link or without it.

            Example: hearth hub join 'HEARTH:JOIN:…'
            """
    )

    /// The JSON output: one line when the hub waits to be let in, and one when it has the homes.
    private struct Output: Encodable {
        var event: String
        var hub: String?
        var digits: String?
        var data: String
    }

    @Argument(help: ArgumentHelp("The link (default: go on with what was interrupted).", valueName: "link"))
    var link: String?

    @Option(
        help: ArgumentHelp("The data folder, created if needed (default: that of “hearth hub”).", valueName: "dir"),
        completion: .directory
    )
    var data: String?

    @Option(help: ArgumentHelp("This hub's name (default: the host's).", valueName: "name"))
    var name: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var logging: LogOptions

    func run() async throws {
        let link: InvitationLink?
        do {
            link = try self.link.map { try InvitationLink($0) }
        } catch {
            throw CommandFailure("wrongInvitationCode", "\(error)")
        }
        let folder = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.data()
        let hub = try await JoiningHub.open(folder)
        do {
            let joining = HubJoining(hub, log: logging.logger(otherwise: .error, json: json))
            try await joining.join(link, as: name ?? ProcessInfo.processInfo.hostName) { [json] digits, reply in
                guard !json else {
                    let output = Output(event: "waiting", hub: reply.hubName, digits: digits.text, data: folder.path)
                    return JSONLine(output).print()
                }
                ProgramOutput.line(
                    "\(digits.text)\nCompare these digits with those that “hearth questions” shows at “\(reply.hubName)”, and "
                        + "confirm them there. Waiting …"
                )
            }
        } catch {
            try? await hub.close()
            throw error
        }
        try await hub.close()
        if json { return JSONLine(Output(event: "joined", data: folder.path)).print() }
        let option = data.map { " --data \($0)" } ?? ""
        ProgramOutput.line("This hub has the homes. Start it: hearth hub\(option)")
    }
}
