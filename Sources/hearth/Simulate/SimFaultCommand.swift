import AccessorySimulator
import ArgumentParser
import HAP

/// `hearth sim fault`: lets something go wrong, and puts it right.
struct SimFaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract: "Let something go wrong with an accessory, and put it right again.",
        discussion: """
            A fault is one line, such as “latency 200ms jitter 50ms for 10s”; Documentation/Faults.md lists them. It is an \
            accessory's, or that of one characteristic: NAME/CHARACTERISTIC, or NAME/SERVICE/CHARACTERISTIC where several \
            services have it. It lasts until it is cleared, unless the line says otherwise. “list” is a word of this \
            command: an accessory of that name is called by its serial number.

            Example: hearth sim fault "Hall Lamp/On" "status -70402 once" --data sim
            """,
        subcommands: [Change.self, List.self],
        defaultSubcommand: Change.self
    )

    /// `hearth sim fault NAME LINE` and `hearth sim fault [NAME] --clear`.
    struct Change: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "change",
            abstract: "Let something go wrong; with --clear, put it right.",
            discussion: "Example: hearth sim fault \"Hall Lamp\" --clear --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: ArgumentHelp("The accessory or characteristic.", valueName: "name[/characteristic]"))
        var place: String?
        @Argument(help: ArgumentHelp("What goes wrong, as one argument.", valueName: "fault")) var line: String?
        @Flag(help: "Put right what lasts there; without a name, everywhere.") var clear = false

        func validate() throws {
            guard clear ? line == nil : line != nil else {
                throw ValidationError("Say what is to go wrong and where, or say --clear.")
            }
            _ = try place.map(FaultTargetArgument.init)
        }

        func run() async throws {
            let place = try place.map(FaultTargetArgument.init)
            let client = try SimulatorClient(options)
            guard let line else {
                try await client.call("fault.clear") { place?.write(to: &$0) }
                return
            }
            let fault = try await client.call("fault.inject", as: ControlFault.self) { writer in
                place?.write(to: &writer)
                writer.member("fault", line)
            }
            if options.json { JSONLine(fault).print() }
        }
    }

    /// `hearth sim fault list`.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the faults that last.",
            discussion: "Example: hearth sim fault list --data sim"
        )

        @OptionGroup var options: SimulatorOptions
        @Argument(help: "The accessory; otherwise all.") var accessory: String?

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
                let place = [fault.accessory, fault.service, fault.characteristic].compactMap(\.self)
                table.add(place.joined(separator: "/"), fault.fault)
            }
            table.print()
        }
    }
}

/// Where a fault is, in a word: `NAME`, `NAME/CHARACTERISTIC` or `NAME/SERVICE/CHARACTERISTIC`.
private struct FaultTargetArgument {
    private let accessory: String
    private let service: String?
    private let characteristic: String?

    init(_ text: String) throws {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard (1...3).contains(parts.count), !parts.contains("") else {
            throw ValidationError("“\(text)” is no accessory or characteristic such as “Hall Lamp/On”.")
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
