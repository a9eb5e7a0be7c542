/// A packet of the control port.
package enum ControlPacket: Hashable, Sendable {
    /// The relation of frames and time, from the sender.
    case sync(SyncPacket)
    /// The receiver's request to send packets again.
    case resendRequest(ResendRequest)
    /// A packet that the sender sends again.
    case resent(AudioPacket)

    /// Reads a datagram. Returns `nil` if it is malformed.
    package init?(_ datagram: some Collection<UInt8>) {
        guard (8...AudioPacket.maximumLength + 4).contains(datagram.count) else { return nil }
        let bytes = Array(datagram)
        // The payload type is what counts; some senders set the marker bit, some don't.
        guard bytes[0] & ~RTPHeader.extensionBit == RTPHeader.version,
            let type = RTPPacketType(rawValue: bytes[1] | 0x80)
        else { return nil }
        switch type {
        case .sync:
            guard let sync = SyncPacket(bytes) else { return nil }
            self = .sync(sync)
        case .resendRequest:
            let first: UInt16 = UInt16(bigEndian: bytes[4..<6])
            self = .resendRequest(ResendRequest(first: first, count: UInt16(bigEndian: bytes[6..<8])))
        case .resent:
            guard let packet = AudioPacket(bytes[4...]) else { return nil }
            self = .resent(packet)
        case .timingRequest, .timingReply: return nil
        }
    }

    /// The datagram.
    package var bytes: [UInt8] {
        switch self {
        case .sync(let sync): sync.bytes
        case .resendRequest(let request): request.bytes
        case .resent(let packet): Self.resent(packet.bytes[...])
        }
    }

    /// Returns the datagram that sends a packet again.
    package static func resent(_ packet: ArraySlice<UInt8>) -> [UInt8] {
        [RTPHeader.version, RTPPacketType.resent.rawValue] + packet.dropFirst(2).prefix(2) + packet
    }
}

/// The sender's statement of which frame plays when.
package struct SyncPacket: Hashable, Sendable {
    /// Whether this is the first one after the start or a flush.
    package var isFirst: Bool
    /// The frame that plays at the time.
    package var playing: UInt32
    /// The sender's time.
    package var time: NTPTime
    /// The frame that is sent at the time. The difference is the latency.
    package var sending: UInt32

    /// Creates a packet.
    package init(isFirst: Bool, playing: UInt32, time: NTPTime, sending: UInt32) {
        self.isFirst = isFirst
        self.playing = playing
        self.time = time
        self.sending = sending
    }

    fileprivate init?(_ bytes: [UInt8]) {
        guard bytes.count == 20 else { return nil }
        isFirst = bytes[0] & RTPHeader.extensionBit != 0
        playing = UInt32(bigEndian: bytes[4..<8])
        time = NTPTime(rawValue: UInt64(bigEndian: bytes[8..<16]))
        sending = UInt32(bigEndian: bytes[16..<20])
    }

    /// The number of frames between sending and playing.
    package var latency: UInt32 { sending &- playing }

    fileprivate var bytes: [UInt8] {
        var bytes = [RTPHeader.version | (isFirst ? RTPHeader.extensionBit : 0), RTPPacketType.sync.rawValue]
        bytes.append(bigEndian: RTPHeader.fixedSequence)
        bytes.append(bigEndian: playing)
        bytes.append(bigEndian: time.rawValue)
        bytes.append(bigEndian: sending)
        return bytes
    }
}

/// The receiver's request to send consecutive packets again.
package struct ResendRequest: Hashable, Sendable {
    /// The sequence number of the first packet.
    package var first: UInt16
    /// The number of packets.
    package var count: UInt16

    /// Creates a request.
    package init(first: UInt16, count: UInt16) {
        self.first = first
        self.count = count
    }

    fileprivate var bytes: [UInt8] {
        var bytes = [RTPHeader.version, RTPPacketType.resendRequest.rawValue]
        bytes.append(bigEndian: 1 as UInt16)
        bytes.append(bigEndian: first)
        bytes.append(bigEndian: count)
        return bytes
    }
}
