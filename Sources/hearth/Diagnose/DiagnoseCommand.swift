import ArgumentParser
import DNSSD
import HomeModel
import HubAPI

/// `hearth diagnose`: diagnoses an accessory, the home, or discovery.
struct DiagnoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose",
        abstract: "Diagnose an accessory, the home or discovery.",
        discussion: """
            With an accessory's name, the hub checks the path to it in seven steps: allowed, advertised, address, \
            connection, verification, reading, events. Prints the step that fails, the likely cause and the next step. \
            A diagnosis takes at most 45 seconds, and may wait as long for another one on the same bridge.

            Without a name, diagnoses the home, starting with problems that its accessories share. This also listens \
            for some seconds on the interfaces that the hub uses, as --discovery does on all. With --discovery, checks only this host and its \
            networks, without a hub: interfaces, accessories found, programs on UDP port 5353, and common mistakes. \
            Only root can name other users' processes.

            Exit codes: 0 no problem, 1 a problem, 2 wrong usage, 3 no hub.

            Example: hearth diagnose "Kitchen Light"
            """
    )

    /// The valid range of `--seconds`.
    private static let validSeconds = 1.0...120.0
    private static let defaultSeconds = 5.0

    @OptionGroup var options: ClientOptions

    @Argument(help: "The accessory (default: the home).")
    var name: String?

    @Flag(help: "Diagnose only discovery over multicast DNS.")
    var discovery = false

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp(
            "An interface to check, by name or address (default: those of the hub; with --discovery, all).",
            valueName: "name"
        )
    )
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("The time to listen, 1 to 120 (default: 5).", valueName: "seconds"))
    var seconds: Double?

    func validate() throws {
        guard name == nil || !discovery && interfaces.isEmpty && seconds == nil else {
            throw ValidationError(
                "--discovery, --mdns-interface and --seconds don't apply to an accessory."
            )
        }
        guard seconds.map(Self.validSeconds.contains) ?? true else {
            throw ValidationError("--seconds must be 1 to 120.")
        }
    }

    func run() async throws {
        if let name {
            try await diagnose(name)
        } else if discovery {
            try await diagnoseDiscovery()
        } else {
            try await diagnoseHome()
        }
    }

    private func diagnose(_ name: String) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let record = try home.accessory(name)
        let target = ItemTarget(home: home.home.id, id: record.id)
        let diagnosis = try await client.call(HubMethods.diagnoseAccessory, target, waitingFor: "“\(record.name)”")
        if options.json {
            JSONLine(diagnosis).print()
        } else {
            AccessoryDiagnosisText(diagnosis, of: record.name).print()
        }
        guard let cause = diagnosis.cause else { return }
        throw CommandFailure(cause.trouble.rawValue, cause.text, trouble: cause.trouble.rawValue)
    }

    private func diagnoseHome() async throws {
        let client = try await HomeClient(options)
        let home = try client.home().home.id
        // Accessories on an interface that the hub doesn't use would only mislead.
        let discovery = await discoveryCheck(on: interfaces.isEmpty ? client.welcome.interfaces ?? [] : interfaces)
            .report()
        // While this command listened, the hub had time to reach accessories that it was still connecting to.
        guard let current = client.view.account.home(home), let state = client.view.homes[home] else {
            throw CommandFailure("notFound", "The home was removed during the diagnosis.")
        }
        let report = HomeDiagnosis(
            of: NamedHome(name: current.name, home: state),
            in: client.view,
            discovery: discovery
        )
        if options.json {
            JSONLine(report).print()
        } else {
            HomeDiagnosisText(report).print()
        }
        let count = report.findings.count { $0.isProblem || !$0.accessories.isEmpty }
        try end(with: count, "homeProblems")
    }

    private func diagnoseDiscovery() async throws {
        let report = await discoveryCheck(on: interfaces).report()
        if options.json {
            JSONLine(report).print()
        } else {
            DiscoveryReportText(report).print()
        }
        try end(with: report.findings.count { $0.isProblem }, "discoveryProblems")
    }

    private func discoveryCheck(on interfaces: [String]) -> DiscoveryCheck {
        DiscoveryCheck(
            selectors: interfaces.map { InterfaceSelector($0) },
            listening: .seconds(seconds ?? Self.defaultSeconds)
        )
    }

    private func end(with problems: Int, _ code: String) throws(CommandFailure) {
        guard problems > 0 else { return }
        throw CommandFailure(code, problems == 1 ? "Found 1 problem." : "Found \(problems) problems.")
    }
}
