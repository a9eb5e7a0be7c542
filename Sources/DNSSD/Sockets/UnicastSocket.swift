import NIOCore
import NIOPosix

/// A socket that hears what is sent to this host's UDP port 5353 and not to the group: direct questions, and replies to
/// questions that asked for them (RFC 6762 sections 5.4 and 5.5).
///
/// The system gives such a packet to one program only. So it is opened only if no other program has the port; another one
/// that comes later takes over, as the system gives precedence to whoever bound the port last. It is never sent from.
struct UnicastSocket: Sendable {
    private let channel: any Channel

    /// Opens a socket and hands the packets that arrive to a stream; `nil` if the system refuses it.
    init?(isIPv4: Bool, packets: AsyncStream<ReceivedPacket>.Continuation) async {
        guard let descriptor = Self.descriptor(isIPv4: isIPv4),
            let channel = try? await DatagramBootstrap.receiving(PacketReader(packets: packets))
                .channelOption(.receivePacketInfo, value: true)
                .withBoundSocket(descriptor).get()
        else { return nil }
        self.channel = channel
    }

    /// Closes the socket soon.
    func abandon() {
        channel.close(promise: nil)
    }
}
