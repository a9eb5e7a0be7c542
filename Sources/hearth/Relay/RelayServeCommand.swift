import ArgumentParser
import Foundation
import HubAPI
import HubServer
import Logging
import Metrics
import PrometheusMetrics
import Relay
import RelayAPI
import RelayPostgres
import WebServer

/// `hearth relay run`: runs the relay.
struct RelayServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Run the relay (the default).",
        discussion: "Example: hearth relay run --http 127.0.0.1:8480"
    )

    /// The JSON output when the relay is ready.
    private struct Ready: Encodable {
        var event = "ready"
        var url: String
        var data: String
        var metrics: String?
        var pinnedURL: String?
    }

    @OptionGroup
    var storage: RelayStoreOptions

    @Option(
        name: .customLong("postgres-connections"),
        help: ArgumentHelp("The number of connections to PostgreSQL.", valueName: "count")
    )
    var connections = RelayPostgres.defaultConnections

    @Option(
        help: ArgumentHelp(
            "Where to serve HTTP (default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var http: String

    @Option(
        help: ArgumentHelp(
            "The URL under which hubs and devices reach the relay, if that isn't the address (behind a proxy, it isn't).",
            valueName: "url"
        )
    )
    var url: String?

    @Option(
        name: .customLong("process-url"),
        help: ArgumentHelp(
            "The URL of this relay in particular, if others share its PostgreSQL database and --url.",
            valueName: "url"
        )
    )
    var processURL: String?

    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp(
            "Encrypt with this certificate, followed by those of its issuers, in PEM's format.",
            valueName: "file"
        ),
        completion: .file()
    )
    var certificate: String?

    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp("The private key of --tls-certificate, in PEM's format.", valueName: "file"),
        completion: .file()
    )
    var key: String?

    @Flag(help: "Let everybody register houses, without a token.")
    var open = false

    @Option(
        help: ArgumentHelp(
            "Serve Prometheus metrics, without authentication (default host: 127.0.0.1; port 0: a free port).",
            valueName: "[host:]port"
        )
    )
    var metrics: String?

    @OptionGroup
    var logging: LogOptions

    @Flag(help: "Print and log JSON.")
    var json = false

    func validate() throws {
        guard let address = HTTPAddress(http) else {
            throw ValidationError("--http must be a port on 127.0.0.1, or an address such as 0.0.0.0:443.")
        }
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError("Use --tls-certificate and --tls-key together.")
        }
        guard certificate != nil || address.isLoopback else {
            throw ValidationError(
                "A relay is never served beyond this machine without encryption. Add --tls-certificate and --tls-key, or "
                    + "listen on 127.0.0.1 behind a proxy that encrypts."
            )
        }
        for (name, url) in [("--url", url), ("--process-url", processURL)] {
            guard let url else { continue }
            guard let parsed = URL(string: url), parsed.host() != nil, parsed.path.isEmpty || parsed.path == "/",
                parsed.scheme == "https" || parsed.scheme == "http"
            else { throw ValidationError("\(name) must be a URL without a path, such as https://relay.example.org.") }
        }
        guard processURL == nil || storage.postgres != nil else {
            throw ValidationError("--process-url is for relays that share a database. Add --postgres.")
        }
        guard (1...64).contains(connections) else { throw ValidationError("--postgres-connections must be 1 to 64.") }
        if let metrics, HTTPAddress(metrics) == nil {
            throw ValidationError("--metrics must be a port on 127.0.0.1, or an address such as [::1]:9464.")
        }
    }

    func run() async throws {
        let shutdown = ShutdownSignal()
        FileDescriptorLimit.raise()
        let log = logging.logger(otherwise: .info, json: json)
        guard let address = HTTPAddress(http) else { throw CleanExit.helpRequest(self) }
        let registry = metrics.map { _ in
            PrometheusRegistry(describing: RelayMetric.allCases.map { MetricDescription($0.rawValue, $0.help) })
        }
        var configuration = RelayServer.Configuration(address: address, log: log)
        configuration.url = url.flatMap { URL(string: $0) }
        configuration.processURL = processURL.flatMap { URL(string: $0) }
        configuration.isOpen = open
        configuration.metrics = RelayMetrics(registry ?? NOOPMetricsHandler.instance)
        if let certificate, let key { configuration.certificate = CertificateFiles(certificate: certificate, key: key) }
        let counting = configuration.metrics
        let opened = try await storage.open(connections: connections) { _ in counting.countCommit() }
        configuration.directory = opened.directory
        let relay: RelayServer
        let metricsListener: MetricsListener?
        do {
            relay = try await RelayServer.start(configuration, store: opened.store)
            do {
                metricsListener = try await serveMetrics(registry, of: relay, log)
            } catch {
                await relay.stop()
                throw error
            }
        } catch {
            await opened.close()
            throw error
        }
        if open {
            log.warning("Everybody who can connect can register houses, because of --open.")
        }
        let pinnedURL = try pinnedURL(of: relay)
        if json {
            let metrics = metricsListener?.address.description
            JSONLine(Ready(url: relay.url, data: opened.place, metrics: metrics, pinnedURL: pinnedURL)).print()
        } else {
            let metrics = metricsListener.map { " Metrics are at http://\($0.address)/metrics." } ?? ""
            ProgramOutput.line("The relay is ready at \(relay.url), with its data in \(opened.place).\(metrics)")
            if let pinnedURL {
                ProgramOutput.line(
                    "No authority has signed its certificate, so hubs use it with: hearth sync on \(pinnedURL)"
                )
            }
        }
        let notifier = SystemdNotifier()
        notifier?.send(.ready)
        await shutdown.wait()
        notifier?.send(.stopping)
        log.info("The relay is stopping.")
        await metricsListener?.stop()
        await relay.stop()
        await opened.close()
    }

    /// Returns the address by which clients recognize a relay whose certificate no authority has signed; `nil` for another relay.
    private func pinnedURL(of relay: RelayServer) throws(HubError) -> String? {
        guard let certificate else { return nil }
        let pinned = try PinnedRelay(at: relay.url, certificate: certificate)
        return pinned.isSelfSigned ? pinned.url : nil
    }

    private func serveMetrics(
        _ registry: PrometheusRegistry?,
        of relay: RelayServer,
        _ log: Logger
    ) async throws -> MetricsListener? {
        guard let registry, let address = metrics.flatMap({ HTTPAddress($0) }) else { return nil }
        if !address.isLoopback {
            log.warning(
                "Metrics are served without authentication on an address that other machines can reach.",
                metadata: ["address": "\(address)"]
            )
        }
        return try await MetricsListener.start(at: address, logger: log) {
            await relay.updateMetrics()
            return registry.exposition + ProcessMetrics.exposition
        }
    }
}
