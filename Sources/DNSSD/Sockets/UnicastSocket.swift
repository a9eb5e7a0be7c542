import NIOCore
import NIOPosix

/// A socket for unicast packets to this host's UDP port 5353: direct queries, and unicast responses to queries that
/// requested them (RFC 6762 sections 5.4 and 5.5).
///
/// The system delivers such a packet to one program only. Therefore the socket is opened only if no other program has
/// the port. A program that starts later takes over, because the system prefers the program that bound the port last.
/// The socket is never used for sending.
struct UnicastSocket: Sendable {
    private let channel: any Channel

    /// Opens a socket and delivers received packets to a stream; `nil` if the system refuses.
    init?(isIPv4: Bool, packets: AsyncStream<ReceivedPacket>.Continuation) async {
        guard let descriptor = Self.descriptor(isIPv4: isIPv4),
            let channel = try? await DatagramBootstrap.receiving(PacketReader(packets: packets))
                .channelOption(.receivePacketInfo, value: true)
                .withBoundSocket(descriptor).get()
        else { return nil }
        self.channel = channel
    }

    /// Closes the socket asynchronously.
    func abandon() {
        channel.close(promise: nil)
    }
}
