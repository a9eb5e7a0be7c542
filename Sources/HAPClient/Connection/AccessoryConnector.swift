package import NIOCore
internal import NIOPosix

/// Makes the channels to accessory servers: over TCP, or whatever else carries their bytes.
package struct AccessoryConnector: Sendable {
    /// Opens a channel to an address within a time. The initializer runs on the channel's event loop before anything is
    /// read; the channel is to be registered with that event loop.
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

    /// Connects over TCP, and has the kernel watch connections that are silent.
    package static let tcp = AccessoryConnector { address, timeout, eventLoop, initializer in
        var bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(timeout)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelInitializer(initializer)
        for (option, value) in KeepAlive.options {
            bootstrap = bootstrap.channelOption(.tcpOption(option), value: value)
        }
        // Only what is no address literal, a name or an address with a zone, goes through the resolver.
        return if let socketAddress = try? SocketAddress(ipAddress: address.host, port: address.port) {
            bootstrap.connect(to: socketAddress)
        } else {
            bootstrap.connect(host: address.host, port: address.port)
        }
    }
}
