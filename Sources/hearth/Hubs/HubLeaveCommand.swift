import ArgumentParser
import HubAPI

/// `hearth hub leave`: lets this hub leave the homes to the other one.
struct HubLeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave the homes to the other hub.",
        discussion: """
            The other hub gets all changes, goes on alone, and removes this hub's pairings from the accessories. This hub stops \
            and deletes its keys, so that its data folder can control nothing any more.

            Example: hearth hub leave
            """
    )

    @OptionGroup var options: ClientOptions

    @Flag(help: "Leave even if the other hub can't control all accessories.")
    var force = false

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        _ = try await client.call(HubMethods.leaveHub, LeaveHub(isForced: force ? true : nil))
        if options.json { return ChangeOutput.print(options) }
        ProgramOutput.line(
            "This hub has left, and stops. Delete its data folder; it has no keys any more. To join again, use an empty one."
        )
    }
}
