package import HAP

/// The audio that a receiver gets: packets in, samples and requests out.
package struct ReceivedStream: Sendable {
    /// The time before a frame plays at which its packet is given up, in nanoseconds.
    private static let margin: Int64 = 100_000_000
    private static let patienceRange: ClosedRange<Int64> = 100_000_000...3_000_000_000

    /// The relation of frames and our time, or `nil` before the first sync packet that could be understood.
    package private(set) var schedule: PlaybackSchedule?
    /// The latest sync packet.
    package private(set) var sync: SyncPacket?
    /// The number of the first frame of the samples that were returned last.
    package private(set) var timestamp: UInt32 = 0
    private var nextTimestamp: UInt32 = 0
    private var buffer = PacketBuffer()
    private var decoder: PacketDecoder
    private var clock = SenderClock()
    private let cipher: AudioCipher?
    private var replays = ReplayFilter()
    private var malformed = 0
    private var forged = 0
    private var replayed = 0
    private var lastPacket: StreamPosition?

    /// Creates a stream without packets.
    ///
    /// - Parameter key: The key of the packets, or `nil` if they aren't encrypted.
    package init(format: AudioFormat, key: FrameKey? = nil) {
        decoder = PacketDecoder(format)
        cipher = key.map { AudioCipher($0) }
    }

    /// The numbers of packets so far.
    package var statistics: StreamStatistics {
        var statistics = buffer.statistics
        statistics.malformed = malformed
        statistics.forged = forged
        statistics.repeated += replayed
        return statistics
    }

    /// The sender's time minus ours, in nanoseconds, or `nil` if it isn't known yet.
    package var clockOffset: Int64? { clock.offset }

    /// The time until the next request for the sender's time.
    package var timingInterval: Duration { clock.isSettled ? SenderClock.interval : SenderClock.firstInterval }

    /// Starts at a packet, or at whichever arrives first. What hasn't been returned is discarded.
    package mutating func start(at position: StreamPosition?) {
        buffer.start(at: position?.sequence)
        replays.restart(at: position?.timestamp)
        schedule = nil
        lastPacket = nil
        nextTimestamp = position?.timestamp ?? 0
    }

    /// Returns the request for the sender's time.
    package mutating func timingRequest(at now: NTPTime) -> TimingPacket {
        clock.request(at: now)
    }

    /// Takes a packet of the timing port.
    package mutating func receive(_ timing: TimingPacket, at now: NTPTime) {
        clock.receive(timing, at: now)
    }

    /// Takes a packet of the audio port.
    package mutating func receive(_ packet: AudioPacket, at now: NTPTime) {
        insert(packet, isResent: false, at: now)
    }

    /// Takes a packet of the control port.
    package mutating func receive(_ control: ControlPacket, at now: NTPTime) {
        switch control {
        case .sync(let sync): receive(sync, at: now)
        case .resent(let packet): insert(packet, isResent: true, at: now)
        case .resendRequest: break
        }
    }

    private mutating func insert(_ packet: AudioPacket, isResent: Bool, at now: NTPTime) {
        guard let packet = opened(packet) else { return }
        buffer.insert(packet, isResent: isResent, at: now)
        let position = StreamPosition(sequence: packet.sequence, timestamp: packet.timestamp)
        guard let last = lastPacket else {
            lastPacket = position
            return
        }
        if Int32(bitPattern: position.timestamp &- last.timestamp) > 0 { lastPacket = position }
    }

    /// Decrypts a packet. One that was altered is dropped as if it hadn't arrived, so that the right one can replace it.
    private mutating func opened(_ packet: AudioPacket) -> AudioPacket? {
        guard let cipher else { return packet }
        guard let (payload, nonce) = cipher.open(packet) else {
            forged += 1
            return nil
        }
        guard replays.accepts(nonce: nonce, timestamp: packet.timestamp) else {
            replayed += 1
            return nil
        }
        var opened = packet
        opened.payload = payload
        return opened
    }

    private mutating func receive(_ sync: SyncPacket, at now: NTPTime) {
        self.sync = sync
        schedule = PlaybackSchedule(sync, clock, sampleRate: AudioFormat.sampleRate)
        guard let schedule, let lastPacket else { return }
        let rest = schedule.time(of: lastPacket.timestamp).nanoseconds(since: now) - Self.margin
        buffer.patience = min(max(rest, Self.patienceRange.lowerBound), Self.patienceRange.upperBound)
    }

    /// Removes the samples that are due.
    package mutating func samples(at now: NTPTime) -> [UInt8] {
        decode(buffer.deliver(at: now))
    }

    /// Removes all samples, because the stream has ended.
    package mutating func finish() -> [UInt8] {
        decode(buffer.finish())
    }

    /// Returns the requests to send for missing packets.
    package mutating func resendRequests(at now: NTPTime) -> [ResendRequest] {
        buffer.hasGaps ? buffer.resendRequests(at: now) : []
    }

    private mutating func decode(_ deliveries: [PacketBuffer.Delivery]) -> [UInt8] {
        var samples: [UInt8] = []
        timestamp = nextTimestamp
        for delivery in deliveries {
            switch delivery {
            case .lost: samples += decoder.silence
            case .packet(let packet):
                timestamp = packet.timestamp &- UInt32(samples.count / AudioFormat.frameLength)
                if let decoded = decoder.decode(packet.payload) {
                    samples += decoded
                } else {
                    malformed += 1
                    samples += decoder.silence
                }
            }
        }
        nextTimestamp = timestamp &+ UInt32(samples.count / AudioFormat.frameLength)
        return samples
    }
}
