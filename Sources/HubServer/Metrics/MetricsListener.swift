package import HubAPI
import LocalRPCSockets
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
package import WebServer

/// A listener that serves metrics over HTTP, for Prometheus: `GET /metrics`. It has no authentication: every client that
/// can connect can read them.
package final class MetricsListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// The path of the metrics.
    static let path = "/metrics"
    /// The content type: Prometheus' text format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// The limits of a listener.
    struct Limits: Sendable {
        /// The maximum number of connections; further ones are closed.
        var connections = 16
        /// The maximum size of a request in bytes.
        var requestBytes = 8_192
        /// The maximum time from the start of a connection to the end of its first request.
        var firstRequestTime = TimeAmount.seconds(10)
        /// The maximum time from a response to the end of the next request.
        var requestTime = TimeAmount.seconds(90)
        /// The maximum time to read a response.
        var readTime = TimeAmount.seconds(10)
        /// The minimum time between log entries for rejected connections.
        var logTime = TimeAmount.seconds(60)
    }

    /// The address that was requested, with the actual port.
    package let address: HTTPAddress
    private let server: any Channel
    private let open: OpenChannels

    private init(address: HTTPAddress, server: any Channel, open: OpenChannels) {
        self.address = address
        self.server = server
        self.open = open
    }

    /// Opens the port; once this returns, metrics can be read.
    ///
    /// - Parameter exposition: A closure that creates the text of each response.
    /// - Throws: ``HubError`` with `metricsRefused` if the port can't be opened.
    package static func start(
        at address: HTTPAddress,
        logger: Logger,
        exposition: @escaping @Sendable () async -> String
    ) async throws(HubError) -> MetricsListener {
        try await start(at: address, limits: Limits(), logger: logger, exposition: exposition)
    }

    /// Opens the port with other limits.
    static func start(
        at address: HTTPAddress,
        limits: Limits,
        logger: Logger,
        exposition: @escaping @Sendable () async -> String
    ) async throws(HubError) -> MetricsListener {
        let open = OpenChannels(limit: limits.connections)
        let refusals = RefusalLog()
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard open.add(channel) else {
                        let refused = refusals.add(at: .now(), every: limits.logTime)
                        if let refused {
                            logger.warning(
                                "Rejected connections for metrics: there are too many.",
                                metadata: ["connections": "\(refused)"]
                            )
                        }
                        throw ChannelError.operationUnsupported
                    }
                    let size = RequestSizeLimit(limits.requestBytes)
                    try channel.pipeline.syncOperations.addHandler(size)
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    let handler = MetricsHandler(size: size, limits: limits, exposition: exposition)
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
        do {
            let server = try await bootstrap.bind(host: address.host, port: address.port).get()
            var address = address
            address.port = server.localAddress?.port ?? address.port
            return MetricsListener(address: address, server: server, open: open)
        } catch {
            throw HubError(.metricsRefused, "Metrics can't be served at \(address): \(error)")
        }
    }

    /// Closes the port and all connections.
    package func stop() async {
        try? await server.close()
        await open.close()
    }
}
