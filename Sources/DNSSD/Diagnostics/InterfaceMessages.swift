/// How many multicast DNS messages went over one interface.
public struct InterfaceMessages: Hashable, Sendable {
    /// Messages of others that were read.
    public internal(set) var received: MessageCounts
    /// Messages that were handed to the system; over both IP versions is once.
    public internal(set) var sent: MessageCounts

    init(received: MessageCounts = MessageCounts(), sent: MessageCounts = MessageCounts()) {
        self.received = received
        self.sent = sent
    }

    static func + (one: InterfaceMessages, other: InterfaceMessages) -> InterfaceMessages {
        InterfaceMessages(received: one.received + other.received, sent: one.sent + other.sent)
    }
}
