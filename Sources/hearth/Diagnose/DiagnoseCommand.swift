import ArgumentParser
import DNSSD
import HomeModel
import HubAPI

/// `hearth diagnose`: what is the matter with an accessory, with a home, or with the discovery of accessories.
struct DiagnoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose",
        abstract: "Find out why an accessory, or the home, does not answer.",
        discussion: """
            With an accessory's name the hub walks the way to it: advertised, address, connection, verification, reading, \
            events. It says where that ends, why, and what to do, within 45 seconds; behind a bridge where others are \
            diagnosed it may wait as long for its turn.

            Without a name it says what is the matter with the home: what its accessories have in common first. For that it \
            listens for some seconds on each interface, as --discovery does. That alone tells what is there, what was \
            seen, who uses UDP port 5353, and which common mistakes it recognises, and needs no hub. Run as root it also \
            names the processes of others.

            Exit codes: 0 nothing was found, 1 something was, 2 wrong usage, 3 no hub.

            Examples: hearth diagnose "Kitchen Light"; hearth diagnose --discovery --mdns-interface eth0
            """
    )

    /// How long to listen may be asked for, in seconds.
    private static let listening = 1.0...120.0
    private static let usualListening = 5.0

    @OptionGroup var options: ClientOptions

    @Argument(help: "An accessory; otherwise the home.")
    var name: String?

    @Flag(help: "Look at the discovery of accessories by multicast DNS alone.")
    var discovery = false

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface, by name or address, to look at; otherwise all.", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("How long to listen, 1 to 120; 5 unless it is said.", valueName: "seconds"))
    var seconds: Double?

    func validate() throws {
        guard name == nil || !discovery && interfaces.isEmpty && seconds == nil else {
            throw ValidationError(
                "An accessory is looked at from the hub: leave --discovery, --mdns-interface and --seconds out."
            )
        }
        guard seconds.map(Self.listening.contains) ?? true else {
            throw ValidationError("--seconds takes 1 to 120.")
        }
    }

    func run() async throws {
        if let name {
            try await diagnose(name)
        } else if discovery {
            try await diagnoseDiscovery()
        } else {
            try await diagnoseHouse()
        }
    }

    private func diagnose(_ name: String) async throws {
        let client = try await HomeClient(options)
        let home = try client.home()
        let record = try home.accessory(name)
        let target = Target(home: home.home.id, id: record.id)
        let diagnosis = try await client.call(HubMethods.diagnoseAccessory, target, waitingFor: "“\(record.name)”")
        if options.json {
            JSONLine(diagnosis).print()
        } else {
            AccessoryDiagnosisText(diagnosis, of: record.name).print()
        }
        guard let cause = diagnosis.cause else { return }
        throw CommandFailure(cause.trouble.rawValue, cause.text, trouble: cause.trouble.rawValue)
    }

    private func diagnoseHouse() async throws {
        let client = try await HomeClient(options)
        let home = try client.home().home.id
        let discovery = await examination.report()
        // The hub had the same time to reach what it had not reached yet.
        guard let present = client.view.account.home(home), let state = client.view.homes[home] else {
            throw CommandFailure("notFound", "The home was removed meanwhile.")
        }
        let report = HomeDiagnosis(
            of: NamedHome(name: present.name, home: state),
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
        let report = await examination.report()
        if options.json {
            JSONLine(report).print()
        } else {
            DiscoveryReportText(report).print()
        }
        try end(with: report.findings.count { $0.isProblem }, "discoveryProblems")
    }

    private var examination: DiscoveryCheck {
        DiscoveryCheck(
            selectors: interfaces.map { InterfaceSelector($0) },
            listening: .seconds(seconds ?? Self.usualListening)
        )
    }

    private func end(with problems: Int, _ code: String) throws(CommandFailure) {
        guard problems > 0 else { return }
        throw CommandFailure(code, problems == 1 ? "There is a problem." : "There are \(problems) problems.")
    }
}
