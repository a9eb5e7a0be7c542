internal import AppleLossless

/// A decoder of a stream's packets into samples.
package struct PacketDecoder: Sendable {
    private var decoder: AppleLosslessDecoder?
    /// The number of frames that stand for a lost packet.
    package let framesPerPacket: Int

    /// Creates a decoder of a format.
    package init(_ format: AudioFormat) {
        switch format {
        case .pcm: framesPerPacket = AudioFormat.framesPerPacket
        case .appleLossless(let configuration):
            decoder = AppleLosslessDecoder(configuration: configuration)
            framesPerPacket = configuration.framesPerPacket
        }
    }

    /// Returns a packet's samples: 16 bits, the least significant byte first, left and right alternating.
    ///
    /// Returns `nil` if the packet is malformed.
    package mutating func decode(_ payload: [UInt8]) -> [UInt8]? {
        guard decoder != nil else {
            guard !payload.isEmpty, payload.count.isMultiple(of: AudioFormat.frameLength) else { return nil }
            var samples = payload
            for index in stride(from: 0, to: samples.count, by: 2) { samples.swapAt(index, index + 1) }
            return samples
        }
        guard let decoded = try? decoder?.decode(payload) else { return nil }
        var samples: [UInt8] = []
        samples.reserveCapacity(decoded.count * 2)
        for sample in decoded {
            samples.append(UInt8(truncatingIfNeeded: sample))
            samples.append(UInt8(truncatingIfNeeded: sample >> 8))
        }
        return samples
    }

    /// The samples that stand for a lost packet.
    package var silence: [UInt8] { Array(repeating: 0, count: framesPerPacket * AudioFormat.frameLength) }
}
