/// A decoder of Apple Lossless packets. Each packet is decoded independently of the others.
package struct AppleLosslessDecoder: Sendable {
    /// The stream's parameters.
    package let configuration: AppleLosslessConfiguration
    private var channels: [[Int32]]

    /// Creates a decoder of a stream.
    package init(configuration: AppleLosslessConfiguration) {
        self.configuration = configuration
        channels = Array(
            repeating: Array(repeating: 0, count: configuration.framesPerPacket),
            count: configuration.channelCount
        )
    }

    /// Decodes a packet.
    ///
    /// - Returns: The samples of all frames, interleaved, as signed numbers of the configuration's bit depth.
    /// - Throws: ``AppleLosslessError`` if the packet is malformed.
    package mutating func decode(_ packet: some Collection<UInt8>) throws(AppleLosslessError) -> [Int32] {
        var reader = BitReader(Array(packet))
        guard let element = Element(rawValue: reader.read(3)), element.channelCount == configuration.channelCount else {
            throw .unsupportedElement
        }
        let header = PacketHeader(&reader)
        guard !reader.isExhausted else { throw .truncatedPacket }
        let frameCount = header.frameCount ?? configuration.framesPerPacket
        guard (1...configuration.framesPerPacket).contains(frameCount) else { throw .invalidFrameCount }
        if header.isEscaped {
            try readSamples(&reader, frameCount)
        } else {
            try decodeChannels(&reader, frameCount, lowBits: header.lowBytes * 8)
        }
        return interleaved(frameCount)
    }

    /// Reads samples that aren't compressed.
    private mutating func readSamples(_ reader: inout BitReader, _ frameCount: Int) throws(AppleLosslessError) {
        guard reader.remaining >= frameCount * channels.count * configuration.bitDepth else { throw .truncatedPacket }
        for frame in 0..<frameCount {
            for channel in channels.indices {
                channels[channel][frame] = reader.readSigned(configuration.bitDepth)
            }
        }
    }

    private mutating func decodeChannels(
        _ reader: inout BitReader,
        _ frameCount: Int,
        lowBits: Int
    ) throws(AppleLosslessError) {
        // The difference of two channels needs a bit more.
        let sampleBits = configuration.bitDepth - lowBits + channels.count - 1
        guard (1...32).contains(sampleBits) else { throw .invalidPrediction }
        let mixShift = reader.read(8)
        let mixWeight = reader.read(8)
        guard mixShift < 32 else { throw .invalidPrediction }
        var descriptions: [ChannelDescription] = []
        for _ in channels { descriptions.append(try ChannelDescription(&reader)) }
        let lowParts = try readLowParts(&reader, frameCount * channels.count, lowBits)
        for (channel, description) in zip(channels.indices, descriptions) {
            var rice = AdaptiveRice(configuration, modifier: description.riceModifier, valueBits: sampleBits)
            try rice.decode(&reader, into: &channels[channel], count: frameCount)
            description.restore(&channels[channel], frameCount, sampleBits)
        }
        if channels.count == 2, mixWeight != 0 {
            unmix(frameCount, weight: Int32(mixWeight), shift: Int32(mixShift))
        }
        guard lowBits > 0 else { return }
        for frame in 0..<frameCount {
            for channel in channels.indices {
                let low = Int32(lowParts[frame * channels.count + channel])
                channels[channel][frame] = channels[channel][frame] &<< Int32(lowBits) | low
            }
        }
    }

    /// Reads the low bits of all samples, which aren't predicted.
    private func readLowParts(
        _ reader: inout BitReader,
        _ count: Int,
        _ bits: Int
    ) throws(AppleLosslessError) -> [UInt32] {
        guard bits > 0 else { return [] }
        guard reader.remaining >= count * bits else { throw .truncatedPacket }
        var parts: [UInt32] = []
        parts.reserveCapacity(count)
        for _ in 0..<count { parts.append(reader.read(bits)) }
        return parts
    }

    /// Restores left and right from a weighted sum and the difference.
    private mutating func unmix(_ frameCount: Int, weight: Int32, shift: Int32) {
        for frame in 0..<frameCount {
            let difference = channels[1][frame]
            let right = channels[0][frame] &- ((difference &* weight) &>> shift)
            channels[0][frame] = right &+ difference
            channels[1][frame] = right
        }
    }

    private func interleaved(_ frameCount: Int) -> [Int32] {
        guard channels.count == 2 else { return Array(channels[0][..<frameCount]) }
        let (left, right) = (channels[0], channels[1])
        var samples = [Int32](repeating: 0, count: frameCount * 2)
        for frame in 0..<frameCount {
            samples[frame * 2] = left[frame]
            samples[frame * 2 + 1] = right[frame]
        }
        return samples
    }
}
