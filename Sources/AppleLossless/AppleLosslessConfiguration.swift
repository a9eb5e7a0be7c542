/// The parameters of an Apple Lossless stream, which a decoder needs before the first packet.
///
/// RTSP senders announce them as numbers, and files store them as a “magic cookie” of 24 bytes.
package struct AppleLosslessConfiguration: Hashable, Sendable {
    /// The maximum number of frames in a packet that decoders accept.
    package static let maximumFramesPerPacket = 16_384

    /// The number of frames in a packet, unless the packet says otherwise. It can't say more.
    package let framesPerPacket: Int
    /// The number of bits in a sample: 16, 20, 24 or 32.
    package let bitDepth: Int
    /// The number of channels: 1 or 2.
    package let channelCount: Int
    /// The number of frames in a second.
    package let sampleRate: Int
    /// How fast the entropy coder adapts.
    package let historyMultiplier: Int
    /// The entropy coder's state at the start of a packet.
    package let initialHistory: Int
    /// The maximum parameter of the entropy coder.
    package let riceLimit: Int

    /// Creates a configuration. The defaults are those of AirPlay.
    ///
    /// - Throws: ``AppleLosslessError/unsupportedConfiguration`` if a parameter is out of range.
    package init(
        framesPerPacket: Int = 352,
        bitDepth: Int = 16,
        channelCount: Int = 2,
        sampleRate: Int = 44_100,
        historyMultiplier: Int = 40,
        initialHistory: Int = 10,
        riceLimit: Int = 14
    ) throws(AppleLosslessError) {
        guard (1...Self.maximumFramesPerPacket).contains(framesPerPacket), [16, 20, 24, 32].contains(bitDepth),
            (1...2).contains(channelCount), (1...384_000).contains(sampleRate),
            (0...255).contains(historyMultiplier), (0...255).contains(initialHistory), (1...31).contains(riceLimit)
        else { throw .unsupportedConfiguration }
        self.framesPerPacket = framesPerPacket
        self.bitDepth = bitDepth
        self.channelCount = channelCount
        self.sampleRate = sampleRate
        self.historyMultiplier = historyMultiplier
        self.initialHistory = initialHistory
        self.riceLimit = riceLimit
    }
}

extension AppleLosslessConfiguration {
    /// The length of a magic cookie, in bytes.
    package static let cookieLength = 24

    /// Reads a magic cookie.
    ///
    /// - Throws: ``AppleLosslessError/malformedCookie``, or ``AppleLosslessError/unsupportedConfiguration``.
    package init(cookie: some Collection<UInt8>) throws(AppleLosslessError) {
        guard cookie.count == Self.cookieLength else { throw .malformedCookie }
        let bytes = Array(cookie)
        func number(_ index: Int, _ count: Int) -> Int { bytes[index..<index + count].reduce(0) { $0 << 8 | Int($1) } }
        guard bytes[4] == 0 else { throw .unsupportedConfiguration }
        try self.init(
            framesPerPacket: number(0, 4),
            bitDepth: number(5, 1),
            channelCount: number(9, 1),
            sampleRate: number(20, 4),
            historyMultiplier: number(6, 1),
            initialHistory: number(7, 1),
            riceLimit: number(8, 1)
        )
    }

    /// The magic cookie. It leaves the bit rate and the maximum size of a packet open.
    package var cookie: [UInt8] {
        func bytes(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
        return bytes(framesPerPacket) + [0]
            + [bitDepth, historyMultiplier, initialHistory, riceLimit, channelCount].map { UInt8($0) }
            + [0, 255] + bytes(0) + bytes(0) + bytes(sampleRate)
    }
}
