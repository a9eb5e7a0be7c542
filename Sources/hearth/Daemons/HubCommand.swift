import ArgumentParser
import DNSSD
import Foundation
import HomeHub
import HomeIdentity
import HubAPI
import HubClient
import HubNetwork
import HubServer
import LocalRPCSockets
import Logging
import MediaRouting
import Metrics
import PrometheusMetrics
import WebServer

/// `hearth hub`: runs the hub.
struct HubCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the hub.",
        discussion: """
            The hub stores the homes, connects to their accessories, and serves apps and the other commands on a Unix \
            socket. Ctrl-C stops it. Under systemd, it notifies the service manager when it is ready. If a duplicate \
            hub of the same homes takes precedence, such as one restored from a backup, the hub exits with the error \
            hubSuperseded; see “hearth claim”.

            Example: hearth hub
            """
    )

    /// The JSON output when the hub is ready.
    private struct Ready: Encodable {
        var event = "ready"
        var socket: String
        var data: String
        var http: String?
        var metrics: String?
        var wyoming: String?
    }

    @Option(
        help: ArgumentHelp(
            "The data folder, created if needed (default: $XDG_STATE_HOME/hearth, for root /var/lib/hearth).",
            valueName: "dir"
        ),
        completion: .directory
    )
    var data: String?

    @Option(help: ArgumentHelp("The socket to serve (default: $HEARTH_SOCKET or a standard path).", valueName: "path"))
    var socket: String?

    @Option(
        name: .customLong("mdns-interface"),
        help: ArgumentHelp("An interface to browse, by name or address (default: all).", valueName: "name")
    )
    var interfaces: [String] = []

    @Option(
        name: .customLong("setup-interface"),
        help: ArgumentHelp(
            "An interface on which to look for accessories that aren't on the network yet (default: none).",
            valueName: "name"
        )
    )
    var setupInterfaces: [String] = []

    @Option(
        help: ArgumentHelp(
            "The clock: system, or manual for a rehearsal, where “hearth clock advance” moves the time. A data folder "
                + "belongs to the clock that it was created with."
        )
    )
    var clock: HubClock.Kind = .system

    @Option(help: ArgumentHelp("The time to wait for an answer to a question.", valueName: "seconds"))
    var questionTimeout: Double = 120

    @Option(help: ArgumentHelp("The number of daily copies to keep in the data folder.", valueName: "days"))
    var keepCopies = 7

    @Flag(help: "Ask about each new app (default: allow it).")
    var askApps = false

    @Option(
        help: ArgumentHelp(
            "Serve the home's page and the hub's methods over HTTP, with encryption if other machines can reach the host "
                + "(default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var http: String?

    @Option(
        name: .customLong("http-certificate"),
        help: ArgumentHelp(
            "Use this certificate for HTTPS, followed by those of its issuers, in PEM's format (default beyond this "
                + "machine: one of the hub's own authority).",
            valueName: "file"
        ),
        completion: .file()
    )
    var httpCertificate: String?

    @Option(
        name: .customLong("http-key"),
        help: ArgumentHelp("The private key of --http-certificate, in PEM's format.", valueName: "file"),
        completion: .file()
    )
    var httpKey: String?

    @Flag(name: .customLong("insecure-http"), help: "Let --http serve other machines without encryption.")
    var insecureHTTP = false

    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics, without authentication (default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var metrics: String?

    @Option(
        help: ArgumentHelp(
            "Serve voice satellites and Home Assistant in the Wyoming protocol, without authentication: whoever can connect "
                + "can speak (default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var wyoming: String?

    @Option(
        name: .customLong("wyoming-user"),
        help: ArgumentHelp(
            "The user of the home as whom voice satellites speak, such as a guest (default: the hub's own user).",
            valueName: "name"
        )
    )
    var wyomingUser: String?

    @Option(
        help: ArgumentHelp(
            "Listen for people's devices at this address once there is a device or an invitation, or never (default: all "
                + "interfaces, at a free port that is kept; 127.0.0.1 if mDNS is limited to it).",
            valueName: "[host:]port|off"
        )
    )
    var network: String?

    @Option(
        name: .customLong("network-from"),
        help: ArgumentHelp(
            "The addresses from which devices can connect: local for private ones and the hub's own networks, or any.",
            valueName: "local|any"
        )
    )
    var networkFrom: NetworkScope = .local

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print and log JSON.")
    var json = false

    func validate() throws {
        guard questionTimeout > 0, questionTimeout <= 86_400 else {
            throw ValidationError("--question-timeout must be more than 0 and at most 86400 seconds.")
        }
        if let metrics, HTTPAddress(metrics) == nil {
            throw ValidationError("--metrics must be a port on 127.0.0.1, or an address such as [::1]:9464.")
        }
        if let wyoming, HTTPAddress(wyoming) == nil {
            throw ValidationError("--wyoming must be a port on 127.0.0.1, or an address such as [::1]:10500.")
        }
        if let network, NetworkOption(network) == nil {
            throw ValidationError("--network must be off, a port on 127.0.0.1, or an address such as [::]:51900.")
        }
        if wyomingUser != nil, wyoming == nil {
            throw ValidationError("--wyoming-user needs --wyoming.")
        }
        if let http {
            guard let address = HTTPAddress(http) else {
                throw ValidationError("--http must be a port on 127.0.0.1, or an address such as [::1]:8080.")
            }
            guard httpCertificate == nil || !insecureHTTP else {
                throw ValidationError("Use --http-certificate or --insecure-http, not both.")
            }
            guard !insecureHTTP || !address.isLoopback else {
                throw ValidationError("--insecure-http is only for addresses that other machines can reach.")
            }
        }
        guard (httpCertificate == nil) == (httpKey == nil), httpCertificate == nil || http != nil else {
            throw ValidationError("Use --http, --http-certificate and --http-key together.")
        }
        if let shared = setupInterfaces.first(where: interfaces.contains) {
            throw ValidationError("--setup-interface and --mdns-interface are both \(shared). Name different ones.")
        }
        guard (0...365).contains(keepCopies) else {
            throw ValidationError("--keep-copies must be 0 to 365.")
        }
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        FileDescriptorLimit.raise()
        let thread = SharedThread.begin()
        let path = socket ?? HubSocketPath.standard()
        let log = logging.logger(otherwise: .info, json: json)
        let folder = data.map { URL(filePath: $0, directoryHint: .isDirectory) } ?? StandardFolder.data()
        let registry = metrics.map { _ in PrometheusRegistry(describing: Self.metricDescriptions) }
        let hub = try await HomeHub(
            HubConfiguration(
                data: folder,
                interfaces: interfaces.map { InterfaceSelector($0) },
                setupInterfaces: setupInterfaces.map { InterfaceSelector($0) },
                questionTimeout: .seconds(questionTimeout),
                keptCopies: keepCopies,
                asksAboutApps: askApps,
                clockKind: clock,
                executor: thread.executor,
                route: .standard(),
                log: log,
                metrics: registry ?? NOOPMetricsHandler.instance
            )
        )
        let listener: UnixSocketListener
        let httpListener: HTTPListener?
        let metricsListener: MetricsListener?
        let wyomingListener: WyomingListener?
        do {
            // The socket admits only the hub's own uid and root. Both act as the hub's owner.
            let owner = SessionAuthority(user: hub.owner.user, device: hub.owner.device, client: .person)
            listener = try await UnixSocketListener.start(
                path: path,
                of: "hub",
                acceptor: HubAcceptor(hub, as: owner),
                logger: log
            )
            do {
                httpListener = try await serveHTTP(of: hub, log)
                do {
                    metricsListener = try await serveMetrics(registry, of: hub, log)
                    do {
                        wyomingListener = try await serveWyoming(of: hub, log)
                    } catch {
                        await metricsListener?.stop()
                        throw error
                    }
                } catch {
                    await httpListener?.stop()
                    throw error
                }
            } catch {
                await listener.stop()
                throw error
            }
        } catch {
            await hub.stop()
            throw error
        }
        await hub.serveAppSockets(by: UnixAppSocketOpener(logger: log))
        do {
            try await hub.startSync(over: RelayedHouse.connector(others: { hub.otherOwners(of: $0) }))
        } catch {
            // The homes work without a relay.
            log.error("Feeds can't be kept at the relay.", metadata: ["error": "\(error)"])
        }
        let links = HubLinkService(hub, logger: log) { RelayedVoter(for: hub, pair: Int64($0.sequence)) }
        await links.start()
        let networkService = await serveNetwork(of: hub, links, log)
        let awayService = await serveAway(of: hub, log)
        if json {
            JSONLine(
                Ready(
                    socket: path,
                    data: folder.path,
                    http: httpListener?.url,
                    metrics: metricsListener?.address.description,
                    wyoming: wyomingListener?.address.description
                )
            )
            .print()
        } else {
            let page = httpListener.map { " The page is at \($0.url); sign in with “hearth login”." } ?? ""
            let metrics = metricsListener.map { " Metrics are at http://\($0.address)/metrics." } ?? ""
            let voice = wyomingListener.map { " Voice satellites connect to \($0.address)." } ?? ""
            ProgramOutput.line("The hub is ready at \(path), with its data in \(folder.path).\(page)\(metrics)\(voice)")
        }
        log.info(
            "The hub is ready.",
            metadata: ["socket": "\(path)", "data": "\(folder.path)", "version": "\(Hearth.version)"]
        )
        let notifier = SystemdNotifier()
        notifier?.send(.ready)
        let reason = await Self.end(of: hub, or: shutdown)
        notifier?.send(.stopping)
        log.info("The hub is stopping.")
        await awayService?.stop()
        await links.stop()
        await networkService?.stop()
        await wyomingListener?.stop()
        await metricsListener?.stop()
        await httpListener?.stop()
        await hub.closeAppSockets()
        await listener.stop()
        await hub.stop()
        if let reason { throw reason }
    }

    /// Waits for a signal that ends the program, or for another hub to take precedence.
    ///
    /// - Returns: Why the other hub takes precedence, or `nil` after a signal.
    private static func end(of hub: HomeHub, or shutdown: ShutdownSignal) async -> HubError? {
        await withTaskGroup { group in
            group.addTask { await hub.superseded() }
            group.addTask {
                await shutdown.wait()
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func serveHTTP(of hub: HomeHub, _ log: Logger) async throws -> HTTPListener? {
        guard let address = http.flatMap({ HTTPAddress($0) }) else { return nil }
        let security: HTTPSecurity
        if let httpCertificate, let httpKey {
            security = .files(certificate: httpCertificate, key: httpKey)
        } else if address.isLoopback || insecureHTTP {
            security = .none
        } else {
            security = .ownAuthority
        }
        if insecureHTTP {
            log.warning(
                "The page is served without encryption on an address that other machines can reach.",
                metadata: ["address": "\(address)"]
            )
        }
        return try await HTTPListener.start(
            at: address,
            of: hub,
            security: security,
            assistants: AssistantTools.service,
            logger: log
        )
    }

    /// Where the hub listens for devices unless `--network` says so: where they can find it, which is nowhere beyond
    /// loopback if mDNS stays there.
    private var defaultNetwork: NetworkOption {
        let isLocal = !interfaces.isEmpty && interfaces.allSatisfy { $0 == "lo" || $0.hasPrefix("127.") || $0 == "::1" }
        return (isLocal ? NetworkOption("127.0.0.1:0") : nil) ?? .automatic
    }

    private func serveNetwork(of hub: HomeHub, _ links: HubLinkService, _ log: Logger) async -> NetworkService? {
        let option = network.flatMap { NetworkOption($0) } ?? defaultNetwork
        guard option != .off else { return nil }
        let service = NetworkService(NetworkedHub(hub, links: links), at: option, for: networkFrom, logger: log)
        await service.start()
        return service
    }

    /// Serves devices that come through the relay, once there is one.
    private func serveAway(of hub: HomeHub, _ log: Logger) async -> AwayService? {
        do throws(HubError) {
            let service = try AwayService(AwayHub(hub), logger: log)
            await service.start()
            return service
        } catch {
            // The homes work without a relay.
            log.error("Devices can't connect through the relay.", metadata: ["error": "\(error)"])
            return nil
        }
    }

    private func serveMetrics(
        _ registry: PrometheusRegistry?,
        of hub: HomeHub,
        _ log: Logger
    ) async throws -> MetricsListener? {
        guard let registry, let address = metrics.flatMap({ HTTPAddress($0) }) else { return nil }
        if !address.isLoopback {
            log.warning(
                "Metrics are served without authentication on an address that other machines can reach.",
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

    private func serveWyoming(of hub: HomeHub, _ log: Logger) async throws -> WyomingListener? {
        guard let address = wyoming.flatMap({ HTTPAddress($0) }) else { return nil }
        if !address.isLoopback {
            log.warning(
                "Voice satellites are served without authentication on an address that other machines can reach.",
                metadata: ["address": "\(address)"]
            )
        }
        do {
            _ = try await hub.user(named: wyomingUser)
        } catch {
            log.warning("Voice satellites can't speak yet.", metadata: ["reason": "\(error.reason)"])
        }
        return try await WyomingListener.start(
            at: address,
            of: hub,
            as: wyomingUser,
            version: Hearth.version,
            logger: log
        )
    }

    private static var metricDescriptions: [MetricDescription] {
        [MetricDescription("hearth_build_info", "1, with the program's version.")]
            + HubMetric.allCases.map { MetricDescription($0.rawValue, $0.help) }
    }
}

extension HubClock.Kind: ExpressibleByArgument {}
extension NetworkScope: ExpressibleByArgument {}
