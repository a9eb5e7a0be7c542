import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
import Synchronization
package import TLS

/// An open port that serves HTTP.
package final class HTTPServer: Sendable {
    // This is a class because it is one open socket that is stopped once.

    /// The address that was requested, with the actual port.
    package let address: HTTPAddress
    private let counter: ConnectionCounter
    private let server: Server<HTTPServerChannel>
    private let serving: Task<Void, Never>

    private init(
        address: HTTPAddress,
        counter: ConnectionCounter,
        server: Server<HTTPServerChannel>,
        serving: Task<Void, Never>
    ) {
        self.address = address
        self.counter = counter
        self.server = server
        self.serving = serving
    }

    /// The number of connections.
    package var connections: Int { counter.count }

    /// Opens the port; once this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - context: A closure that returns the settings of new connections; `nil` for HTTP without encryption.
    ///   - respond: A closure that responds to requests.
    ///   - respondPlainly: A closure that responds to requests without encryption if the server has a certificate.
    /// - Throws: An error if the port can't be opened.
    package static func start(
        at address: HTTPAddress,
        limits: HTTPConnectionLimits,
        context: (@Sendable () -> TLSContext)? = nil,
        logger: Logger,
        respond: @escaping HTTPServerChannel.Respond,
        respondPlainly: @escaping HTTPServerChannel.Respond
    ) async throws(HTTPServerError) -> HTTPServer {
        let connections = ConnectionCounter(
            limit: limits.connectionsPerAddress,
            localLimit: limits.localConnections
        )
        let channel = HTTPServerChannel(
            limits: limits,
            counter: connections,
            context: context,
            respond: respond,
            respondPlainly: respondPlainly
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
            throw HTTPServerError("HTTP can't be served at \(address): \(reason)")
        }
        var address = address
        address.port = port
        return HTTPServer(address: address, counter: connections, server: server, serving: serving)
    }

    /// Closes the port and all connections. Responses in progress can end; whoever doesn't read them is disconnected.
    package func stop() async {
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
