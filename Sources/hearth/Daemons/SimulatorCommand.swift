import AccessorySimulator
import ArgumentParser
import Foundation
import HAP
import HubServer
import LocalRPC
import LocalRPCSockets
import WebServer

/// `hearth simulator`: runs simulated accessories that controllers reach over the network.
struct SimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulator",
        abstract: "Run simulated accessories.",
        discussion: """
            Each file describes an accessory or a bridge (Documentation/AccessoryFiles.md). The data folder stores \
            identities, pairings and the edits of “hearth sim”; accessories added with “hearth sim” run too. On a \
            terminal, prints the QR code of a single new accessory. Ctrl-C stops the accessories.

            With --setup-interface, the accessories aren't on the network until a hub configures them with the name and \
            passphrase of --network and --passphrase (Documentation/Onboarding.md).

            Example: hearth simulator Examples/DemoHome/thermostat.json --data sim --mdns-interface 127.0.0.1
            """
    )

    /// The JSON output for each accessory or bridge.
    private struct Ready: Encodable {
        var event: String
        var name: String
        var id: String
        var port: Int
        var setupCode: String
        var setupPayload: String

        init(_ accessory: RunningAccessory) {
            event = accessory.isOnNetwork ? "ready" : "unconfigured"
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
            "A built-in accessory to run, or “all”; see “hearth sim library”.",
            valueName: "name"
        )
    )
    var library: [String] = []

    @Option(help: ArgumentHelp("The number of bridged lamps to run.", valueName: "n"))
    var lights: Int = 0

    @Option(help: ArgumentHelp("The data folder, created if needed.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("The address to listen on (default: all).", valueName: "addr"))
    var bind: String?

    @Option(
        help: ArgumentHelp("The first accessory's port, counting up; 0 selects free ports.", valueName: "n")
    )
    var port: Int = 0

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to advertise on, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(
        name: .customLong("setup-interface"),
        help: ArgumentHelp(
            "An interface that stands in for the accessories' own network (default: they are on the network).",
            valueName: "name"
        )
    )
    var setupInterfaces: [String] = []

    @Option(help: ArgumentHelp("The name of the network to join, with --setup-interface.", valueName: "ssid"))
    var network: String?

    @Option(
        help: ArgumentHelp(
            "The network's passphrase, with --setup-interface. “-” reads it from standard input.",
            valueName: "text"
        )
    )
    var passphrase: String?

    @Option(
        help: ArgumentHelp("The control socket (default: in the data folder).", valueName: "path")
    )
    var control: String?

    @Option(
        help: ArgumentHelp(
            "Serve the simulator's page over HTTP (default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var http: String?

    @Flag(name: .customLong("insecure-http"), help: "Let --http serve other machines, without encryption.")
    var insecureHTTP = false

    @Flag(help: "Reset all pairings, IDs and keys, but not setup codes.")
    var factoryReset = false

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print and log JSON.")
    var json = false

    func validate() throws {
        guard setupInterfaces.isEmpty == (network == nil), (network == nil) == (passphrase == nil) else {
            throw ValidationError("Use --setup-interface, --network and --passphrase together.")
        }
        if let http {
            guard let address = HTTPAddress(http) else {
                throw ValidationError("--http must be a port on 127.0.0.1, or an address such as [::1]:8090.")
            }
            guard address.isLoopback || insecureHTTP else {
                throw ValidationError(
                    "--http beyond this machine lets others on the network read the token with which they can control the "
                        + "accessories. Use 127.0.0.1 or [::1], or add --insecure-http."
                )
            }
        }
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        FileDescriptorLimit.raise()
        var configuration = SimulatorConfiguration(
            files: files,
            accessories: try libraryAccessories(),
            lights: lights,
            dataFolder: data,
            bindAddress: bind,
            port: port,
            interfaces: interfaces,
            isFactoryReset: factoryReset,
            canBeEmpty: control != nil
        )
        if let network, let passphrase {
            configuration.network = SimulatedNetwork(
                setupInterfaces: setupInterfaces,
                name: network,
                passphrase: passphrase == "-" ? try Passphrase.read(from: STDIN_FILENO) : passphrase
            )
        }
        let simulator = try Simulator(configuration)
        let joins = followJoins(of: simulator)
        defer { joins?.cancel() }
        for file in files {
            for location in try AccessoryDescription(file: file).omitted { ProgramOutput.note(location) }
        }
        let accessories = try await simulator.start()
        let listener: UnixSocketListener?
        do {
            listener = try await serveControl(of: simulator)
        } catch {
            await simulator.stop()
            throw error
        }
        let page: ControlListener?
        do {
            page = try await servePage(of: simulator)
        } catch {
            await listener?.stop()
            await simulator.stop()
            throw error
        }
        for accessory in accessories {
            if accessory.isEdited {
                ProgramOutput.note("\(accessory.name) has edits that aren't in its file; see “hearth sim export”.")
            }
            printLine(accessory)
        }
        if !json, ProgramOutput.isTerminal { drawCode(of: accessories) }
        if let page { printPage(page.url) }
        await shutdown.wait()
        await page?.stop()
        await listener?.stop()
        await simulator.stop()
    }

    private func printLine(_ accessory: RunningAccessory) {
        let ready = Ready(accessory)
        if json {
            JSONLine(ready).print()
        } else {
            let port = accessory.isOnNetwork ? "port \(ready.port)" : "not on the network"
            ProgramOutput.line(
                "\(ready.name)  id \(ready.id)  \(port)  code \(ready.setupCode)  \(ready.setupPayload)"
            )
        }
    }

    /// The JSON output when the page is served.
    private struct Page: Encodable {
        var event = "page"
        var url: String
    }

    private func printPage(_ url: String) {
        if json {
            JSONLine(Page(url: url)).print()
        } else {
            ProgramOutput.line("In a browser: \(url)")
        }
    }

    /// Serves the page, if that was asked for.
    private func servePage(of simulator: Simulator) async throws -> ControlListener? {
        guard let address = http.flatMap({ HTTPAddress($0) }) else { return nil }
        return try await ControlListener.start(
            at: address,
            index: "simulator.html",
            backend: SimulatorBackend(simulator: simulator),
            logger: logging.logger(otherwise: .info, json: json)
        )
    }

    /// The JSON output when an accessory is configured.
    private struct Join: Encodable {
        var event: String
        var serialNumber: String
    }

    /// Prints when accessories join the network or fail to.
    private func followJoins(of simulator: Simulator) -> Task<Void, Never>? {
        guard network != nil else { return nil }
        let events = simulator.events()
        return Task {
            for await event in events {
                switch event {
                case .joining(let serialNumber):
                    if json { JSONLine(Join(event: "joining", serialNumber: serialNumber)).print() }
                case .joined(let serialNumber):
                    if let accessory = await simulator.runningAccessory(serialNumber) { printLine(accessory) }
                case .joinFailed(let serialNumber):
                    if json {
                        JSONLine(Join(event: "joinFailed", serialNumber: serialNumber)).print()
                    } else {
                        let name = await simulator.runningAccessory(serialNumber)?.name ?? serialNumber
                        ProgramOutput.note("\(name) could not join the network: its name or passphrase is wrong.")
                    }
                default: break
                }
            }
        }
    }

    /// Draws the QR code of a single unpaired accessory. With several accessories, a code wouldn't say whose it is.
    private func drawCode(of accessories: [RunningAccessory]) {
        let new = accessories.filter { !$0.isPaired }
        if accessories.count == 1, let accessory = new.first {
            ProgramOutput.qrCode(accessory.setupPayload.uri)
        } else if !new.isEmpty {
            ProgramOutput.note("To draw the QR code of an accessory: hearth sim code NAME --data \(data)")
        }
    }

    /// The built-in accessories that the options name.
    private func libraryAccessories() throws -> [AccessoryDescription] {
        var descriptions: [AccessoryDescription] = []
        for name in library == ["all"] ? AccessoryLibrary.names : library {
            descriptions.append(try AccessoryLibrary.accessory(name))
        }
        return descriptions
    }

    /// Opens the control socket. An error is fatal only if the user set the path: the data folder's path may be too
    /// long for a socket, or the folder may be open to other users.
    private func serveControl(of simulator: Simulator) async throws -> UnixSocketListener? {
        let path = control ?? ControlSocketPath.standard(data: data)
        do {
            return try await UnixSocketListener.start(
                path: path,
                of: "simulator",
                acceptor: ControlAcceptor(simulator: simulator),
                logger: logging.logger(otherwise: .info, json: json)
            )
        } catch {
            guard control == nil else { throw error }
            ProgramOutput.note("“hearth sim” can't control this simulator: \(error.reason)")
            return nil
        }
    }
}
