import AccessorySimulator
import ArgumentParser
import HAP

/// `hearth sim fault`: injects and clears faults.
struct SimFaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Inject and clear faults.",
        discussion: """
            A fault is one line, such as “latency 200ms jitter 50ms for 10s”; Documentation/Faults.md lists all \
            faults. It affects an accessory or one characteristic: NAME/CHARACTERISTIC, or NAME/SERVICE/CHARACTERISTIC \
            if several services have it. Unless the line limits it, a fault lasts until you clear it. Name an \
            accessory called “list” by its serial number.

            Example: hearth sim fault "Hall Lamp/On" "status -70402 once" --data sim
            """,
        subcommands: [Change.self, List.self],
        defaultSubcommand: Change.self
    )

    /// `hearth sim fault NAME LINE` and `hearth sim fault [NAME] --clear`.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Inject a fault, or clear faults with --clear.",
            discussion: "Example: hearth sim fault \"Hall Lamp\" --clear --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: ArgumentHelp("The accessory or characteristic.", valueName: "name[/characteristic]"))
        var target: String?
        @Argument(help: ArgumentHelp("The fault, as one argument.", valueName: "fault")) var line: String?
        @Flag(help: "Clear the faults there, or everywhere without a name.") var clear = false

        func validate() throws {
            guard clear ? line == nil : line != nil else {
                throw ValidationError("Name a target and a fault, or use --clear.")
            }
            _ = try target.map(FaultTargetArgument.init)
        }

        func run() async throws {
            let target = try target.map(FaultTargetArgument.init)
            let client = try SimulatorClient(options)
            guard let line else {
                try await client.call("fault.clear") { target?.write(to: &$0) }
                return
            }
            let fault = try await client.call("fault.inject", as: ControlFault.self) { writer in
                target?.write(to: &writer)
                writer.member("fault", line)
            }
            if options.json { JSONLine(fault).print() }
        }
    }

    /// `hearth sim fault list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List active faults.",
            discussion: "Example: hearth sim fault list --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: "The accessory (default: all).") var accessory: String?

        func run() async throws {
            let client = try SimulatorClient(options)
            let faults = try await client.call("fault.list", as: ControlFaults.self) { writer in
                if let accessory { writer.member("accessory", accessory) }
            }.faults
            if options.json {
                JSONLine(faults).print()
                return
            }
            var table = Table()
            for fault in faults {
                let target = [fault.accessory, fault.service, fault.characteristic].compactMap(\.self)
                table.add(target.joined(separator: "/"), fault.fault)
            }
            table.print()
        }
    }
}

/// The target of a fault: `NAME`, `NAME/CHARACTERISTIC` or `NAME/SERVICE/CHARACTERISTIC`.
private struct FaultTargetArgument {
    private let accessory: String
    private let service: String?
    private let characteristic: String?

    init(_ text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), !parts.contains("") else {
            throw ValidationError("“\(text)” is not an accessory or a characteristic such as “Hall Lamp/On”.")
        }
        accessory = parts[0]
        characteristic = parts.count > 1 ? parts[parts.count - 1] : nil
        service = parts.count > 2 ? parts[1] : nil
    }

    func write(to writer: inout JSONWriter) {
        writer.member("accessory", accessory)
        if let characteristic { writer.member("characteristic", characteristic) }
        if let service { writer.member("service", service) }
    }
}
