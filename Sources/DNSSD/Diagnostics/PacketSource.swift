/// A sender of multicast DNS packets on the link.
public struct PacketSource: Hashable, Sendable {
    /// The source address of the packets.
    public let address: IPAddress
    /// Whether the address belongs to this host, so that another program on it uses multicast DNS.
    public let isThisHost: Bool
    /// The messages from this address. This process's own packets, which are looped back, aren't counted.
    public let received: MessageCounts
    /// The time since the last packet.
    public let timeSinceLastPacket: Duration
}
