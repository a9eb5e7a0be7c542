import NIOCore
import NIOPosix

/// Delivers the packets of a socket to a stream. This is a class because the pipeline requires it; it has no mutable
/// state.
final class PacketReader: ChannelInboundHandler, Sendable {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let link: UInt32?
    private let packets: AsyncStream<ReceivedPacket>.Continuation

    /// - Parameter link: The index of the interface, for a socket that receives packets to the group. `nil` for a
    ///   socket that receives unicast packets; the system then provides the interface and the address with each packet.
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
        // An error that one datagram caused (an unreachable host, a packet that is too large) doesn't affect the next
        // one.
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
