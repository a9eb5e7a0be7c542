/// An encoder of 16-bit samples into Apple Lossless packets.
package struct AppleLosslessEncoder: Sendable {
    private static let order = 8
    private static let coefficientShift = 9
    private static let riceModifier = 4
    private static let mixShift: Int32 = 2
    /// The longest header of a stereo packet, in bytes.
    private static let headerCapacity = 64

    /// The stream's parameters.
    package let configuration: AppleLosslessConfiguration
    private let isCompressing: Bool
    /// The coefficients at the end of the previous packet, for each channel.
    private var coefficients: [[Int32]]

    /// Creates an encoder of a stream.
    ///
    /// - Parameters:
    ///   - configuration: The parameters. The bit depth must be 16.
    ///   - isCompressing: Whether packets are compressed. If `false`, they contain the samples as they are, which
    ///     costs less time.
    /// - Throws: ``AppleLosslessError/unsupportedConfiguration`` if the bit depth isn't 16.
    package init(
        configuration: AppleLosslessConfiguration,
        isCompressing: Bool = true
    ) throws(AppleLosslessError) {
        guard configuration.bitDepth == 16 else { throw .unsupportedConfiguration }
        self.configuration = configuration
        self.isCompressing = isCompressing
        // A smooth signal continues with a falling slope.
        let slope = [-2, -29, 38].map { Int32($0 << (Self.coefficientShift - 4)) }
        let start = Array(repeating: 0, count: Self.order - slope.count) + slope
        coefficients = Array(repeating: start, count: configuration.channelCount)
    }

    /// Encodes the frames of a packet.
    ///
    /// - Parameter samples: The samples, interleaved: at least one frame and at most the configuration's number.
    /// - Throws: ``AppleLosslessError/invalidFrameCount`` if there are too few or too many samples.
    package mutating func encode(_ samples: [Int16]) throws(AppleLosslessError) -> [UInt8] {
        let (frameCount, rest) = samples.count.quotientAndRemainder(dividingBy: configuration.channelCount)
        guard rest == 0, (1...configuration.framesPerPacket).contains(frameCount) else { throw .invalidFrameCount }
        let escapedLength = samples.count * 2 + 8
        if isCompressing {
            let packet = compress(samples, frameCount)
            if packet.count < escapedLength { return packet }
        }
        return escape(samples, frameCount, capacity: escapedLength)
    }

    private func writer(_ frameCount: Int, isEscaped: Bool, capacity: Int) -> BitWriter {
        var writer = BitWriter(capacity: capacity)
        let element = configuration.channelCount == 2 ? Element.channelPair : .singleChannel
        writer.write(element.rawValue, 3)
        PacketHeader(
            frameCount: frameCount == configuration.framesPerPacket ? nil : frameCount,
            isEscaped: isEscaped
        )
        .write(to: &writer)
        return writer
    }

    private func finish(_ writer: inout BitWriter) -> [UInt8] {
        writer.write(Element.end.rawValue, 3)
        writer.align()
        return writer.bytes
    }

    private func escape(_ samples: [Int16], _ frameCount: Int, capacity: Int) -> [UInt8] {
        var writer = writer(frameCount, isEscaped: true, capacity: capacity)
        for sample in samples { writer.write(UInt32(UInt16(bitPattern: sample)), 16) }
        return finish(&writer)
    }

    private mutating func compress(_ samples: [Int16], _ frameCount: Int) -> [UInt8] {
        let channelCount = configuration.channelCount
        var channels = (0..<channelCount).map { channel in
            stride(from: channel, to: samples.count, by: channelCount).map { Int32(samples[$0]) }
        }
        let weight = channelCount == 2 ? Self.bestWeight(channels[0], channels[1]) : 0
        if weight != 0 { channels = Self.mixed(channels[0], channels[1], weight) }
        var writer = writer(frameCount, isEscaped: false, capacity: samples.count * 2 + Self.headerCapacity)
        writer.write(weight == 0 ? 0 : UInt32(Self.mixShift), 8)
        writer.write(UInt32(weight), 8)
        let sampleBits = configuration.bitDepth + channelCount - 1
        var residuals = Array(repeating: [Int32](repeating: 0, count: frameCount), count: channelCount)
        for channel in channels.indices {
            var predictor = LinearPredictor(
                coefficients: coefficients[channel],
                shift: Self.coefficientShift,
                sampleBits: sampleBits
            )
            ChannelDescription(predictor, riceModifier: Self.riceModifier).write(to: &writer)
            predictor.residuals(of: channels[channel], into: &residuals[channel], count: frameCount)
            coefficients[channel] = predictor.coefficients
        }
        for channel in channels.indices {
            var rice = AdaptiveRice(configuration, modifier: Self.riceModifier, valueBits: sampleBits)
            rice.encode(residuals[channel], count: frameCount, into: &writer)
        }
        return finish(&writer)
    }

    /// Returns the weight of the left channel in the sum, in quarters, that makes the channels' differences smallest.
    /// 0 leaves the channels as they are.
    private static func bestWeight(_ left: [Int32], _ right: [Int32]) -> Int32 {
        func roughness(_ samples: [Int32]) -> Int {
            zip(samples, samples.dropFirst()).reduce(0) { $0 + Int(($1.0 - $1.1).magnitude) }
        }
        var best = (weight: Int32(0), cost: roughness(left) + roughness(right))
        let difference = zip(left, right).map { $0 - $1 }
        let differenceCost = roughness(difference)
        for weight: Int32 in 1...4 {
            let sum = zip(right, difference).map { $0 + (($1 * weight) >> mixShift) }
            let cost = differenceCost + roughness(sum)
            if cost < best.cost { best = (weight, cost) }
        }
        return best.weight
    }

    /// Returns a weighted sum and the difference.
    private static func mixed(_ left: [Int32], _ right: [Int32], _ weight: Int32) -> [[Int32]] {
        let difference = zip(left, right).map { $0 - $1 }
        return [zip(right, difference).map { $0 + (($1 * weight) >> mixShift) }, difference]
    }
}
