/// What a ``MulticastDNS`` did and saw on one interface since it began to use it, as it does anew when the interface was away: for finding out why something is not
/// found. A snapshot; nothing is sent to make it.
public struct InterfaceStatistics: Hashable, Sendable {
    /// The most senders that are remembered for an interface; the one heard last longest ago makes room for a new one.
    public static let maximumSources = 128

    /// The interface, with the addresses in use.
    public let interface: NetworkInterface
    /// Why the interface is not used, or only with one IP version, although it is selected and running; `nil` if nothing was
    /// refused.
    public let refusal: DNSSDError?
    /// Whether a socket takes part in multicast DNS over IPv4.
    public let usesIPv4: Bool
    /// Whether a socket takes part in multicast DNS over IPv6.
    public let usesIPv6: Bool
    /// Messages of others that were read.
    public let received: MessageCounts
    /// Messages that were handed to the system; over both IP versions is once.
    public let sent: MessageCounts
    /// Packets that the system did not take, for example because a cable is out.
    public let unsentPackets: Int
    /// Own packets that came back. Multicast is looped back to its sender, so if something was sent and this stays 0,
    /// multicast does not work on the interface, or a firewall blocks it.
    public let ownPacketsHeard: Int
    /// Packets that were addressed to this host alone, not to the group. Another program that shares the port may get
    /// them instead.
    public let unicastPackets: Int
    /// Whether this program hears such packets: when it started, no other held the port, and none has been noticed since.
    public let hearsUnicast: Bool
    /// Packets that are not DNS messages.
    public let malformedPackets: Int
    /// Packets that were ignored because they cannot come from the link, or are responses from another port than 5353.
    public let rejectedPackets: Int
    /// How many records of others are kept.
    public let cachedRecords: Int
    /// How many bytes their names and data have.
    public let cachedBytes: Int
    /// Who was heard, the one heard last first; at most ``maximumSources``.
    public let sources: [PacketSource]
}
