internal import HAP
internal import NIOCore
internal import NIOPosix

extension AccessoryConnection {
    /// A connection that other threads may hold, but only its event loop may use.
    typealias Bound = NIOLoopBound<AccessoryConnection>

    /// Connects to the first address that accepts, trying one after the other, each for at most `timeout`. Fails with
    /// the ``UnreachableCause`` of the first address, which is the likeliest.
    ///
    /// - Parameter limits: What is read of a response once the connection is secured.
    static func connect(
        toFirstOf addresses: [AccessoryAddress],
        timeout: Duration,
        limits: HTTPLimits = .pairing,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bound> {
        guard let first = addresses.first else {
            return eventLoop.makeFailedFuture(UnreachableCause.notAdvertised)
        }
        return connect(to: first, timeout: timeout, limits: limits, on: eventLoop).flatMapError { error in
            let cause = UnreachableCause(error)
            let others = Array(addresses.dropFirst())
            guard !others.isEmpty else { return eventLoop.makeFailedFuture(cause) }
            return connect(toFirstOf: others, timeout: timeout, limits: limits, on: eventLoop)
                .flatMapErrorThrowing { _ in throw cause }
        }
    }

    private static func connect(
        to address: AccessoryAddress,
        timeout: Duration,
        limits: HTTPLimits = .pairing,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bound> {
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(TimeAmount(timeout))
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AccessoryConnection(to: address, limits: limits))
                }
            }
        for (option, value) in KeepAlive.options {
            bootstrap = bootstrap.channelOption(.tcpOption(option), value: value)
        }
        // Only what is no address literal, a name or an address with a zone, goes through the resolver.
        let channel =
            if let socketAddress = try? SocketAddress(ipAddress: address.host, port: address.port) {
                bootstrap.connect(to: socketAddress)
            } else {
                bootstrap.connect(host: address.host, port: address.port)
            }
        return channel.flatMapThrowing { channel in
            Bound(
                try channel.pipeline.syncOperations.handler(type: AccessoryConnection.self),
                eventLoop: channel.eventLoop
            )
        }
    }
}
