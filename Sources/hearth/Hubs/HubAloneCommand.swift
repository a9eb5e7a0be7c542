import ArgumentParser
import Foundation
import HubAPI

/// `hearth hub alone`: lets a hub go on that reaches neither the other one nor the relay.
struct HubAloneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alone",
        abstract: "Go on without the other hub and the relay.",
        discussion: """
            A hub that reaches neither the other one nor a relay that votes changes nothing, because the other one may lead. If \
            the other hub is lost, this command ends the pair. Switch the other hub off for good before: if it ran on, there \
            would be two hubs with different homes. Changes that only the other hub had are lost.

            Example: hearth hub alone
            """
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Confirm that the other hub is off for good.")
    var yes = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        if !yes { try confirm(try await client.call(HubMethods.hubs, Empty())) }
        let status = try await client.call(HubMethods.goOnAlone, Empty())
        if options.json { return JSONLine(status).print() }
        ProgramOutput.line("This hub goes on alone. Never start the other one again with its data folder: delete that.")
    }

    private func confirm(_ status: HubsStatus) throws {
        guard let other = status.hubs.first(where: { !$0.isOwn }) else { return }
        guard ProgramOutput.isTerminal, isatty(STDIN_FILENO) == 1 else {
            let reason = "Switch “\(other.name)” off for good first, and confirm that with --yes."
            throw CommandFailure("notAllowedNow", reason)
        }
        let question = "Is “\(other.name)” switched off for good? Its latest changes may be lost. [y/N]"
        ProgramOutput.note(question, terminator: " ")
        guard readLine()?.lowercased().hasPrefix("y") == true else {
            throw CommandFailure("notAllowedNow", "Nothing was changed.")
        }
    }
}
