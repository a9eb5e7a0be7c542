import AccessoryCheck
import ArgumentParser
import ControllerCheck
import Foundation
import HAP
import HAPServer

/// `hearth check controller`: is the accessory, and judges what a controller does.
struct CheckControllerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "controller",
        abstract: "Test any HAP controller.",
        discussion: """
            Is the accessory, in one scenario after the other: a good bridge, one that is strict, and hostile ones. The \
            controller pairs, lists the accessories, reads, subscribes, switches the lamp on and off, and unpairs. Each \
            scenario begins with a line that has the address, the setup code and what to do. Needs no hub.

            With --exec, a command drives the controller in each scenario, and the scenario ends with it. It finds the \
            accessory in HEARTH_CHECK_HOST, HEARTH_CHECK_PORT, HEARTH_CHECK_CODE, HEARTH_CHECK_DEVICE_ID, \
            HEARTH_CHECK_NAME, HEARTH_CHECK_PAYLOAD, HEARTH_CHECK_SCENARIO and HEARTH_CHECK_KIND. It may fail; only what \
            the controller sends counts, and whether a signal ends it. Without --exec, a scenario ends when the \
            controller has unpaired, or has refused the accessory and is gone; Enter ends it earlier.

            Listens and advertises on the loopback interface, unless --bind and --mdns-interface say otherwise.

            A check fails the run if its severity is must or security; with --strict, also if it is should.

            Exit codes: 0 no failure, 1 a check failed, the controller never came or the run ended early (standard error \
            names the error), 2 wrong usage.

            Example: hearth check controller --exec 'python3 drive.py' --junit checks.xml
            """
    )

    private static let loopback = "127.0.0.1"

    @Option(help: ArgumentHelp("The port; 0 selects a free one in each scenario.", valueName: "port"))
    var port = 0

    @Option(help: ArgumentHelp("The address to listen on (default: 127.0.0.1).", valueName: "addr"))
    var bind: String?

    @Option(help: ArgumentHelp("The setup code (default: another one in each scenario).", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp("A scenario, or lenient, strict or hostile; repeat it for several.", valueName: "name")
    )
    var scenario: [String] = []

    @Option(help: ArgumentHelp("A check or a group to judge; repeat it for several.", valueName: "id"))
    var only: [String] = []

    @Option(help: ArgumentHelp("A shell command that drives the controller in each scenario.", valueName: "command"))
    var exec: String?

    @Option(help: ArgumentHelp("The seconds to wait for the controller in each scenario.", valueName: "seconds"))
    var timeout = 120

    @OptionGroup var reporting: CheckReportOptions

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp(
            "An interface to advertise on, by name or address (default: 127.0.0.1).",
            valueName: "name"
        )
    )
    var interfaces: [String] = []

    @Flag(name: .customLong("no-mdns"), help: "Don't advertise the accessory.")
    var noMDNS = false

    func validate() throws {
        for word in only where ControllerCheck.with(id: word) == nil && !ControllerCheck.groups.contains(word) {
            throw ValidationError("There is no check or group “\(word)”. List them with --list.")
        }
        for word in scenario where Scenario.with(name: word) == nil && Scenario.Kind(rawValue: word) == nil {
            let names = Scenario.all.map(\.name).joined(separator: ", ")
            throw ValidationError("There is no scenario “\(word)”. There are lenient, strict, hostile, \(names).")
        }
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be 0 to 65535.") }
        guard (1...86_400).contains(timeout) else { throw ValidationError("--timeout must be 1 to 86400.") }
        guard !noMDNS || interfaces.isEmpty else { throw ValidationError("Use either --mdns-interface or --no-mdns.") }
    }

    func run() async throws {
        let lines = reporting.lines
        if reporting.list { return printList(lines) }
        let shutdown = ShutdownSignal()
        var options = ControllerCheckOptions()
        options.bindAddress = bind ?? (interfaces.isEmpty ? Self.loopback : nil)
        options.port = port
        options.code = try setupCode()
        options.scenarios = Set(scenario)
        options.only = Set(only)
        options.timeout = .seconds(timeout)
        if let exec {
            let driver = DriverCommand(command: exec)
            options.drive = { try await driver.run($0) }
        } else {
            let input = StandardInputLines()
            options.next = { await input.next() }
        }
        options.advertiser = try await advertiser()
        try reporting.makeTranscriptFolder()
        let output = ControllerCheckOutput(lines: lines, transcripts: reporting.transcript)
        let runner = ControllerCheckRunner(options: options)
        let run = Task { await runner.run { output.report($0) } }
        let watch = Task {
            await shutdown.wait()
            run.cancel()
        }
        let summary = await run.value
        watch.cancel()
        await options.advertiser?.shutdown()
        output.end(summary)
        try reporting.writeReport(summary.results)
        try fail(summary)
    }

    private func fail(_ summary: ControllerCheckSummary) throws {
        if let problem = summary.problem { throw CommandFailure(problem.code, problem.reason) }
        guard summary.visits > 0 else {
            throw CommandFailure("notVisited", "The controller did not come in any scenario.")
        }
        try reporting.fail(summary.failureCount(isStrict: reporting.strict))
    }

    private func advertiser() async throws -> Advertiser? {
        guard !noMDNS else { return nil }
        guard interfaces.isEmpty else { return try await Advertiser(interfaces: interfaces) }
        do {
            return try await Advertiser(interfaces: [Self.loopback])
        } catch {
            ProgramOutput.note("The accessory isn't advertised: \(error.reason)")
            return nil
        }
    }

    private func setupCode() throws -> SetupCode? {
        do {
            return try code.map { try SetupCode($0) }
        } catch {
            throw CommandFailure("invalidSetupCode", "A setup code has eight digits, as in 482-11-957.")
        }
    }

    private func printList(_ lines: CheckLines) {
        for place in Scenario.all
        where scenario.isEmpty || scenario.contains(place.name)
            || scenario.contains(place.kind.rawValue)
        {
            for check in place.checks
            where only.isEmpty || only.contains(check.id) || only.contains(check.description.group) {
                lines.list(check.description, scenario: place.name)
            }
        }
    }
}
