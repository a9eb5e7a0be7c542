import ArgumentParser
import HubAPI

/// `hearth hub remove`: removes the other hub.
struct HubRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the other hub, which is lost.",
        discussion: """
            This hub goes on alone. Accessories lose the other hub's pairings, now or when they are reachable, and devices no \
            longer connect to it. The other hub stops and deletes its keys: now if it runs, and otherwise when it is on again and \
            reaches this one. If it never will be, run the command once more, so that this hub doesn't wait for it any longer. \
            To let a hub leave in order, run “hearth hub leave” there.

            Example: hearth hub remove cellar
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "The other hub's name, or the beginning of its ID.") var name: String

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        let status = try await client.call(HubMethods.removeHub, RemoveHub(hub: name))
        if options.json { return JSONLine(status).print() }
        ProgramOutput.line("Removed \(name).\(status.hubs.count == 1 ? " This hub goes on alone." : "")")
    }
}
