/// A packet that arrived on a socket.
struct ReceivedPacket: Sendable {
    /// What the packet holds.
    let bytes: [UInt8]
    /// Where it came from.
    let source: Endpoint
    /// The number of the interface on which it arrived.
    let link: UInt32
    /// The address of this host that it was sent to; `nil` if it was sent to the group.
    let destination: IPAddress?
}
