import ArgumentParser
import DNSSD

/// `hearth diagnose --discovery`: why accessories are not found.
struct DiagnoseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diagnose",
        abstract: "Find out why accessories are not found.",
        discussion: """
            Listens for some seconds on each interface, and tells what is there, what was seen, who uses UDP port 5353, and \
            which common mistakes it recognises. Needs no hub. Run as root it also names the processes of others.

            Exit codes: 0 no problem was found, 1 there are problems, 2 wrong usage.

            Example: hearth diagnose --discovery --mdns-interface eth0
            """
    )

    /// How long to listen may be asked for, in seconds.
    private static let listening = 1.0...120.0

    @Flag(help: "Look at the discovery of accessories by multicast DNS.")
    var discovery = false

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface, by name or address, to look at; otherwise all.", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(help: ArgumentHelp("How long to listen, 1 to 120.", valueName: "seconds"))
    var seconds: Double = 5

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        guard discovery else {
            throw ValidationError("Say what to look at: --discovery.")
        }
        guard Self.listening.contains(seconds) else {
            throw ValidationError("--seconds takes 1 to 120.")
        }
    }

    func run() async throws {
        let report = await DiscoveryExamination(
            selectors: interfaces.map { InterfaceSelector($0) },
            listening: .seconds(seconds)
        )
        .report()
        if json {
            JSONLine(report).print()
        } else {
            DiscoveryReportText(report).print()
        }
        let problems = report.findings.count { $0.isProblem }
        guard problems == 0 else {
            throw CommandFailure(
                "discoveryProblems",
                problems == 1 ? "There is a problem." : "There are \(problems) problems."
            )
        }
    }
}
