import ArgumentParser
import HubAPI

/// `hearth hub list`: shows the hubs that keep the homes.
struct HubListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the hubs of the homes and how they stand.",
        discussion: """
            Shows which hub leads since when, whether the other one is connected and has all changes, whether a relay votes, \
            which accessories only this hub controls, which don't prepare writes, and what would happen if this hub stopped.

            Example: hearth hub list
            """
    )

    @OptionGroup var options: ClientOptions

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let status = try await client.call(HubMethods.hubs, Empty())
        if options.json { return JSONLine(status).print() }
        HubsText.print(status, at: try await HubTime(of: client))
    }
}
