import ArgumentParser
import HubAPI

/// `hearth leave`: makes this device forget a hub.
struct LeaveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave a home that this device has joined.",
        discussion: """
            This device's keys for the hub and its copy of the hub's homes are deleted. The person stays a user of the home; \
            see “hearth user remove”.

            Example: hearth leave Villa
            """
    )

    @OptionGroup var options: ClientOptions
    @Argument(help: "The hub's name or ID, or the name of one of its homes.") var hub: String

    func run() async throws {
        let client = try await HomeClient(options)
        defer { client.close() }
        do throws(HubError) {
            _ = try await client.call(AgentMethods.leave, AgentHubTarget(hub: hub))
        } catch {
            guard error.code == .unknownMethod else { throw error }
            throw CommandFailure("unknownMethod", "A hub serves this machine, so there is nothing to leave.")
        }
        ChangeOutput.print(options)
    }
}
