package import HubAPI
package import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization

/// Serves metrics over HTTP: `GET /metrics`, as Prometheus asks for them. There is no password, so whoever can connect can
/// read them.
package final class MetricsListener: Sendable {
    // A class, because it is one open socket that is stopped once.

    /// Where the metrics are.
    static let path = "/metrics"
    /// What they are: Prometheus' text format.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What a listener grants.
    struct Limits: Sendable {
        /// The most connections at a time; further ones are closed.
        var connections = 16
        /// The most bytes of a request.
        var requestBytes = 8_192
        /// How long a connection may take from its beginning to the end of its first request.
        var firstRequestTime = TimeAmount.seconds(10)
        /// How long it may take from an answer to the end of the next request.
        var requestTime = TimeAmount.seconds(90)
        /// How long an answer may take to be read.
        var readTime = TimeAmount.seconds(10)
        /// Refused connections are logged once in this time at the most.
        var logTime = TimeAmount.seconds(60)
    }

    /// Where it is served: the address that was asked for, with the port that was taken.
    package let address: MetricsAddress
    private let server: any Channel
    private let open: OpenChannels

    private init(address: MetricsAddress, server: any Channel, open: OpenChannels) {
        self.address = address
        self.server = server
        self.open = open
    }

    /// Opens the port; once this returns, metrics can be read.
    ///
    /// - Parameter exposition: Makes the text of each answer.
    /// - Throws: `metricsRefused` when the port cannot be opened.
    package static func start(
        at address: MetricsAddress,
        logger: Logger,
        exposition: @escaping @Sendable () async -> String
    ) async throws(HubError) -> MetricsListener {
        try await start(at: address, limits: Limits(), logger: logger, exposition: exposition)
    }

    /// Opens the port with other limits.
    static func start(
        at address: MetricsAddress,
        limits: Limits,
        logger: Logger,
        exposition: @escaping @Sendable () async -> String
    ) async throws(HubError) -> MetricsListener {
        let open = OpenChannels(limit: limits.connections, logTime: limits.logTime)
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard open.add(channel) else {
                        if let refused = open.refusalsToLog(at: .now()) {
                            logger.warning(
                                "Refused connections for metrics: there are too many.",
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
            throw HubError(.metricsRefused, "Metrics cannot be served at \(address): \(error)")
        }
    }

    /// Closes the port and all connections.
    package func stop() async {
        try? await server.close()
        await open.close()
    }
}

/// The connections that are open.
private final class OpenChannels: Sendable {
    // A class, because the listener and each connection's initializer share it.

    private struct State {
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// Those that were refused since that was last logged.
        var refusals = 0
        var lastLogged: NIODeadline?
    }

    private let limit: Int
    private let logTime: TimeAmount
    private let state = Mutex(State())

    init(limit: Int, logTime: TimeAmount) {
        self.limit = limit
        self.logTime = logTime
    }

    /// Adds a connection; false when there are too many.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let isAdded = state.withLock { state in
            guard state.channels.count < limit else { return false }
            state.channels[id] = channel
            return true
        }
        if isAdded { channel.closeFuture.whenComplete { _ in self.remove(id) } }
        return isAdded
    }

    /// Counts a connection that is refused. Gives the number since that was last logged if it is time to log it.
    func refusalsToLog(at now: NIODeadline) -> Int? {
        state.withLock { state in
            state.refusals += 1
            if let last = state.lastLogged, now - last < logTime { return nil }
            defer { state.refusals = 0 }
            state.lastLogged = now
            return state.refusals
        }
    }

    func close() async {
        for channel in state.withLock({ Array($0.channels.values) }) { try? await channel.close() }
    }

    private func remove(_ id: ObjectIdentifier) {
        _ = state.withLock { $0.channels.removeValue(forKey: id) }
    }
}
