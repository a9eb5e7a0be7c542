import NIOCore
import NIOPosix

/// Hands what arrives on a socket to a stream. A class, as the pipeline requires; it has no state of its own.
final class PacketReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let link: UInt32?
    private let packets: AsyncStream<ReceivedPacket>.Continuation

    /// - Parameter link: The number of the interface on which everything arrives that was sent to the group; without it the
    ///   socket hears what was sent to this host, and the system tells interface and address with each packet.
    init(link: UInt32? = nil, packets: AsyncStream<ReceivedPacket>.Continuation) {
        self.link = link
        self.packets = packets
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let arrival = envelope.metadata?.packetInfo
        guard let source = Endpoint(envelope.remoteAddress),
            let link = link ?? arrival.flatMap({ UInt32(exactly: $0.interfaceIndex) })
        else { return }
        let destination = arrival.flatMap { Endpoint($0.destinationAddress) }?.address
        packets.yield(
            ReceivedPacket(
                bytes: Array(envelope.data.readableBytesView),
                source: source,
                link: link,
                destination: self.link == nil ? destination : nil
            )
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error that a datagram caused (an unreachable host, a packet too large) says nothing about the next one.
    }
}

extension DatagramBootstrap {
    /// Prepares a socket that only receives.
    static func receiving(_ reader: PacketReader) -> DatagramBootstrap {
        DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(
                .recvAllocator,
                value: FixedSizeRecvByteBufferAllocator(capacity: DNSFormat.maximumMessageSize + 1)
            )
            .channelInitializer { channel in
                channel.pipeline.addHandler(reader)
            }
    }
}

extension Endpoint {
    fileprivate init?(_ address: SocketAddress) {
        guard let ip = address.withSockAddr({ pointer, _ in IPAddress(socketAddress: pointer) }) else { return nil }
        self.init(address: ip, port: address.port.flatMap(UInt16.init(exactly:)) ?? 0)
    }
}
