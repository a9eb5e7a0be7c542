import Foundation
package import HomeHub
package import HubAPI
package import Logging
import TLS
package import WebServer

/// A listener that serves the page and the hub's methods over HTTP to devices that sign in.
package final class HTTPListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    private let server: HTTPServer
    private let certificate: ServerCertificate?
    private let streams: EventStreamRegistry
    private let assistants: AssistantSessionRegistry
    private let tasks: [Task<Void, Never>]

    private init(
        server: HTTPServer,
        certificate: ServerCertificate?,
        streams: EventStreamRegistry,
        assistants: AssistantSessionRegistry,
        tasks: [Task<Void, Never>]
    ) {
        self.server = server
        self.certificate = certificate
        self.streams = streams
        self.assistants = assistants
        self.tasks = tasks
    }

    /// The address that was requested, with the actual port.
    package var address: HTTPAddress { server.address }

    /// The number of connections.
    var connections: Int { server.connections }

    /// The number of assistants' sessions.
    var assistantSessions: Int { assistants.count }

    private var scheme: String { certificate == nil ? "http" : "https" }

    /// The addresses of the page, the best first: those of the machine if the port is open on all of them.
    var urls: [String] {
        let own = certificate.map { Set($0.names) }
        let hosts = address.reachableHosts.filter { own?.contains($0) ?? true }
        guard !hosts.isEmpty else { return [url] }
        return hosts.map { "\(scheme)://\(HTTPAddress.hostText($0)):\(address.port)" }
    }

    /// The address of the page.
    package var url: String { "\(scheme)://\(address)" }

    /// The SHA-256 fingerprint of the hub's own authority, in hexadecimal, if its certificate is used.
    package var fingerprint: String? { certificate?.authority?.certificate.fingerprintText }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Parameter assistants: What serves AI assistants at `/mcp`; `nil` to serve none.
    /// - Throws: ``HubError`` with `httpRefused` if the port can't be opened, or if there is no certificate for it.
    package static func start(
        at address: HTTPAddress,
        of hub: HomeHub,
        security: HTTPSecurity,
        assistants: AssistantService? = nil,
        logger: Logger
    ) async throws(HubError) -> HTTPListener {
        try await start(
            at: address,
            of: hub,
            security: security,
            assistants: assistants,
            files: .embedded,
            limits: HTTPLimits(),
            clock: ContinuousClock(),
            logger: logger
        )
    }

    /// Opens the port with other files and limits.
    static func start(
        at address: HTTPAddress,
        of hub: HomeHub,
        security: HTTPSecurity = .none,
        assistants service: AssistantService? = nil,
        files: PageFiles,
        limits: HTTPLimits,
        clock: any Clock<Duration>,
        logger: Logger
    ) async throws(HubError) -> HTTPListener {
        let certificate = try await ServerCertificate.open(
            security,
            of: hub,
            for: { address.certificateNames },
            log: logger
        )
        let streams = EventStreamRegistry(limits: limits, clock: clock)
        let assistants = AssistantSessionRegistry(limits: limits)
        let names: @Sendable () -> [String] = { certificate.map { $0.authority == nil ? $0.names : [] } ?? [] }
        let trust = certificate?.authority.map { TrustEndpoint(authority: $0.certificate, files: files) }
        let responder = HTTPResponder(
            hub: hub,
            streams: streams,
            files: files,
            origin: RequestOrigin(scheme: certificate == nil ? "http" : "https", names: names),
            trust: trust,
            assistants: service.map { AssistantEndpoint($0, hub: hub, sessions: assistants, limits: limits) },
            limits: limits
        )
        let plain = PlainResponder(
            origin: RequestOrigin(scheme: "http", names: names),
            trust: trust,
            page: PageEndpoint(files: files)
        )
        let server = try await HTTPServer.start(
            at: address,
            limits: limits,
            certificate: certificate,
            logger: logger,
            respond: responder.respond,
            respondPlainly: plain.respond
        )
        var tasks = [
            Task {
                while (try? await clock.sleep(for: limits.heartbeat)) != nil {
                    for stream in streams.all {
                        stream.beat()
                        // A session without a credential ends by itself.
                        _ = await hub.isSignedIn(stream.authority.device)
                    }
                    assistants.beat()
                    for device in assistants.devices where !(await hub.isSignedIn(device)) {
                        assistants.remove(of: device)
                    }
                }
            }
        ]
        if let certificate {
            tasks.append(
                Task {
                    while (try? await clock.sleep(for: ServerCertificate.refreshInterval)) != nil {
                        await certificate.refresh()
                    }
                }
            )
        }
        let listener = HTTPListener(
            server: server,
            certificate: certificate,
            streams: streams,
            assistants: assistants,
            tasks: tasks
        )
        await hub.setSignInAddresses(listener.urls, fingerprint: listener.fingerprint)
        return listener
    }

    /// Ends all streams and closes the port and all connections.
    package func stop() async {
        for task in tasks { task.cancel() }
        // Streams end with a reason.
        streams.stop(HubError(.connectionLost, "The hub has stopped."))
        assistants.stop()
        await server.stop()
    }
}
