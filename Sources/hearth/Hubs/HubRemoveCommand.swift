import ArgumentParser
import HubAPI

/// `hearth hub remove`: removes the other hub.
struct HubRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the other hub, which is lost.",
        discussion: """
            This hub goes on alone. Accessories lose the other hub's pairings, now or when they are reachable, and devices no \
            longer connect to it. If the other hub still runs, it stops and deletes its keys; to let it leave in order, run \
            “hearth hub leave” there.

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
        ProgramOutput.line("Removed \(name). This hub goes on alone.")
    }
}
