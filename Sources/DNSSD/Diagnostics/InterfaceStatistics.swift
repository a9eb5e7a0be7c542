/// Statistics of a ``MulticastDNS`` on one interface, for diagnosing why a service is not found. They start over when
/// the interface disappears and returns. This is a snapshot; taking it causes no traffic.
public struct InterfaceStatistics: Hashable, Sendable {
    /// The maximum number of senders that are stored for an interface. Beyond it, the least recently received one is
    /// replaced.
    public static let maximumSources = 128

    /// The interface, with the addresses in use.
    public let interface: NetworkInterface
    /// The reason why a selected, running interface isn't used, or is used with one IP version only; `nil` if there was
    /// no error.
    public let refusal: DNSSDError?
    /// Whether a socket for multicast DNS over IPv4 is open.
    public let usesIPv4: Bool
    /// Whether a socket for multicast DNS over IPv6 is open.
    public let usesIPv6: Bool
    /// Messages that were received from other hosts.
    public let received: MessageCounts
    /// Messages that were sent. A message that is sent over both IP versions counts once.
    public let sent: MessageCounts
    /// Packets that the system could not send, for example because a cable is unplugged.
    public let unsentPackets: Int
    /// Own packets that were looped back. Multicast is looped back to its sender. If messages were sent and this stays
    /// 0, multicast doesn't work on the interface, or a firewall blocks it.
    public let ownPacketsReceived: Int
    /// Whether this program receives packets that are sent to this host's address instead of the group: no other program
    /// had the port when it started, and none was detected since.
    public let receivesUnicast: Bool
    /// Packets that aren't DNS messages.
    public let malformedPackets: Int
    /// Packets that were ignored because they can't come from the link, or are responses from a port other than 5353.
    public let rejectedPackets: Int
    /// The senders, most recent first; at most ``maximumSources``.
    public let sources: [PacketSource]
}
