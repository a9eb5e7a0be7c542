/// The number of multicast DNS messages on an interface.
public struct InterfaceMessages: Hashable, Sendable {
    /// Messages that were received from other hosts.
    public internal(set) var received: MessageCounts
    /// Messages that were sent. A message that is sent over both IP versions counts once.
    public internal(set) var sent: MessageCounts

    init(received: MessageCounts = MessageCounts(), sent: MessageCounts = MessageCounts()) {
        self.received = received
        self.sent = sent
    }

    static func + (one: InterfaceMessages, other: InterfaceMessages) -> InterfaceMessages {
        InterfaceMessages(received: one.received + other.received, sent: one.sent + other.sent)
    }
}
