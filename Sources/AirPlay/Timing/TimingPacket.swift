/// A packet of the timing port: the receiver's request for the sender's time, or the reply.
package struct TimingPacket: Hashable, Sendable {
    private static let length = 32

    /// Whether this is a reply.
    package var isReply: Bool
    /// The requester's time when it sent the request, in a reply.
    package var requested: NTPTime
    /// The responder's time when it received the request, in a reply.
    package var received: NTPTime
    /// The time when this packet is sent.
    package var sent: NTPTime

    /// Creates a request.
    package static func request(at time: NTPTime) -> TimingPacket {
        let none = NTPTime(rawValue: 0)
        return TimingPacket(isReply: false, requested: none, received: none, sent: time)
    }

    /// Returns the reply to this request.
    package func reply(received: NTPTime, sent: NTPTime) -> TimingPacket {
        TimingPacket(isReply: true, requested: self.sent, received: received, sent: sent)
    }
}

extension TimingPacket {
    /// Reads a datagram. Returns `nil` if it is malformed.
    package init?(_ datagram: some Collection<UInt8>) {
        guard datagram.count == Self.length else { return nil }
        let bytes = Array(datagram)
        guard bytes[0] == RTPHeader.version, let type = RTPPacketType(rawValue: bytes[1] | 0x80) else { return nil }
        switch type {
        case .timingRequest: isReply = false
        case .timingReply: isReply = true
        case .sync, .resendRequest, .resent: return nil
        }
        func time(_ start: Int) -> NTPTime { NTPTime(rawValue: UInt64(bigEndian: bytes[start..<start + 8])) }
        (requested, received, sent) = (time(8), time(16), time(24))
    }

    /// The datagram.
    package var bytes: [UInt8] {
        let type = isReply ? RTPPacketType.timingReply : .timingRequest
        var bytes = [RTPHeader.version, type.rawValue]
        bytes.append(bigEndian: RTPHeader.fixedSequence)
        bytes.append(bigEndian: 0 as UInt32)
        for time in [requested, received, sent] { bytes.append(bigEndian: time.rawValue) }
        return bytes
    }
}
