/// A packet that arrived on a socket.
struct ReceivedPacket: Sendable {
    /// The content of the packet.
    let bytes: [UInt8]
    /// The sender of the packet.
    let source: Endpoint
    /// The index of the interface on which it arrived.
    let link: UInt32
    /// The address of this host to which it was sent; `nil` if it was sent to the group.
    let destination: IPAddress?
}
