package import AirPlay
package import DNSSD

/// Receivers that play the same audio in step.
///
/// All senders of the group have one timeline, so the frame that is due is the same at each receiver. A receiver that
/// fails doesn't affect the others. One that is lost while it plays is tried again until the audio ends, and continues at
/// the frame that the others play.
///
/// A group can pause. Each continuation has a timeline of its own, and begins with the same packet at all receivers.
package actor AirPlayGroup {
    /// The maximum number of receivers.
    package static let memberLimit = 32
    /// The time that the first receiver that is ready waits for the others. They join later.
    private static let startLimit = Duration.seconds(3)
    /// The time between the last receiver's consent and the first packet, in nanoseconds.
    private static let leadTime: Int64 = 50_000_000
    /// The delays between two attempts to reach a receiver that was lost.
    private static let retryDelays = [1, 2, 4, 8, 15].map { Duration.seconds($0) }
    /// The time between two looks at whether an attempt is still of use.
    private static let pause = Duration.milliseconds(250)
    /// The time that the receivers have to respond before a pause or a change is considered done.
    private static let responseLimit = Duration.seconds(3)
    /// The time for which lost receivers are tried if none plays.
    private static let patience = Duration.seconds(30)

    /// A receiver of the group.
    package struct Member: Sendable {
        /// Finds the receiver, before each attempt to connect, and returns its address and its stream's parameters.
        package var locate: @Sendable () async throws(AirPlayNetworkError) -> AirPlaySender.Configuration

        /// Creates a member.
        package init(
            locate: @escaping @Sendable () async throws(AirPlayNetworkError) -> AirPlaySender.Configuration
        ) {
            self.locate = locate
        }
    }

    /// An event of a receiver.
    package enum Event: Hashable, Sendable {
        /// It plays.
        case playing
        /// It doesn't play, for a reason that further attempts wouldn't change.
        case failed(AirPlayNetworkError)
        /// It played, and can't be reached. Attempts follow.
        case lost(AirPlayNetworkError)
        /// It was lost, and plays another sender's audio. Attempts follow, which don't interrupt it.
        case busy
        /// It was lost, and plays again.
        case back
        /// It sent a command.
        case command(RemoteCommand)
    }

    private enum State {
        case preparing
        case playing
        case lost(since: ContinuousClock.Instant)
        case over
    }

    private let members: [Member]
    private let audio: SharedAudio
    private let discovery: MulticastDNS?
    private let event: @Sendable (_ member: Int, Event) -> Void
    private let first: StreamPosition
    private var states: [State]
    private var senders: [Int: AirPlaySender] = [:]
    private var readers: [Int: SharedAudioReader] = [:]
    /// The timeline, or `nil` before the start and while the group is paused.
    private var timeline: StreamTimeline?
    /// The number of the timeline's first packet.
    private var firstPacket = 0
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// The calls that wait until the receivers are ready or have had their time.
    private var observers: [CheckedContinuation<Void, Never>] = []
    private var isReady = false
    private var isPaused: Bool
    private var isStopped = false
    /// What was last sent about what plays. Receivers that join get it too.
    private var nowPlaying = NowPlaying()
    private var encoders: [EncoderKey: SharedEncoder] = [:]

    /// What packets must have in common to be encoded once.
    private struct EncoderKey: Hashable {
        var format: AudioFormat
        var isCompressing: Bool
    }

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - members: The receivers.
    ///   - discovery: Where the services that take the receivers' commands are advertised, or `nil` for nowhere.
    ///   - isPaused: Whether the group waits for ``resume()`` once the receivers are ready.
    ///   - source: A closure that returns the next samples. It is called by one receiver's sender at a time.
    ///   - event: A closure that takes events, with the member's index.
    package init(
        _ members: [Member],
        discovery: MulticastDNS? = nil,
        isPaused: Bool = false,
        source: @escaping AirPlaySender.Source,
        event: @escaping @Sendable (_ member: Int, Event) -> Void
    ) {
        self.members = members
        self.discovery = discovery
        self.isPaused = isPaused
        self.event = event
        audio = SharedAudio(source)
        states = Array(repeating: .preparing, count: members.count)
        var random = SystemRandomNumberGenerator()
        first = StreamPosition(sequence: random.next(), timestamp: random.next())
    }

    /// Plays the source to its end at all receivers. Call it once.
    ///
    /// - Returns: The results, one per member. A receiver that was lost and played again has succeeded.
    package func play() async -> [Result<Void, AirPlayNetworkError>] {
        await withTaskGroup(of: (Int, Result<Void, AirPlayNetworkError>).self) { group in
            for index in members.indices {
                group.addTask { (index, await self.play(index)) }
            }
            var results: [Result<Void, AirPlayNetworkError>] = members.map { _ in .failure(.disconnected) }
            for await (index, result) in group { results[index] = result }
            return results
        }
    }

    /// Ends the streams. What the receivers haven't played is discarded.
    package func stop() async {
        isStopped = true
        resumeWaiters()
        resumeObservers()
        for sender in senders.values { await sender.stop() }
    }

    // MARK: Control

    /// Waits until the receivers are ready, or have had their time. Returns whether any is.
    package func waitUntilReady() async -> Bool {
        if !isReady, !isStopped { await withCheckedContinuation { observers.append($0) } }
        return !isStopped && openCount > 0
    }

    /// Discards what the receivers haven't played, and sends nothing until ``resume()``.
    ///
    /// Returns when the receivers have discarded it.
    package func pause() async {
        guard !isPaused, !isStopped else { return }
        isPaused = true
        timeline = nil
        // All stop first, so that none reads further samples.
        for sender in senders.values { await sender.hold() }
        firstPacket = audio.readCount
        for reader in readers.values { reader.move(toPacket: firstPacket) }
        let position = first.advanced(byPackets: firstPacket)
        await forEachSender { await $0.discard(to: position) }
    }

    /// Continues after ``pause()`` with the source's next samples.
    package func resume() async {
        guard isPaused, !isStopped else { return }
        isPaused = false
        guard isReady else { return }
        start()
        guard let timeline else { return }
        for sender in senders.values { await sender.resume(at: timeline.start) }
    }

    /// Sends what plays, and the volume. Returns when the receivers have responded.
    ///
    /// - Parameters:
    ///   - changes: The values that have changed. Their progress is ignored.
    ///   - progress: The frames that have been heard of what plays, and the number of its frames.
    package func send(_ changes: NowPlaying, progress: (elapsed: Int, duration: Int)? = nil) async {
        if changes.track != TrackMetadata() { nowPlaying.track = changes.track }
        if let artwork = changes.artwork { nowPlaying.artwork = artwork }
        if let volume = changes.volume { nowPlaying.volume = volume }
        await forEachSender { await $0.send(changes, progress: progress) }
    }

    /// Calls a closure for each sender, at the same time. Returns when all have returned, or after a while: a receiver that
    /// doesn't answer must not hold up the others.
    private func forEachSender(_ body: @escaping @Sendable (AirPlaySender) async -> Void) async {
        let (returns, returned) = AsyncStream.makeStream(of: Void.self)
        let timeout = Task {
            try? await Task.sleep(for: Self.responseLimit)
            returned.finish()
        }
        defer { timeout.cancel() }
        var missing = senders.count
        for sender in senders.values {
            Task {
                await body(sender)
                returned.yield()
            }
        }
        guard missing > 0 else { return }
        for await _ in returns {
            missing -= 1
            if missing == 0 { return }
        }
    }

    // MARK: One receiver

    private func play(_ index: Int) async -> Result<Void, AirPlayNetworkError> {
        var failures = 0
        var wasBusy = false
        while true {
            let result = await attempt(index)
            let hasPlayed = hasPlayed(index)
            if case .playing = states[index] { (failures, wasBusy) = (0, false) }
            guard case .failure(let error) = result, !isStopped else {
                end(index)
                return isStopped ? .success(()) : result
            }
            guard hasPlayed, error.isTemporary else {
                end(index)
                event(index, .failed(error))
                return result
            }
            if case .playing = states[index] {
                states[index] = .lost(since: .now)
                event(index, .lost(error))
            } else if error == .failed(.receiverBusy), !wasBusy {
                wasBusy = true
                event(index, .busy)
            }
            failures += 1
            guard await waitToRetry(after: failures) else {
                end(index)
                return isStopped ? .success(()) : .failure(error)
            }
        }
    }

    private func hasPlayed(_ index: Int) -> Bool {
        switch states[index] {
        case .playing, .lost: true
        case .preparing, .over: false
        }
    }

    /// Connects and plays, until the audio ends or the receiver is lost.
    private func attempt(_ index: Int) async -> Result<Void, AirPlayNetworkError> {
        do throws(AirPlayNetworkError) {
            var configuration = try await members[index].locate()
            let joined = timeline
            let number = firstPacket + (joined?.packet(at: MonotonicClock.now) ?? 0)
            configuration.first = first
            configuration.start = first.advanced(byPackets: number)
            configuration.encoder = encoder(configuration)
            if nowPlaying.track != TrackMetadata() { configuration.nowPlaying.track = nowPlaying.track }
            configuration.nowPlaying.artwork = nowPlaying.artwork ?? configuration.nowPlaying.artwork
            configuration.nowPlaying.volume = nowPlaying.volume ?? configuration.nowPlaying.volume
            let reader = SharedAudioReader(audio, packet: number)
            let sender = AirPlaySender(configuration, source: { reader.read() }) { [event] in
                if case .command(let command) = $0 { event(index, .command(command)) }
            }
            guard !isStopped else { return .success(()) }
            (senders[index], readers[index]) = (sender, reader)
            defer { (senders[index], readers[index]) = (nil, nil) }
            try await play(index, sender, joined)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Returns the encoder for a receiver, which those with the same format share.
    private func encoder(_ configuration: AirPlaySender.Configuration) -> SharedEncoder? {
        let key = EncoderKey(format: configuration.format, isCompressing: configuration.isCompressing)
        if let encoder = encoders[key] { return encoder }
        let encoder = SharedEncoder(configuration.format, isCompressing: configuration.isCompressing)
        encoders[key] = encoder
        return encoder
    }

    /// The number of packets that were encoded for all receivers.
    package var encodedCount: Int { encoders.values.reduce(0) { $0 + $1.encodedCount } }

    private func play(
        _ index: Int,
        _ sender: AirPlaySender,
        _ joined: StreamTimeline?
    ) async throws(AirPlayNetworkError) {
        try await sender.connect()
        let advertising = Task { [discovery] in await sender.advertiseRemoteControl(discovery) }
        defer {
            Task {
                advertising.cancel()
                await advertising.value?.withdraw()
            }
        }
        try await sender.prepare()
        guard var timeline = await sharedTimeline(), !isStopped else { return }
        guard !isAudioOver else { throw .disconnected }
        // The group may have paused since the receiver was told where the stream begins.
        while joined != timeline, let reader = readers[index] {
            reader.move(toPacket: firstPacket)
            await sender.discard(to: timeline.first)
            guard let current = await sharedTimeline(), !isStopped else { return }
            if current == timeline { break }
            timeline = current
        }
        if case .lost = states[index] { event(index, .back) } else { event(index, .playing) }
        states[index] = .playing
        try await sender.play(on: timeline)
    }

    private func end(_ index: Int) {
        states[index] = .over
        startIfReady()
        guard isAudioOver else { return }
        // Those that aren't ready by now have nothing to play.
        for (other, sender) in senders {
            if case .playing = states[other] { continue }
            Task { await sender.stop() }
        }
    }

    // MARK: Timeline

    /// Returns the timeline, once the receivers are ready or have had their time. Returns `nil` if the group stops.
    private func sharedTimeline() async -> StreamTimeline? {
        // A group may pause again before a waiter continues.
        while timeline == nil, !isStopped {
            if waiters.isEmpty, !isReady {
                Task {
                    try? await Task.sleep(for: Self.startLimit)
                    membersAreReady()
                }
            }
            await withCheckedContinuation { continuation in
                waiters.append(continuation)
                startIfReady()
            }
        }
        return timeline
    }

    /// The number of receivers that play or may still do so.
    private var openCount: Int {
        states.count { if case .over = $0 { false } else { true } }
    }

    private func startIfReady() {
        if isReady || waiters.count == openCount { membersAreReady() }
    }

    private func membersAreReady() {
        isReady = true
        if !isPaused, !waiters.isEmpty { start() }
        resumeObservers()
    }

    private func start() {
        guard timeline == nil else { return }
        timeline = StreamTimeline(
            first: first.advanced(byPackets: firstPacket),
            start: MonotonicClock.now.advanced(byNanoseconds: Self.leadTime)
        )
        resumeWaiters()
    }

    private func resumeObservers() {
        for observer in observers { observer.resume() }
        observers = []
    }

    private func resumeWaiters() {
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    /// Whether the last packet's time to be sent has passed.
    private var isAudioOver: Bool {
        guard let timeline, let count = audio.packetCount else { return false }
        return firstPacket + timeline.packet(at: MonotonicClock.now) >= count
    }

    // MARK: Receivers that were lost

    /// Waits before another attempt. Returns `false` if there is no use in one.
    private func waitToRetry(after failures: Int) async -> Bool {
        let due = ContinuousClock.now + Self.retryDelays[min(failures, Self.retryDelays.count) - 1]
        while !isStopped, !isAudioOver, !isAbandoned {
            guard due > .now else { return true }
            try? await Task.sleep(for: Self.pause)
        }
        return false
    }

    /// Whether all receivers have been lost for so long that the attempts end.
    private var isAbandoned: Bool {
        states.allSatisfy { state in
            switch state {
            case .preparing, .playing: false
            case .lost(let since): since.duration(to: .now) > Self.patience
            case .over: true
            }
        }
    }
}

extension AirPlayNetworkError {
    /// Whether the receiver may play at another time.
    fileprivate var isTemporary: Bool {
        switch self {
        case .portRefused, .unreachable, .notFound, .disconnected, .failed(.receiverBusy): true
        case .encryptionRequired, .failed: false
        }
    }
}
