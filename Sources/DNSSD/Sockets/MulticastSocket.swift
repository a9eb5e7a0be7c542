import NIOCore
import NIOPosix

/// A socket that takes part in multicast DNS on one interface with one IP version.
struct MulticastSocket: Sendable {
    /// A packet that was sent to the group.
    struct Packet: Sendable {
        let bytes: [UInt8]
        let source: Endpoint
        let link: UInt32
    }

    /// What the system is asked to hold between two readings, and between sending and the wire, in bytes.
    static let bufferSize: CInt = 1 << 20

    let isIPv4: Bool
    private let channel: any Channel
    private let sender: DatagramSender
    private let group: SocketAddress
    private let interface: NetworkInterface

    /// Opens a socket and hands the packets that arrive to a stream.
    ///
    /// - Throws: ``DNSSDError`` with the code `portRefused` or `socketRefused`.
    init(
        _ interface: NetworkInterface,
        isIPv4: Bool,
        packets: AsyncStream<Packet>.Continuation
    ) async throws(DNSSDError) {
        self.isIPv4 = isIPv4
        self.interface = interface
        do {
            group = try Self.address(
                isIPv4 ? MulticastEndpoint.groupIPv4 : MulticastEndpoint.groupIPv6,
                MulticastEndpoint.port,
                interface
            )
            let descriptor = try Self.open(interface, isIPv4: isIPv4)
            sender = DatagramSender(duplicating: descriptor)
            channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .channelOption(
                    .recvAllocator,
                    value: FixedSizeRecvByteBufferAllocator(capacity: DNSFormat.maximumMessageSize + 1)
                )
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(
                            PacketReader(link: interface.index, packets: packets)
                        )
                    }
                }
                .withBoundSocket(descriptor).get()
        } catch let error as DNSSDError {
            throw error
        } catch {
            throw DNSSDError(.socketRefused, reason: "no socket on \(interface.name): \(error)")
        }
    }

    /// Sends a packet; says whether the system took it. If not, it is lost, as any packet may be.
    func send(_ bytes: [UInt8], to destination: Outgoing.Destination) -> Bool {
        let address: SocketAddress? =
            switch destination {
            case .group: group
            case .unicast(let endpoint): try? Self.address(endpoint.address.description, endpoint.port, interface)
            }
        return address.map { sender.send(bytes, to: $0) } ?? false
    }

    /// Closes the socket.
    func close() async {
        sender.close()
        try? await channel.close()
    }

    /// Closes the socket soon.
    func abandon() {
        sender.close()
        channel.close(promise: nil)
    }

    private static func address(
        _ address: String,
        _ port: UInt16,
        _ interface: NetworkInterface
    ) throws -> SocketAddress {
        let isLinkLocal = address == MulticastEndpoint.groupIPv6 || IPAddress(address)?.isIPv6LinkLocal == true
        return try SocketAddress(
            ipAddress: isLinkLocal ? "\(address)%\(interface.name)" : address,
            port: Int(port)
        )
    }
}

/// Hands what arrives on a socket to a stream. A class, as the pipeline requires; it has no state of its own.
private final class PacketReader: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let link: UInt32
    private let packets: AsyncStream<MulticastSocket.Packet>.Continuation

    init(link: UInt32, packets: AsyncStream<MulticastSocket.Packet>.Continuation) {
        self.link = link
        self.packets = packets
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        guard let source = Endpoint(envelope.remoteAddress) else { return }
        packets.yield(
            MulticastSocket.Packet(bytes: Array(envelope.data.readableBytesView), source: source, link: link)
        )
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // An error that a datagram caused (an unreachable host, a packet too large) says nothing about the next one.
    }
}

extension Endpoint {
    fileprivate init?(_ address: SocketAddress) {
        guard let ip = address.withSockAddr({ pointer, _ in IPAddress(socketAddress: pointer) }),
            let port = address.port.flatMap(UInt16.init(exactly:))
        else { return nil }
        self.init(address: ip, port: port)
    }
}
