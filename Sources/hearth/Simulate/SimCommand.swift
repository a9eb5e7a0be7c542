import ArgumentParser

/// `hearth sim`: inspects and changes a running simulator.
struct SimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sim",
        abstract: "Inspect and change running simulated accessories.",
        discussion: """
            Name the simulator by its data folder (--data), by its socket (--control), or with \
            $\(ControlSocketPath.variable). Name accessories by name or serial number. “run” and “library” need no \
            simulator.

            Example: hearth sim set "Garage Door Opener" ObstructionDetected on --data sim
            """,
        subcommands: inspectCommands + controlCommands + editCommands + scenarioCommands
    )

    private static let inspectCommands: [any ParsableCommand.Type] = [
        SimListCommand.self, SimShowCommand.self, SimCodeCommand.self, SimWatchCommand.self,
    ]
    private static let controlCommands: [any ParsableCommand.Type] = [
        SimGetCommand.self, SimSetCommand.self, SimPressCommand.self, SimFaultCommand.self,
    ]
    private static let scenarioCommands: [any ParsableCommand.Type] = [SimRunCommand.self, SimLibraryCommand.self]
    private static let editCommands: [any ParsableCommand.Type] = [
        SimAddCommand.self, SimEditCommand.self, SimServiceCommand.self, SimCharacteristicCommand.self,
        SimRemoveCommand.self, SimResetCommand.self, SimUnpairCommand.self, SimExportCommand.self,
    ]
}
