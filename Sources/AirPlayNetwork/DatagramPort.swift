internal import DNSSD
internal import Glibc
internal import NIOCore
internal import NIOPosix

/// A UDP port of a stream.
///
/// This is a class because it owns a socket. Its event loop's actor uses it.
final class DatagramPort {
    /// The port, 1 to 65535.
    let port: Int
    private let channel: any Channel
    private let sender: DatagramSender

    /// Opens a port.
    ///
    /// - Parameters:
    ///   - address: The address to bind, with port 0 for any free port.
    ///   - loop: The event loop.
    ///   - receive: A closure that takes datagrams, called on the event loop.
    init(
        _ address: SocketAddress,
        on loop: any EventLoop,
        receive: @escaping @Sendable (_ datagram: [UInt8], _ source: SocketAddress) -> Void
    ) async throws(AirPlayNetworkError) {
        let descriptor = try Self.descriptor(address)
        sender = DatagramSender(duplicating: descriptor)
        do {
            channel = try await DatagramBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4_096))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DatagramHandler(receive))
                    }
                }
                .withBoundSocket(descriptor).get()
        } catch {
            sender.close()
            throw .portRefused("\(address): \(error)")
        }
        port = channel.localAddress?.port ?? 0
    }

    private static func descriptor(_ address: SocketAddress) throws(AirPlayNetworkError) -> CInt {
        let kind = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let family = address.protocol == .inet6 ? AF_INET6 : AF_INET
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw .portRefused("\(address): \(String(cString: strerror(errno)))") }
        let isBound = address.withSockAddr { bind(descriptor, $0, socklen_t($1)) == 0 }
        guard isBound else {
            let reason = String(cString: strerror(errno))
            Glibc.close(descriptor)
            throw .portRefused("\(address): \(reason)")
        }
        return descriptor
    }

    /// Sends a datagram. One that can't be sent is lost.
    func send(_ bytes: [UInt8], to address: SocketAddress) {
        _ = sender.send(bytes, to: address)
    }

    /// Closes the port.
    func close() {
        sender.close()
        channel.close(promise: nil)
    }
}

/// Passes datagrams on. This is a class because NIO's handlers are.
private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let receive: @Sendable ([UInt8], SocketAddress) -> Void

    init(_ receive: @escaping @Sendable ([UInt8], SocketAddress) -> Void) {
        self.receive = receive
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        receive(Array(envelope.data.readableBytesView), envelope.remoteAddress)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error that one datagram caused doesn't affect the next one.
    }
}

extension SocketAddress {
    /// The same host with another port.
    func with(port: Int) -> SocketAddress {
        var address = self
        address.port = port
        return address
    }

    /// Whether two addresses are the same host, whatever their ports.
    func isSameHost(as other: SocketAddress) -> Bool {
        ipAddress != nil && ipAddress == other.ipAddress
    }
}
