import ArgumentParser
import DNSSD
import FolderAccess
import Foundation
import HomeAgent
import HomeIdentity
import HubAPI
import HubClient
import LocalRPCSockets
import Logging

/// `hearth agent`: runs the agent of a person's own device.
struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent",
        abstract: "Run the agent of a device that joined a home.",
        discussion: """
            On a device other than the hub's machine, the agent serves apps and the other commands in the hub's place. It \
            connects to the hubs that the device has joined, and keeps a copy of their homes for when a hub is out of reach. \
            “hearth join” starts it if needed. Ctrl-C stops it.

            Example: hearth agent
            """
    )

    /// The JSON output when the agent is ready.
    private struct Ready: Encodable {
        var event = "ready"
        var socket: String
        var data: String
        var hubs: Int
    }

    @Option(
        help: ArgumentHelp(
            "The data folder, created if needed (default: $XDG_STATE_HOME/hearth-agent).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Option(help: ArgumentHelp("The socket to serve (default: $HEARTH_SOCKET or a standard path).", valueName: "path"))
    var socket: String?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to look for hubs on, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    @Flag(help: "Ask about each new app (default: allow it).")
    var askApps = false

    @Option(help: ArgumentHelp("The time to wait for an answer to a question.", valueName: "seconds"))
    var questionTimeout: Double = 120

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print and log JSON.")
    var json = false

    func validate() throws {
        guard questionTimeout > 0, questionTimeout <= 86_400 else {
            throw ValidationError("--question-timeout must be more than 0 and at most 86400 seconds.")
        }
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        FileDescriptorLimit.raise()
        let path = socket ?? HubSocketPath.standard()
        let log = logging.logger(otherwise: .info, json: json)
        let location = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.agentData()
        let folder = try AgentFolder(at: location)
        let lock = try folder.lock()
        defer { lock.release() }
        let discovery = await Self.discovery(interfaces, log)
        let ways = WayFinder(discovery: discovery, log: log) { hub in
            do throws(HubError) {
                try folder.store(hub)
            } catch {
                log.warning("The address of a hub can't be stored.", metadata: ["reason": "\(error.reason)"])
            }
        }
        let joiner = HubJoiner(ways)
        let agent = try Agent(
            Agent.Configuration(
                folder: folder,
                network: Agent.Network(
                    transport: { ways.transport(to: $0, isOwn: $1) },
                    join: { (parameters, prepare) async throws(HubError) in
                        try await joiner.join(parameters, prepare: prepare)
                    },
                    forget: { ways.forget($0) },
                    way: { ways.current($0) },
                    setAway: { ways.setAway($1, of: $0) },
                    take: { (list, hub) throws(HubListError) in try ways.take(list, of: hub) },
                    takeLists: { (lists, hub) throws(HubListError) in try ways.take(lists, of: hub) },
                    isOneOfTwo: { ways.isOneOfTwo($0) }
                ),
                version: Hearth.version,
                asksAboutApps: askApps,
                questionTimeout: .seconds(questionTimeout),
                log: log
            )
        )
        ways.onNear { [weak agent] hub in agent?.moveNear(hub) }
        ways.onHint { [weak agent] hub in agent?.wake(hub) }
        let browsing = Task { await ways.browse() }
        defer { browsing.cancel() }
        let listener: UnixSocketListener
        do {
            listener = try await UnixSocketListener.start(
                path: path,
                of: "hub or agent",
                acceptor: agent,
                logger: log
            )
        } catch {
            agent.stop()
            await discovery?.shutdown()
            throw error
        }
        await agent.openAppSockets()
        if json {
            JSONLine(Ready(socket: path, data: folder.path, hubs: agent.hubs.count)).print()
        } else {
            let hint = agent.hubs.isEmpty ? " Join a home with: hearth join CODE" : ""
            ProgramOutput.line("The agent is ready at \(path), with its data in \(folder.path).\(hint)")
        }
        let notifier = SystemdNotifier()
        notifier?.send(.ready)
        await shutdown.wait()
        notifier?.send(.stopping)
        log.info("The agent is stopping.")
        await agent.closeAppSockets()
        await listener.stop()
        agent.stop()
        await discovery?.shutdown()
    }

    /// Returns the network on which hubs announce themselves. Without it, the known addresses still lead to them.
    private static func discovery(_ interfaces: [String], _ log: Logger) async -> MulticastDNS? {
        do {
            return try await MulticastDNS(interfaces: interfaces.map { InterfaceSelector($0) })
        } catch {
            log.warning("Hubs can't be looked for on the network.", metadata: ["reason": "\(error.reason)"])
            return nil
        }
    }
}
