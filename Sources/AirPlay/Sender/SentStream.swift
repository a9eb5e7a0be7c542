internal import AppleLossless
package import HAP

/// The audio that a sender sends: samples in, packets and sync packets out.
package struct SentStream: Sendable {
    /// The number of packets that can be sent again, about 8 s.
    package static let historyLength = 1_024
    /// The number of packets that are sent again in a second at most, three times the usual number.
    private static let resendLimit = 375
    /// The number of packets that are repeated at the end.
    private static let tailLength = 8
    /// The usual latency, in frames: 2 s.
    package static let usualLatency: UInt32 = 88_200

    /// The time between two sync packets.
    package static let syncInterval = Duration.seconds(1)

    /// The position of the next packet.
    package private(set) var position: StreamPosition
    /// The number of packets sent again.
    package private(set) var resentCount = 0
    private let source: UInt32
    private let latency: UInt32
    private var timeline: StreamTimeline
    private var encoder: AppleLosslessEncoder?
    private let sharedEncoder: SharedEncoder?
    private let cipher: AudioCipher?
    private var nonce: UInt64 = 0
    private var history: [[UInt8]] = []
    private var isFirst = true
    private var resendWindow: (start: NTPTime, count: Int)

    /// Creates a stream whose first frame is sent at a time.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - isCompressing: Whether Apple Lossless packets are compressed.
    ///   - position: The first packet.
    ///   - source: The number of the stream.
    ///   - latency: The number of frames between sending and playing.
    ///   - start: The time.
    ///   - key: The key of the packets, or `nil` if they aren't encrypted. No other stream may have it.
    package init(
        _ format: AudioFormat,
        isCompressing: Bool = true,
        at position: StreamPosition,
        source: UInt32,
        latency: UInt32 = usualLatency,
        start: NTPTime,
        key: FrameKey? = nil
    ) {
        let timeline = StreamTimeline(first: position, start: start)
        self.init(
            format,
            isCompressing: isCompressing,
            at: position,
            source: source,
            latency: latency,
            on: timeline,
            key: key
        )
    }

    /// Creates a stream that joins a timeline.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - isCompressing: Whether Apple Lossless packets are compressed.
    ///   - position: The first packet of this stream, which isn't the timeline's first one if the stream joins later.
    ///   - source: The number of the stream.
    ///   - latency: The number of frames between sending and playing.
    ///   - timeline: The timeline.
    ///   - key: The key that encrypts the packets, or `nil` to send them as they are.
    ///   - encoder: The encoder that the streams of the timeline share, or `nil` for one of its own.
    package init(
        _ format: AudioFormat,
        isCompressing: Bool = true,
        at position: StreamPosition,
        source: UInt32,
        latency: UInt32 = usualLatency,
        on timeline: StreamTimeline,
        key: FrameKey? = nil,
        encoder sharedEncoder: SharedEncoder? = nil
    ) {
        self.position = position
        self.source = source
        self.latency = latency
        self.timeline = timeline
        cipher = key.map { AudioCipher($0) }
        resendWindow = (timeline.start, 0)
        self.sharedEncoder = sharedEncoder
        if case .appleLossless(let configuration) = format {
            encoder = try? AppleLosslessEncoder(configuration: configuration, isCompressing: isCompressing)
        }
    }

    /// Leaves packets out, because the receiver discards what it has up to a position.
    package mutating func skip(to position: StreamPosition) {
        self.position = position
    }

    /// Continues after a pause: the next packet is sent at a time. The numbers of packets, and those that encryption uses up,
    /// go on. Packets sent before are discarded, so that they aren't sent again.
    package mutating func restart(at start: NTPTime) {
        timeline = StreamTimeline(first: position, start: start)
        history = []
        isFirst = true
        resendWindow = (start, 0)
    }

    /// The time at which the next packet is sent.
    package var nextTime: NTPTime { timeline.time(of: position.timestamp) }

    /// Returns the time at which all frames have been played, if the last ones were sent now.
    package func endTime(from now: NTPTime) -> NTPTime {
        let wait = Int64(latency) * 1_000_000_000 / Int64(AudioFormat.sampleRate)
        return max(nextTime, now).advanced(byNanoseconds: wait)
    }

    /// Returns the packet with the next frames.
    ///
    /// - Parameter samples: 1 to 352 frames, interleaved.
    package mutating func packet(_ samples: [Int16]) -> [UInt8] {
        let payload =
            sharedEncoder?.payload(of: samples, at: position.timestamp) ?? (try? encoder?.encode(samples))
            ?? Self.bytes(samples)
        let packet = AudioPacket(
            isFirst: isFirst,
            sequence: position.sequence,
            timestamp: position.timestamp,
            source: source,
            payload: sealed(payload)
        )
        .bytes
        isFirst = false
        if history.isEmpty { history = Array(repeating: [], count: Self.historyLength) }
        history[Int(position.sequence) % Self.historyLength] = packet
        position.sequence &+= 1
        position.timestamp &+= UInt32(samples.count / AudioFormat.channelCount)
        return packet
    }

    private mutating func sealed(_ payload: [UInt8]) -> [UInt8] {
        guard let cipher else { return payload }
        defer { nonce += 1 }
        // A packet without content is lost, which is better than one in the clear.
        return cipher.seal(payload, timestamp: position.timestamp, source: source, nonce: nonce) ?? []
    }

    private static func bytes(_ samples: [Int16]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(samples.count * 2)
        for sample in samples { bytes.append(bigEndian: sample) }
        return bytes
    }

    /// The last packets again. Nothing follows them by which a receiver would notice that they are missing.
    package var tail: [[UInt8]] {
        let sequences = (1...Self.tailLength).reversed().map { position.sequence &- UInt16($0) }
        return sequences.compactMap { stored($0) }
    }

    private func stored(_ sequence: UInt16) -> [UInt8]? {
        guard !history.isEmpty else { return nil }
        let packet = history[Int(sequence) % Self.historyLength]
        return packet.count > 4 && UInt16(bigEndian: packet[2..<4]) == sequence ? packet : nil
    }

    /// Returns the sync packet for a time.
    package func sync(at now: NTPTime, isFirst: Bool) -> SyncPacket {
        let sending = timeline.timestamp(at: now)
        return SyncPacket(
            isFirst: isFirst,
            playing: sending &- latency,
            time: timeline.time(of: sending),
            sending: sending
        )
    }

    /// Returns the datagrams that answer a request. Packets that are too old, and too many requests, are ignored.
    package mutating func resend(_ request: ResendRequest, at now: NTPTime) -> [[UInt8]] {
        if now.nanoseconds(since: resendWindow.start) >= 1_000_000_000 { resendWindow = (now, 0) }
        var datagrams: [[UInt8]] = []
        for offset in 0..<min(request.count, UInt16(Self.historyLength)) {
            guard resendWindow.count < Self.resendLimit else { break }
            guard let packet = stored(request.first &+ offset) else { continue }
            datagrams.append(ControlPacket.resent(packet[...]))
            resendWindow.count += 1
        }
        resentCount += datagrams.count
        return datagrams
    }
}
