internal import AppleLossless
package import HAP

/// The second body of AirPlay 2's SETUP: a stream of audio in real time.
package struct StreamSetup: Hashable, Sendable {
    /// The kind of stream that is sent in real time over UDP.
    private static let realTimeType = 96
    private static let pcm: (codec: Int, format: Int) = (1, 0x800)
    private static let appleLossless: (codec: Int, format: Int) = (2, 0x40000)
    private static let streamsKey = "streams"
    /// The latencies that receivers may choose, in frames.
    private static let latencies = (minimum: 11_025, maximum: 88_200)

    /// The format of the audio.
    package var format: AudioFormat
    /// The key of the packets.
    package var key: FrameKey
    /// The sender's port for sync and resent packets.
    package var controlPort: Int
    /// The stream's number.
    package var connectionID: UInt64

    /// Creates a setup.
    package init(format: AudioFormat, key: FrameKey, controlPort: Int, connectionID: UInt64) {
        self.format = format
        self.key = key
        self.controlPort = controlPort
        self.connectionID = connectionID
    }

    /// An error in a body.
    package enum Failure: Error, Hashable, Sendable {
        /// A value is missing or of the wrong kind.
        case malformed
        /// The stream isn't audio in real time.
        case unsupportedStream
        /// The format isn't PCM or Apple Lossless with 44,100 Hz, two channels and 16 bits, or its packets are too long.
        case unsupportedFormat
        /// The time isn't told as in NTP.
        case unsupportedTiming
    }

    /// Whether a body sets up a stream, or ends one, rather than a session.
    static func isInside(_ body: PropertyList) -> Bool { body[streamsKey] != nil }

    /// Reads a body.
    init(_ body: PropertyList) throws(Failure) {
        guard let streams = body[Self.streamsKey]?.array, let stream = streams.first, streams.count == 1 else {
            throw .malformed
        }
        guard stream["type"]?.integer() == Self.realTimeType else { throw .unsupportedStream }
        guard let key = stream["shk"]?.data.flatMap({ FrameKey($0) }), let controlPort = stream["controlPort"]?.port,
            let codec = stream["ct"]?.integer(as: Int.self)
        else { throw .malformed }
        let frames = stream["spf"].map { $0.integer(as: Int.self) } ?? AudioFormat.framesPerPacket
        guard let frames else { throw .malformed }
        let rate = stream["sr"].map { $0.integer(as: Int.self) } ?? AudioFormat.sampleRate
        let coding = stream["audioFormat"].map { $0.integer(as: Int.self) }
        guard rate == AudioFormat.sampleRate else { throw .unsupportedFormat }
        switch codec {
        case Self.pcm.codec:
            guard coding ?? Self.pcm.format == Self.pcm.format, frames == AudioFormat.framesPerPacket else {
                throw .unsupportedFormat
            }
            format = .pcm
        case Self.appleLossless.codec:
            guard coding ?? Self.appleLossless.format == Self.appleLossless.format, frames <= AudioPacket.framesLimit,
                let configuration = try? AppleLosslessConfiguration(framesPerPacket: frames)
            else { throw .unsupportedFormat }
            format = .appleLossless(configuration)
        default: throw .unsupportedFormat
        }
        self.key = key
        self.controlPort = controlPort
        connectionID = stream["streamConnectionID"]?.integer() ?? 0
    }

    /// The body to send.
    var body: PropertyList {
        var coding = Self.pcm
        var frames = AudioFormat.framesPerPacket
        if case .appleLossless(let configuration) = format {
            coding = Self.appleLossless
            frames = configuration.framesPerPacket
        }
        let stream: PropertyList = [
            "type": .integer(Int128(Self.realTimeType)), "ct": .integer(Int128(coding.codec)),
            "audioFormat": .integer(Int128(coding.format)), "audioMode": "default", "isMedia": true,
            "spf": .integer(Int128(frames)), "sr": .integer(Int128(AudioFormat.sampleRate)),
            "shk": .data(key.bytes), "controlPort": .integer(Int128(controlPort)),
            "latencyMin": .integer(Int128(Self.latencies.minimum)),
            "latencyMax": .integer(Int128(Self.latencies.maximum)), "supportsDynamicStreamID": false,
            "streamConnectionID": .integer(Int128(connectionID)),
        ]
        return .dictionary([Self.streamsKey: .array([stream])])
    }

    /// Returns the receiver's answer.
    static func answer(_ ports: StreamTransport) -> PropertyList {
        let stream: PropertyList = [
            "type": .integer(Int128(realTimeType)), "dataPort": .integer(Int128(ports.audioPort ?? 0)),
            "controlPort": .integer(Int128(ports.controlPort)),
        ]
        return .dictionary([streamsKey: .array([stream])])
    }

    /// Reads the receiver's answer. Returns `nil` if it lacks a port.
    static func ports(_ answer: PropertyList, timingPort: Int) -> StreamTransport? {
        guard let stream = answer[streamsKey]?.array?.first, let audio = stream["dataPort"]?.port,
            let control = stream["controlPort"]?.port
        else { return nil }
        return StreamTransport(audioPort: audio, controlPort: control, timingPort: timingPort)
    }
}
