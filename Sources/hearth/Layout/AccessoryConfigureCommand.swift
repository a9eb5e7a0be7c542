import ArgumentParser
import Foundation
import HubAPI

/// `hearth accessory configure`: brings an accessory onto the network.
struct AccessoryConfigureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "configure",
        abstract: "Bring an accessory onto the Wi-Fi network.",
        discussion: """
            A new accessory opens its own network. The hub finds it there if it was started with --setup-interface, and \
            hands it the name and passphrase of your network. Afterwards, add it with “hearth accessory add”. Without \
            NAME, lists the accessories that aren't on the network.

            On a terminal, prompts for what you omit; otherwise the hub asks (see “hearth questions”). Other users can \
            see command lines, so the passphrase is read from standard input. The hub doesn't store it. Accessories that \
            authenticate themselves with an MFi chip can't be configured.

            Example: hearth accessory configure Lamp --network "My Wi-Fi"
            """
    )

    @OptionGroup var options: ClientOptions

    @Argument(help: "The accessory's name, MAC address or ID.")
    var name: String?

    @Option(help: ArgumentHelp("The network's name.", valueName: "ssid"))
    var network: String?

    @Option(help: ArgumentHelp("The passphrase: “-” for standard input.", valueName: "-"))
    var passphrase: String?

    @Option(name: .customLong("for"), help: ArgumentHelp("The time to look for accessories.", valueName: "seconds"))
    var duration: Double = 5

    func validate() throws {
        guard duration > 0, duration <= 3_600 else {
            throw ValidationError("--for must be more than 0 and at most 3600 seconds.")
        }
        guard passphrase == nil || passphrase == "-" else {
            throw ValidationError("--passphrase must be “-”: other users can see command lines.")
        }
        guard name != nil || (network == nil && passphrase == nil) else {
            throw ValidationError("Name the accessory.")
        }
        guard passphrase == nil || network != nil else {
            throw ValidationError("Use --passphrase with --network.")
        }
    }

    func run() async throws {
        let client = try await HomeClient(options)
        guard let name else { return try await list(client) }
        let accessory = try await find(name, client)
        let network = try network ?? Self.networkInput()
        let passphrase = try passphraseInput(for: network)
        let parameters = ConfigureAccessory(id: accessory.id, network: network, passphrase: passphrase)
        let configured = try await client.call(
            HubMethods.configureAccessory,
            parameters,
            waitingFor: "the accessory to join the network"
        )
        if options.json {
            JSONLine(configured).print()
        } else {
            let next = configured.deviceID.map { " Add it with: hearth accessory add --id \($0)" } ?? ""
            ProgramOutput.line("\(configured.name) is on the network.\(next)")
        }
    }

    /// The name of the network as entered on the terminal; `nil` without a terminal, where the hub asks.
    private static func networkInput() throws(CommandFailure) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        ProgramOutput.note("Network: ", terminator: "")
        guard let line = readLine(), !line.isEmpty else {
            throw CommandFailure(HubError.Code.cancelled.rawValue, "No network was named. Nothing was changed.")
        }
        return line
    }

    private func passphraseInput(for network: String?) throws(CommandFailure) -> String? {
        if passphrase == "-" { return try Passphrase.read(from: STDIN_FILENO) }
        guard network != nil, isatty(STDIN_FILENO) == 1 else { return nil }
        return try Passphrase.ask()
    }

    private func list(_ client: HomeClient) async throws {
        var seen: Set<UUID> = []
        try await browse(client) { accessory in
            guard seen.insert(accessory.id).inserted else { return false }
            if options.json {
                JSONLine(accessory).print()
            } else {
                ProgramOutput.line("\(accessory.macAddress)  \(accessory.name)  \(accessory.model)")
            }
            return false
        }
    }

    private func find(_ name: String, _ client: HomeClient) async throws -> UnconfiguredAccessory {
        var found: [UnconfiguredAccessory] = []
        var match: UnconfiguredAccessory?
        try await browse(client) { accessory in
            found.append(accessory)
            let isMatch = accessory.macAddress.lowercased() == name.lowercased()
            if isMatch || (try? NameLookup("accessory", [(accessory.name, accessory.id, ())]).find(name)) != nil {
                match = accessory
            }
            return match != nil
        }
        if let match { return match }
        let names = found.map { "“\($0.name)”" }.joined(separator: ", ")
        let existing = found.isEmpty ? "No accessory was found." : "Found: \(names)."
        throw CommandFailure(
            "notDiscovered",
            "No accessory “\(name)” that isn't on the network was found. \(existing)"
        )
    }

    /// Passes each accessory to a closure, until it returns `true` or the time is over.
    private func browse(_ client: HomeClient, _ body: (UnconfiguredAccessory) -> Bool) async throws {
        _ = try await client.call(HubMethods.startBrowsingUnconfigured, Empty())
        let timeout = Task {
            try await Task.sleep(for: .seconds(duration))
            client.stopEvents()
        }
        defer { timeout.cancel() }
        for await event in client.events {
            if case .unconfigured(let accessory) = event, body(accessory) { break }
        }
        _ = try await client.call(HubMethods.stopBrowsingUnconfigured, Empty())
    }
}
