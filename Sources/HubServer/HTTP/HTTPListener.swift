import Foundation
package import HomeHub
package import HubAPI
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import Synchronization

/// A listener that serves the page and the hub's methods over HTTP to devices that sign in.
package final class HTTPListener: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// The address that was requested, with the actual port.
    package let address: HTTPAddress
    private let streams: EventStreamRegistry
    private let counter: ConnectionCounter
    private let server: Server<HTTP1Channel>
    private let serving: Task<Void, Never>
    private let beating: Task<Void, Never>

    private init(
        address: HTTPAddress,
        streams: EventStreamRegistry,
        counter: ConnectionCounter,
        server: Server<HTTP1Channel>,
        serving: Task<Void, Never>,
        beating: Task<Void, Never>
    ) {
        self.address = address
        self.streams = streams
        self.counter = counter
        self.server = server
        self.serving = serving
        self.beating = beating
    }

    /// The number of connections.
    var connections: Int { counter.count }

    /// The addresses of the page, the best first: those of the machine if the port is open on all of them.
    var urls: [String] {
        guard address.host == "0.0.0.0" || address.host == "::" else { return [url] }
        let own = (try? System.enumerateDevices())?.compactMap(\.address?.ipAddress) ?? []
        let hosts = own.filter { !$0.hasPrefix("127.") && !$0.contains(":") } + ["127.0.0.1"]
        return hosts.map { "http://\($0):\(address.port)" }
    }

    /// The address of the page.
    package var url: String { "http://\(address)" }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Throws: ``HubError`` with `httpRefused` if the port can't be opened.
    package static func start(
        at address: HTTPAddress,
        of hub: HomeHub,
        logger: Logger
    ) async throws(HubError) -> HTTPListener {
        try await start(
            at: address,
            of: hub,
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
        files: PageFiles,
        limits: HTTPLimits,
        clock: any Clock<Duration>,
        logger: Logger
    ) async throws(HubError) -> HTTPListener {
        let streams = EventStreamRegistry(limits: limits, clock: clock)
        let responder = HTTPResponder(
            hub: hub,
            streams: streams,
            files: files,
            origin: RequestOrigin(scheme: "http"),
            limits: limits
        )
        let connections = ConnectionCounter(limit: limits.connectionsPerAddress)
        let channel = HTTP1Channel(
            responder: responder.respond,
            configuration: HTTP1Channel.Configuration(
                additionalChannelHandlers: [
                    ConnectionGuard(connections, stallTime: limits.stallTime)
                ],
                idleTimeout: limits.idleTime,
                httpDecoderConfiguration: HTTP1Channel.Configuration.DecoderConfiguration(
                    maxHeaderFieldSize: limits.headerBytes,
                    maxHeaderListSize: limits.headerBytes,
                    maxHeaderFieldCount: limits.headerFields
                )
            )
        )
        // The server logs at levels that are meant for a program that does nothing else.
        var serverLogger = logger
        serverLogger.logLevel = .error
        let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
        let server = Server(
            childChannelSetup: channel,
            configuration: ServerConfiguration(
                address: .hostname(address.host, port: address.port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections, logger: serverLogger)
            ),
            onServerRunning: { continuation.yield($0.localAddress?.port ?? 0) },
            eventLoopGroup: MultiThreadedEventLoopGroup.singleton,
            logger: serverLogger
        )
        let failure = Mutex<(any Error)?>(nil)
        let holder = FailureHolder(failure)
        let serving = Task {
            do {
                try await server.run()
            } catch {
                holder.set(error)
            }
            continuation.finish()
        }
        guard let port = await ports.first(where: { _ in true }) else {
            let reason = holder.error.map { "\($0)" } ?? "the server ended"
            throw HubError(.httpRefused, "HTTP can't be served at \(address): \(reason)")
        }
        var address = address
        address.port = port
        let beating = Task {
            while (try? await clock.sleep(for: limits.heartbeat)) != nil {
                for stream in streams.all {
                    stream.beat()
                    // A session without a credential ends by itself.
                    _ = await hub.isSignedIn(stream.authority.device)
                }
            }
        }
        let listener = HTTPListener(
            address: address,
            streams: streams,
            counter: connections,
            server: server,
            serving: serving,
            beating: beating
        )
        await hub.setSignInAddresses(listener.urls)
        return listener
    }

    /// Ends all streams and closes the port and all connections.
    package func stop() async {
        beating.cancel()
        streams.stop(HubError(.connectionLost, "The hub has stopped."))
        // Streams end with a reason; whoever doesn't read it is disconnected.
        let limit = Task {
            if (try? await Task.sleep(for: .seconds(5))) != nil { serving.cancel() }
        }
        try? await server.shutdownGracefully()
        await serving.value
        limit.cancel()
    }
}

/// The error with which a server ended.
private final class FailureHolder: Sendable {
    // This is a class because a task sets it and another reads it.

    private let state: Mutex<(any Error)?>

    init(_ state: consuming sending Mutex<(any Error)?>) {
        self.state = state
    }

    var error: (any Error)? { state.withLock { $0 } }

    func set(_ error: any Error) {
        state.withLock { $0 = error }
    }
}

extension HubError.Code {
    /// HTTP can't be served at the given address.
    package static let httpRefused = Self(rawValue: "httpRefused")
}
