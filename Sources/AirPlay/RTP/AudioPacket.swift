/// A packet of audio: a header of 12 bytes and the encoded frames.
package struct AudioPacket: Hashable, Sendable {
    /// The payload type of audio.
    static let payloadType: UInt8 = 96
    /// The maximum number of bytes that fit into a datagram of the usual networks.
    package static let maximumLength = 2_048
    /// The maximum number of frames in a packet: uncompressed, they fit with the headers of the packet and of the codec.
    package static let framesLimit = (maximumLength - 64) / AudioFormat.frameLength

    /// Whether this is the first packet after the start or a flush.
    package var isFirst: Bool
    /// The number of the packet, which wraps around.
    package var sequence: UInt16
    /// The number of the packet's first frame, which wraps around.
    package var timestamp: UInt32
    /// The sender's number of the stream.
    package var source: UInt32
    /// The encoded frames.
    package var payload: [UInt8]

    /// Creates a packet.
    package init(isFirst: Bool = false, sequence: UInt16, timestamp: UInt32, source: UInt32, payload: [UInt8]) {
        self.isFirst = isFirst
        self.sequence = sequence
        self.timestamp = timestamp
        self.source = source
        self.payload = payload
    }

    /// Reads a datagram. Returns `nil` if it isn't audio.
    package init?(_ datagram: some Collection<UInt8>) {
        guard (12...Self.maximumLength).contains(datagram.count) else { return nil }
        let bytes = Array(datagram)
        // Version 2, without padding, extension and contributing sources.
        guard bytes[0] == RTPHeader.version, bytes[1] & 0x7F == Self.payloadType else { return nil }
        isFirst = bytes[1] & 0x80 != 0
        sequence = UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        timestamp = UInt32(bigEndian: bytes[4..<8])
        source = UInt32(bigEndian: bytes[8..<12])
        payload = Array(bytes[12...])
    }

    /// The datagram.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(12 + payload.count)
        bytes.append(RTPHeader.version)
        bytes.append(Self.payloadType | (isFirst ? 0x80 : 0))
        bytes.append(bigEndian: sequence)
        bytes.append(bigEndian: timestamp)
        bytes.append(bigEndian: source)
        bytes += payload
        return bytes
    }
}
