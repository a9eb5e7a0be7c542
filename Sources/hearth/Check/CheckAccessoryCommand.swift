import AccessoryCheck
import ArgumentParser
import ControllerFiles
import DNSSD
import Foundation
import HAP

/// `hearth check accessory`: runs the conformance checks at an accessory.
struct CheckAccessoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accessory",
        abstract: "Test any HAP accessory.",
        discussion: """
            Pairs the accessory, runs the checks, restores the values that it wrote, and unpairs; so does Ctrl-C. Needs \
            no hub. Name the accessory by its ID, its name, or by host and port. Other users can see command lines, so \
            prefer “--code -”, which reads the setup code from standard input. A wrong code is tried once.

            Writes one characteristic, but none of locks, doors, windows, valves and security systems unless \
            --allow-actuators is given, and identifies the accessory.

            --attacks adds malformed, forged and replayed messages and floods of connections, up to five minutes long, and \
            only at loopback, link-local and private addresses. They use up to 50 of an accessory's 100 tries for wrong \
            codes; the pairing at the end clears them.

            A check fails the run if its severity is must or security; with --strict, also if it is should. --only runs \
            a check or a group again.

            Exit codes: 0 no failure, 1 a check failed or the run ended early (standard error names the error), 2 wrong \
            usage.

            Example: echo 482-11-957 | hearth check accessory --host 192.168.1.20 --port 51826 --code -
            """
    )

    private static let listeningTime = Duration.seconds(5)

    @Argument(help: "The accessory's name, as it is advertised.")
    var name: String?

    @Option(help: ArgumentHelp("The accessory's host name or address.", valueName: "host"))
    var host: String?

    @Option(help: ArgumentHelp("The accessory's port, with --host.", valueName: "port"))
    var port: Int?

    @Option(help: ArgumentHelp("The device ID that the accessory advertises.", valueName: "device-id"))
    var id: String?

    @Option(help: ArgumentHelp("The setup code, or “-” for standard input.", valueName: "code"))
    var code: String?

    @Option(help: ArgumentHelp("A file with an existing pairing to use, which stays.", valueName: "file"))
    var pairing: String?

    @Option(help: ArgumentHelp("A check or a group to run; repeat it for several.", valueName: "id"))
    var only: [String] = []

    @Flag(help: "Allow writing to locks, doors, windows, valves and security systems.")
    var allowActuators = false

    @Flag(help: "Attack the accessory, too.")
    var attacks = false

    @Option(help: ArgumentHelp("A shell command that restarts the accessory.", valueName: "command"))
    var restart: String?

    @Option(help: ArgumentHelp("A shell command that stops the accessory before --restart.", valueName: "command"))
    var stop: String?

    @Option(help: ArgumentHelp("The seconds to wait for an answer, 1 to 600.", valueName: "seconds"))
    var timeout = 10

    @OptionGroup var reporting: CheckReportOptions

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to listen on, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    func validate() throws {
        for word in only where Check.with(id: word) == nil && CheckGroup(rawValue: word) == nil {
            throw ValidationError("There is no check or group “\(word)”. List them with --list.")
        }
        if !attacks, !reporting.list, let attack = only.first(where: { $0.hasPrefix(CheckGroup.attacks.rawValue) }) {
            throw ValidationError("“\(attack)” attacks the accessory. Add --attacks.")
        }
        guard (1...600).contains(timeout) else { throw ValidationError("--timeout must be 1 to 600.") }
        guard stop == nil || restart != nil else { throw ValidationError("Use --stop together with --restart.") }
        if reporting.list { return }
        guard [name, host, id].count(where: { $0 != nil }) == 1 else {
            throw ValidationError("Name the accessory by its name, by --id, or by --host and --port.")
        }
        guard (host == nil) == (port == nil) else { throw ValidationError("Use --host and --port together.") }
        if let port, !(1...65_535).contains(port) { throw ValidationError("--port must be 1 to 65535.") }
        guard (code == nil) != (pairing == nil) else { throw ValidationError("Use either --code or --pairing.") }
    }

    func run() async throws {
        if reporting.list { return printList() }
        let shutdown = ShutdownSignal()
        let access = try access()
        let listener = await AccessoryListener(interfaces: interfaces, matching: matching)
        let target: CheckTarget
        if let host, let port {
            target = CheckTarget(host: host, port: port)
        } else if let found = await listener?.target(within: Self.listeningTime) {
            target = found
        } else {
            throw CommandFailure("notAdvertised", "The accessory isn't advertised. Use --host and --port.")
        }
        var options = CheckOptions(access: access)
        options.only = Set(only)
        options.allowsActuators = allowActuators
        options.attacks = attacks
        options.responseTime = .seconds(timeout)
        options.keepsTranscripts = reporting.transcript != nil
        // Wait for the first advertisement, so that a quiet network isn't taken for a missing one.
        if await listener?.target(within: Self.listeningTime) != nil { options.advertisements = listener?.source }
        if let restart {
            options.restart = { try await ShellCommand(restart).restart(target, listener) }
        }
        if let stop {
            options.stop = { try await ShellCommand(stop).run() }
        }
        try reporting.makeTranscriptFolder()
        let runner = CheckRunner(target: target, options: options)
        let output = CheckOutput(lines: reporting.lines, transcripts: reporting.transcript)
        let run = Task { await runner.run { output.report($0) } }
        let watch = Task {
            await shutdown.wait()
            run.cancel()
        }
        let summary = await run.value
        watch.cancel()
        await listener?.stop()
        output.end(summary)
        try reporting.writeReport(summary.results)
        if let problem = summary.problems.first { throw CommandFailure(problem.code, problem.reason) }
        try reporting.fail(summary.failureCount(isStrict: reporting.strict))
    }

    private func printList() {
        let checks = Check.all.filter { only.isEmpty || only.contains($0.id) || only.contains($0.group.rawValue) }
        let lines = reporting.lines
        for check in checks { lines.list(check.description) }
    }

    private func access() throws -> CheckOptions.Access {
        if let pairing { return .pairing(try existingPairing(pairing)) }
        var text = code ?? ""
        if text == "-" {
            guard let line = readLine() else {
                throw CommandFailure("invalidSetupCode", "Standard input contains no setup code.")
            }
            text = line.trimmingCharacters(in: .whitespaces)
        }
        do {
            return .code(try SetupCode(text))
        } catch {
            throw CommandFailure("invalidSetupCode", "A setup code has eight digits, as in 482-11-957.")
        }
    }

    private func existingPairing(_ path: String) throws -> ExistingPairing {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw CommandFailure("fileUnreadable", "\(path) can't be read.")
        }
        let entries: [ControllerFile.Entry]
        do {
            entries = try ControllerFile(reading: Array(bytes)).entries
        } catch {
            throw CommandFailure("fileUnreadable", "\(path): \(error)")
        }
        let wanted = id.flatMap { DeviceID($0) }
        let matching = entries.filter { wanted == nil || $0.deviceID == wanted }
        guard matching.count == 1, let entry = matching.first else {
            throw CommandFailure(
                "ambiguousPairing",
                "\(path) has \(matching.count) pairings that match. Select one with --id."
            )
        }
        do {
            let pairing = try entry.pairing.get()
            return ExistingPairing(
                controller: pairing.controllerIdentity,
                accessory: PairedAccessory(deviceID: pairing.deviceID, publicKey: pairing.accessoryPublicKey)
            )
        } catch {
            throw CommandFailure("fileUnreadable", "\(path): \(error)")
        }
    }

    /// Returns whether a service is the accessory under test.
    private var matching: @Sendable (Service) -> Bool {
        if let id {
            let wanted = DeviceID(id)
            return { service in wanted != nil && service.txt["id"].flatMap { DeviceID($0) } == wanted }
        }
        if let name { return { $0.instance.name == name } }
        let (host, port) = (host ?? "", port ?? 0)
        return { service in
            let isHere = service.addresses.contains { $0.description == host || "\($0.address)" == host }
            return Int(service.port) == port && (isHere || IPAddress(host) == nil)
        }
    }
}
