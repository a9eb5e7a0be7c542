import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HubAPI
import HubServer

/// `hearth simulator`: accessories without hardware, on the real wire.
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulator",
        abstract: "Run simulated accessories.",
        discussion: """
            Each file describes an accessory or a bridge (Documentation/AccessoryFiles.md). They keep their identities and \
            pairings in the data folder, and what “hearth sim” has changed; what it has added is hosted as well. On a terminal \
            the QR code of a single new accessory is drawn. Ctrl-C ends them.

            Example: hearth simulator Examples/DemoHome/thermostat.json --data sim --mdns-interface 127.0.0.1
            """
    )

    /// What “ready” tells of each hosted accessory or bridge.
    private struct Ready: Encodable {
        var event = "ready"
        var name: String
        var id: String
        var port: Int
        var setupCode: String
        var setupPayload: String

        init(_ accessory: RunningAccessory) {
            name = accessory.name
            id = accessory.deviceID.description
            port = accessory.port
            setupCode = accessory.setupCode.dashed
            setupPayload = accessory.setupPayload.uri
        }
    }

    @Argument(help: ArgumentHelp("Accessory files.", valueName: "file"))
    var files: [String] = []

    @Option(
        help: ArgumentHelp(
            "Also run a ready accessory; “hearth sim library” lists them, “all” is all.",
            valueName: "name"
        )
    )
    var library: [String] = []

    @Option(help: ArgumentHelp("Also run this many lamps behind bridges.", valueName: "n"))
    var lights: Int = 0

    @Option(help: ArgumentHelp("The folder of identities and pairings; made if it is not there.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("The address to listen on; otherwise all.", valueName: "addr"))
    var bind: String?

    @Option(
        help: ArgumentHelp("The port of the first accessory, the next ones follow; 0 takes free ones.", valueName: "n")
    )
    var port: Int = 0

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface, by name or address, on which to advertise.", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(
        help: ArgumentHelp("Where “hearth sim” finds it; otherwise in the data folder.", valueName: "path")
    )
    var control: String?

    @Flag(help: "Begin as from the factory: forget all pairings and ids, and make new keys. Setup codes stay.")
    var factoryReset = false

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print JSON; the log on standard error is JSON too.")
    var json = false

    func run() async throws {
        let end = ShutdownSignal()
        FileDescriptorLimit.raise()
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: files,
                accessories: try ready(),
                lights: lights,
                dataFolder: data,
                bindAddress: bind,
                port: port,
                interfaces: interfaces,
                isFactoryReset: factoryReset,
                mayBeEmpty: control != nil
            )
        )
        for file in files {
            for place in try AccessoryDescription(file: file).omitted { ProgramOutput.note(place) }
        }
        let ready = try await simulator.start()
        let listener: HubSocketListener?
        do {
            listener = try await serveControl(of: simulator)
        } catch {
            await simulator.stop()
            throw error
        }
        for accessory in ready {
            let ready = Ready(accessory)
            if accessory.isEdited {
                ProgramOutput.note("\(accessory.name) is as it was edited while it ran; see “hearth sim export”.")
            }
            if json {
                JSONLine(ready).print()
            } else {
                ProgramOutput.line(
                    "\(ready.name)  id \(ready.id)  port \(ready.port)  code \(ready.setupCode)  \(ready.setupPayload)"
                )
            }
        }
        if !json, ProgramOutput.isTerminal { drawCode(of: ready) }
        await end.wait()
        await listener?.stop()
        await simulator.stop()
    }

    /// Draws what an app reads to add the accessory. Of several nobody could say which drawing is whose.
    private func drawCode(of ready: [RunningAccessory]) {
        let new = ready.filter { !$0.isPaired }
        if ready.count == 1, let accessory = new.first {
            ProgramOutput.qrCode(accessory.setupPayload.uri)
        } else if !new.isEmpty {
            ProgramOutput.note("“hearth sim code NAME --data \(data)” draws the QR code of one of them.")
        }
    }

    /// The ready accessories that were asked for.
    private func ready() throws -> [AccessoryDescription] {
        var descriptions: [AccessoryDescription] = []
        for name in library == ["all"] ? AccessoryLibrary.names : library {
            descriptions.append(try AccessoryLibrary.accessory(name))
        }
        return descriptions
    }

    /// Opens the control's socket. Only one that was asked for by name has to be there: a data folder may be too deep in
    /// the file system for a socket, or open to others.
    private func serveControl(of simulator: Simulator) async throws -> HubSocketListener? {
        let path = control ?? ControlSocketPath.standard(data: data)
        do {
            return try await HubSocketListener.start(
                path: path,
                acceptor: ControlAcceptor(simulator: simulator),
                logger: logging.logger(otherwise: .info, json: json)
            )
        } catch {
            guard control == nil else { throw error }
            ProgramOutput.note("There is no control of this simulator: \(error.reason)")
            return nil
        }
    }
}
