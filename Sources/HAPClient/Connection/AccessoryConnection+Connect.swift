internal import HAP
internal import NIOCore

extension AccessoryConnection {
    /// A connection that any thread can hold, but only its event loop can use.
    typealias Bound = NIOLoopBound<AccessoryConnection>

    /// Connects to the first address that accepts a connection. It tries the addresses one after another.
    ///
    /// If all fail, the future fails with the ``UnreachableCause`` of the first address, which is the most likely one.
    ///
    /// - Parameters:
    ///   - timeout: The maximum time for each address.
    ///   - limits: The limits of a response once the connection is secured.
    static func connect(
        toFirstOf addresses: [AccessoryAddress],
        by connector: AccessoryConnector = .tcp,
        timeout: Duration,
        limits: HTTPLimits = .pairing,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bound> {
        guard let first = addresses.first else {
            return eventLoop.makeFailedFuture(UnreachableCause.notAdvertised)
        }
        return connect(to: first, by: connector, timeout: timeout, limits: limits, on: eventLoop).flatMapError {
            error in
            let cause = UnreachableCause(error)
            let others = Array(addresses.dropFirst())
            guard !others.isEmpty else { return eventLoop.makeFailedFuture(cause) }
            return connect(toFirstOf: others, by: connector, timeout: timeout, limits: limits, on: eventLoop)
                .flatMapErrorThrowing { _ in throw cause }
        }
    }

    private static func connect(
        to address: AccessoryAddress,
        by connector: AccessoryConnector,
        timeout: Duration,
        limits: HTTPLimits,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<Bound> {
        connector.connect(address, TimeAmount(timeout), eventLoop) { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(AccessoryConnection(to: address, limits: limits))
            }
        }
        .flatMapThrowing { channel in
            Bound(
                try channel.pipeline.syncOperations.handler(type: AccessoryConnection.self),
                eventLoop: channel.eventLoop
            )
        }
    }
}
