/// Someone on the link from whom multicast DNS was heard.
public struct PacketSource: Hashable, Sendable {
    /// The address that the packets came from.
    public let address: IPAddress
    /// Whether the address is one of this host: another program here speaks multicast DNS as well.
    public let isThisHost: Bool
    /// What came from there. This process's own packets, which come back to it, are not counted.
    public let received: MessageCounts
    /// How long ago the last packet came.
    public let sinceLastHeard: Duration
}
