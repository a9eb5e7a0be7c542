import NIOCore
import NIOPosix

/// A socket for multicast DNS on one interface with one IP version.
struct MulticastSocket: Sendable {
    /// The requested size of the receive and send buffers, in bytes.
    static let bufferSize: CInt = 1 << 20

    let isIPv4: Bool
    private let channel: any Channel
    private let sender: DatagramSender
    private let group: SocketAddress
    private let interface: NetworkInterface

    /// Opens a socket and delivers received packets to a stream.
    ///
    /// - Throws: ``DNSSDError`` with the code `portRefused` or `socketRefused`.
    init(
        _ interface: NetworkInterface,
        isIPv4: Bool,
        packets: AsyncStream<ReceivedPacket>.Continuation
    ) async throws(DNSSDError) {
        self.isIPv4 = isIPv4
        self.interface = interface
        do {
            group = try Self.address(
                isIPv4 ? MulticastEndpoint.groupIPv4 : MulticastEndpoint.groupIPv6,
                MulticastEndpoint.port,
                interface
            )
            let descriptor = try Self.descriptor(interface, isIPv4: isIPv4)
            sender = DatagramSender(duplicating: descriptor)
            channel = try await DatagramBootstrap.receiving(PacketReader(link: interface.index, packets: packets))
                .withBoundSocket(descriptor).get()
        } catch let error as DNSSDError {
            throw error
        } catch {
            throw DNSSDError(.socketRefused, reason: "can't open a socket on \(interface.name): \(error)")
        }
    }

    /// Returns whether the socket still matches the current state of its interface. It sends from the first IPv4
    /// address.
    func serves(_ current: NetworkInterface) -> Bool {
        current.index == interface.index && current.name == interface.name
            && (!isIPv4 || current.addresses.first(where: \.isIPv4) == interface.addresses.first(where: \.isIPv4))
    }

    /// Returns whether both are the same open socket.
    func isSame(as other: MulticastSocket) -> Bool {
        sender === other.sender
    }

    /// Sends a packet. Returns whether the system accepted it; if not, it is lost.
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

    /// Closes the socket asynchronously.
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
