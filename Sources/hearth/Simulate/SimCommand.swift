import ArgumentParser

/// `hearth sim`: looks at and changes a simulator that runs.
struct SimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sim",
        abstract: "Look at and change simulated accessories while they run, and run scenarios.",
        discussion: """
            Name the simulator by its data folder (--data), by its socket (--control), or once for all by \
            $\(ControlSocketPath.variable). Accessories are named by name or serial number.

            Example: hearth sim set "Garage Door Opener" ObstructionDetected on --data sim
            """,
        subcommands: look + use + edit + play
    )

    private static let look: [any ParsableCommand.Type] = [
        SimListCommand.self, SimShowCommand.self, SimCodeCommand.self, SimWatchCommand.self,
    ]
    private static let use: [any ParsableCommand.Type] = [
        SimGetCommand.self, SimSetCommand.self, SimPressCommand.self, SimFaultCommand.self,
    ]
    private static let play: [any ParsableCommand.Type] = [SimRunCommand.self, SimLibraryCommand.self]
    private static let edit: [any ParsableCommand.Type] = [
        SimAddCommand.self, SimEditCommand.self, SimServiceCommand.self, SimCharacteristicCommand.self,
        SimRemoveCommand.self, SimResetCommand.self, SimUnpairCommand.self, SimExportCommand.self,
    ]
}
