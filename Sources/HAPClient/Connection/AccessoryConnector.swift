package import NIOCore
internal import NIOPosix

/// A factory of channels to accessory servers, over TCP or a replacement.
package struct AccessoryConnector: Sendable {
    /// A closure that opens a channel to an address within a timeout. The channel must be registered with the event
    /// loop, and the initializer must run there before anything is read.
    package typealias Connect =
        @Sendable (
            _ address: AccessoryAddress,
            _ timeout: TimeAmount,
            _ eventLoop: any EventLoop,
            _ initializer: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
        ) -> EventLoopFuture<any Channel>

    let connect: Connect

    /// Creates a connector.
    package init(_ connect: @escaping Connect) {
        self.connect = connect
    }

    /// A connector that uses TCP with keepalive.
    package static let tcp = AccessoryConnector { address, timeout, eventLoop, initializer in
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer(initializer)
        for (option, value) in KeepAlive.options {
            bootstrap = bootstrap.channelOption(.tcpOption(option), value: value)
        }
        // Only host names and addresses with a zone need the resolver.
        return if let socketAddress = try? SocketAddress(ipAddress: address.host, port: address.port) {
            bootstrap.connect(to: socketAddress)
        } else {
            bootstrap.connect(host: address.host, port: address.port)
        }
    }
}
