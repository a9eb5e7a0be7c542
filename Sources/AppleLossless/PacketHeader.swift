/// The part of a packet that says what follows.
enum Element: UInt32 {
    case singleChannel = 0
    case channelPair = 1
    case end = 7

    /// The number of channels in the element.
    var channelCount: Int {
        switch self {
        case .singleChannel: 1
        case .channelPair: 2
        case .end: 0
        }
    }
}

/// The fields that follow the kind of a packet's element.
struct PacketHeader {
    /// The number of frames, or `nil` if it is the configuration's.
    var frameCount: Int?
    /// The number of low bytes in each sample that are stored without prediction.
    var lowBytes = 0
    /// Whether the samples are stored as they are.
    var isEscaped = false

    init(frameCount: Int?, isEscaped: Bool) {
        self.frameCount = frameCount
        self.isEscaped = isEscaped
    }

    init(_ reader: inout BitReader) {
        // The element's number, and bits that aren't used.
        reader.skip(4)
        reader.skip(12)
        let hasFrameCount = reader.read(1) == 1
        lowBytes = Int(reader.read(2))
        isEscaped = reader.read(1) == 1
        if hasFrameCount { frameCount = Int(reader.read(32)) }
    }

    func write(to writer: inout BitWriter) {
        writer.write(0, 4)
        writer.write(0, 12)
        writer.write(frameCount == nil ? 0 : 1, 1)
        writer.write(UInt32(lowBytes), 2)
        writer.write(isEscaped ? 1 : 0, 1)
        if let frameCount { writer.write(UInt32(frameCount), 32) }
    }
}
