/// A filter for packets that are sent again under another number.
///
/// The encryption doesn't protect a packet's sequence number. Each nonce is therefore accepted once; what is too old for
/// this memory is recognized by its timestamp.
struct ReplayFilter: Sendable {
    /// The number of nonces that are remembered, twice as many as packets can wait.
    static let capacity = 2 * PacketBuffer.capacity
    /// The number of frames behind the newest packet that are accepted.
    private static let frameLimit = Int32(PacketBuffer.capacity * AudioFormat.framesPerPacket)

    private var nonces: Set<UInt64> = []
    private var order: [UInt64] = []
    private var oldest = 0
    private var newestTimestamp: UInt32?

    /// Lets the stream continue at any timestamp.
    mutating func restart(at timestamp: UInt32?) {
        newestTimestamp = timestamp
    }

    /// Returns whether a packet that was decrypted is new.
    mutating func accepts(nonce: UInt64, timestamp: UInt32) -> Bool {
        let distance = Int32(bitPattern: timestamp &- (newestTimestamp ?? timestamp))
        guard distance > -Self.frameLimit, nonces.insert(nonce).inserted else { return false }
        if distance > 0 || newestTimestamp == nil { newestTimestamp = timestamp }
        if order.count < Self.capacity {
            order.append(nonce)
        } else {
            nonces.remove(order[oldest])
            order[oldest] = nonce
            oldest = (oldest + 1) % Self.capacity
        }
        return true
    }
}
