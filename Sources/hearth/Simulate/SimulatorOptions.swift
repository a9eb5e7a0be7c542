import ArgumentParser
import Foundation

/// The options of all commands that act on a running simulator.
struct SimulatorOptions: ParsableArguments {
    static let noSimulator = "No simulator answers. \(startAdvice)"
    static let startAdvice =
        "Start one with `hearth simulator --data DIR`, and name its data folder with --data, or "
        + "its socket with --control or \(ControlSocketPath.variable)."

    @Option(help: ArgumentHelp("The data folder of the simulator.", valueName: "dir"))
    var data: String?

    @Option(help: ArgumentHelp("The simulator's socket; otherwise $\(ControlSocketPath.variable).", valueName: "path"))
    var control: String?

    @Flag(help: "Print JSON.")
    var json = false

    /// The socket's path.
    ///
    /// - Throws: `noSimulator` if neither the options nor the environment name it.
    func path() throws(CommandFailure) -> String {
        if let control { return control }
        if let data { return ControlSocketPath.standard(data: data) }
        if let path = ProcessInfo.processInfo.environment[ControlSocketPath.variable], !path.isEmpty { return path }
        throw CommandFailure("noSimulator", Self.noSimulator)
    }
}
