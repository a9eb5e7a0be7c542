import ArgumentParser
import HubAPI
import HubServer

/// `hearth sync`: keeps the homes' changes, encrypted, at a relay.
struct SyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Keep everybody's devices up to date through a relay.",
        discussion: """
            The hub writes what each person may know of the homes to a relay, encrypted for the person's devices. The devices \
            read it there while they are away. The relay learns sizes and times, and can't change what devices believe. \
            To run a relay, see “hearth relay”.

            Example: hearth sync on https://relay.example.org --token hearth-relay-…
            """,
        subcommands: [On.self, Off.self, Status.self, SyncRecoverCommand.self, SyncDiscardCommand.self],
        defaultSubcommand: Status.self
    )

    struct On: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "on",
            abstract: "Begin to use a relay, or move to another one.",
            discussion: """
                The first time, a relay may ask for a registration token, which its operator gives. If the hub uses another \
                relay already, everything moves to the new one. Devices that are away read at the former relay where to go on, for 30 days. \
                Then the former feeds are deleted there.

                A relay with a certificate that no authority has signed prints its address with a pin, as in \
                https://192.168.1.5:8443#pin=…. Hub and devices then take only the key of that certificate for the relay's. Before the \
                relay gets another key, use this command with the present address and --certificate of the other key: both keys count \
                then. Afterwards, use it with the new address: everything stays at the relay.

                Example: hearth sync on https://relay.example.org --token hearth-relay-…
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The relay's address, such as https://relay.example.org.") var relay: String
        @Option(help: ArgumentHelp("The registration token, if the relay needs one.", valueName: "token"))
        var token: String?
        @Option(
            help: ArgumentHelp(
                "The relay's own certificate, in PEM's format, if no authority has signed it: hub and devices then know the relay by its key.",
                valueName: "file"
            ),
            completion: .file()
        )
        var certificate: String?
        @Flag(
            inversion: .prefixedNo,
            help:
                "Keep an encrypted backup at the relay, which only the owner's devices open (default: as before, at first no)."
        )
        var vault: Bool?

        func run() async throws {
            let relay = try address()
            let client = try await HomeClient(options)
            defer { client.close() }
            let status = try await client.call(
                HubMethods.enableSync,
                EnableSync(relay: relay, token: token, keepsVault: vault)
            )
            if options.json { return JSONLine(status).print() }
            ProgramOutput.line("The hub keeps everybody's feeds at \(relay).")
            if status.feeds.isEmpty { ProgramOutput.line(SyncText.noFeeds) }
        }

        /// Returns the relay's address, with the pin of its certificate if there is one.
        private func address() throws -> String {
            guard let certificate else { return relay }
            return try PinnedRelay(at: relay, certificate: certificate).url
        }
    }

    struct Off: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "off",
            abstract: "Stop using the relay, and end the feeds there.",
            discussion: """
                Devices keep what they have, and get changes only while they reach the hub. The last entry of each feed says so to \
                devices that are away. It is deleted after 30 days.

                Example: hearth sync off
                """
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            let status = try await client.call(HubMethods.disableSync, Empty())
            if options.json { return JSONLine(status).print() }
            ProgramOutput.line("The hub uses no relay.")
        }
    }

    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show whether each person's feed is up to date.",
            discussion: """
                On a device that joined a home, shows for each hub what the device reads at the relay, as of when its homes are, \
                and why nothing more is read.

                Example: hearth sync status
                """
        )
        @OptionGroup var options: ClientOptions

        func run() async throws {
            let client = try await HomeClient(options)
            defer { client.close() }
            if let hubs = try await Self.agentHubs(client) {
                if options.json { return JSONLine(hubs).print() }
                for line in AgentSyncText.lines(hubs, at: .local) { ProgramOutput.line(line) }
                return
            }
            let status = try await client.call(HubMethods.syncStatus, Empty())
            if options.json { return JSONLine(status).print() }
            let time = try await HubTime(of: client)
            for line in SyncText.lines(status, at: time) { ProgramOutput.line(line) }
        }

        /// Returns an agent's hubs; `nil` from a hub itself.
        private static func agentHubs(_ client: HomeClient) async throws(HubError) -> [AgentHubs.Hub]? {
            do throws(HubError) {
                return try await client.call(AgentMethods.hubs, Empty()).hubs
            } catch {
                guard error.code == .unknownMethod else { throw error }
                return nil
            }
        }
    }
}
