import ArgumentParser
import DNSSD
import Foundation
import HomeHub
import HubAPI
import HubClient
import HubServer
import Logging
import Metrics
import PrometheusMetrics

/// `hearth hub`: the hub as a service.
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hub",
        abstract: "Run the hub of your homes.",
        discussion: """
            The hub owns the homes' database and the connections to their accessories, and serves apps and the other \
            commands on a Unix socket. Ctrl-C ends it. Started by systemd, it says when it is ready. When it hears of another \
            hub of the same homes that is to go on in its place, such as one that was restored from a backup, it ends with \
            the error hubSuperseded; see “hearth claim”.

            Example: hearth hub --data ~/.local/share/hearth
            """
    )

    /// What “ready” tells whoever started the hub.
    private struct Ready: Encodable {
        var event = "ready"
        var socket: String
        var data: String
        var metrics: String?
    }

    /// Which clock the hub goes by.
    enum Clock: String, ExpressibleByArgument, CaseIterable {
        case system
    }

    @Option(help: ArgumentHelp("The folder of the database; made if it is not there.", valueName: "dir"))
    var data: String

    @Option(help: ArgumentHelp("Where to serve; otherwise $HEARTH_SOCKET or the usual place.", valueName: "path"))
    var socket: String?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface, by name or address, on which to look for accessories.", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(help: "The clock that the hub goes by.")
    var clock: Clock = .system

    @Option(help: ArgumentHelp("How long a question waits for an answer.", valueName: "seconds"))
    var questionTimeout: Double = 120

    @Option(help: ArgumentHelp("For how many days to keep a copy of the homes in the data folder.", valueName: "days"))
    var keepCopies = 7

    @Flag(help: "Ask about each app that was neither allowed nor denied; otherwise it may use the homes.")
    var askApps = false

    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus there over HTTP, to whoever can connect; port 0 takes a free one.",
            valueName: "[host:]port"
        )
    )
    var metrics: String?

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print JSON; the log on standard error is JSON too.")
    var json = false

    func validate() throws {
        guard questionTimeout > 0, questionTimeout <= 86_400 else {
            throw ValidationError("--question-timeout takes seconds, more than 0 and at most 86400.")
        }
        if let metrics, MetricsAddress(metrics) == nil {
            throw ValidationError("--metrics takes a port of 127.0.0.1, or an IP address and port such as [::1]:9464.")
        }
        guard (0...365).contains(keepCopies) else {
            throw ValidationError("--keep-copies takes a number of days, 0 to 365.")
        }
    }

    func run() async throws {
        let end = ShutdownSignal()
        FileDescriptorLimit.raise()
        let path = socket ?? HubSocketPath.standard()
        let log = logging.logger(otherwise: .info, json: json)
        let folder = URL(filePath: data, directoryHint: .isDirectory)
        let registry = metrics.map { _ in PrometheusRegistry(describing: Self.metricDescriptions) }
        let hub = try await HomeHub(
            HubConfiguration(
                data: folder,
                interfaces: interfaces.map { InterfaceSelector($0) },
                questionTimeout: .seconds(questionTimeout),
                keptCopies: keepCopies,
                asksAboutApps: askApps,
                log: log,
                metrics: registry ?? NOOPMetricsHandler.instance
            )
        )
        let listener: HubSocketListener
        let measuring: MetricsListener?
        do {
            // Whoever connects is the hub's own uid or root: that is the hub's own user.
            let owner = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            listener = try await HubSocketListener.start(path: path, acceptor: HubAcceptor(hub, as: owner), logger: log)
            do {
                measuring = try await serveMetrics(registry, of: hub, log)
            } catch {
                await listener.stop()
                throw error
            }
        } catch {
            await hub.stop()
            throw error
        }
        await hub.serveAppSockets(by: UnixAppSocketOpener(logger: log))
        if json {
            JSONLine(Ready(socket: path, data: folder.path, metrics: measuring?.address.description)).print()
        } else {
            let metrics = measuring.map { " Metrics are at http://\($0.address)/metrics." } ?? ""
            ProgramOutput.line("The hub is ready at \(path); its data are in \(folder.path).\(metrics)")
        }
        log.info(
            "The hub is ready.",
            metadata: ["socket": "\(path)", "data": "\(folder.path)", "version": "\(Hearth.version)"]
        )
        let notification = SystemdNotifier()
        notification?.send(.ready)
        let reason = await Self.end(of: hub, or: end)
        notification?.send(.stopping)
        log.info("The hub is stopping.")
        await measuring?.stop()
        await hub.closeAppSockets()
        await listener.stop()
        await hub.stop()
        if let reason { throw reason }
    }

    /// Waits for the signal that ends the program, or for another hub to take over.
    ///
    /// - Returns: Why the other one has; nil when it was a signal.
    private static func end(of hub: HomeHub, or end: ShutdownSignal) async -> HubError? {
        await withTaskGroup { group in
            group.addTask { await hub.superseded() }
            group.addTask {
                await end.wait()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func serveMetrics(
        _ registry: PrometheusRegistry?,
        of hub: HomeHub,
        _ log: Logger
    ) async throws -> MetricsListener? {
        guard let registry, let address = metrics.flatMap({ MetricsAddress($0) }) else { return nil }
        if !address.isLoopback {
            log.warning(
                "Metrics are served without a password to whoever can connect.",
                metadata: ["address": "\(address)"]
            )
        }
        let build = Meter(label: "hearth_build_info", dimensions: [("version", Hearth.version)], factory: registry)
        build.set(1)
        return try await MetricsListener.start(at: address, logger: log) {
            await hub.updateMetrics()
            return registry.exposition + ProcessMetrics.exposition
        }
    }

    private static var metricDescriptions: [MetricDescription] {
        [MetricDescription("hearth_build_info", "1, with the program's version.")]
            + HubMetric.allCases.map { MetricDescription($0.rawValue, $0.help) }
    }
}
