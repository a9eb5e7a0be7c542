internal import AirPlay
internal import AirPlayNetwork
internal import DNSSD
internal import Dispatch
internal import Synchronization

/// The output of one player: it takes the player's samples at the speed at which they are heard, and sends them to the
/// chosen receivers. Without one it plays them on this computer's sound card, or else with the sound off.
///
/// A run is the time from ``start()`` to ``stop()``. This is a class because the player, the connection and the clock share
/// it. Its state is guarded by a lock; a task owns the connection.
package final class AudioOutput: Sendable {
    /// An event of an output.
    package enum Event: Hashable, Sendable {
        /// The output takes samples.
        case started
        /// No receiver can be reached any more, and the run has ended.
        case failed
    }

    /// Returns the next samples: a number of frames, left and right alternating. It must not block.
    package typealias Source = @Sendable (_ frameCount: Int) -> [Int16]

    private struct State {
        var isPlaying = false
        var isClosed = false
        /// Whether the app needs no connection until the next run.
        var isReleased = false
        /// The number of the run that was asked for last, and of the one whose samples are taken.
        var run = 0
        var activeRun = 0
        var takenFrames = 0
        /// The number of frames that were taken and haven't been heard.
        var latency = 0
        /// The greatest number of frames that were reported as heard. The time never goes back in a run.
        var heardFrames = 0
        var volume: Double?
        /// Whether a receiver doesn't know the report.
        var isReportLost = false
    }

    /// The name of no sound card: without a route, nothing is heard.
    package static let noSoundCard = "none"

    private let routes: MediaRoutes
    private let source: Source
    private let event: @Sendable (Event) -> Void
    private let state = Mutex(State())
    private let wakeUp: AsyncStream<Void>.Continuation

    /// Creates an output. Call ``close()`` in the end.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - soundCard: ALSA's name of this computer's card, or `nil` for the usual one.
    ///   - source: A closure that returns samples, called on any thread, one call at a time.
    ///   - event: A closure that takes events, called on any thread.
    package init(
        _ routes: MediaRoutes,
        soundCard: String? = nil,
        source: @escaping Source,
        event: @escaping @Sendable (Event) -> Void
    ) {
        self.routes = routes
        self.source = source
        self.event = event
        let (signals, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakeUp = wakeUp
        let localPlayer = soundCard.map { LocalPlayer($0) } ?? LocalPlayer()
        Task { [weak self] in
            var connection: Connection?
            for await _ in signals {
                await self?.update(&connection, localPlayer)
            }
            localPlayer.stop()
            await connection?.close()
        }
    }

    // MARK: Control

    /// Starts a run.
    package func start() {
        state.withLock { state in
            if !state.isPlaying { routes.countPlaying(1) }
            state.isPlaying = true
            state.isReleased = false
            state.run += 1
        }
        wakeUp.yield()
    }

    /// Ends the run. What hasn't been heard is discarded.
    package func stop() {
        state.withLock { setIdle(&$0) }
        wakeUp.yield()
    }

    /// Ends the connection to the receiver, and everything else.
    package func close() {
        state.withLock { state in
            setIdle(&state)
            state.isClosed = true
        }
        wakeUp.finish()
    }

    private func setIdle(_ state: inout State) {
        if state.isPlaying { routes.countPlaying(-1) }
        state.isPlaying = false
    }

    /// The number of frames of this run that have been heard. It stays at its value after the end of the run.
    package var heardFrames: Int {
        state.withLock { state in
            guard state.activeRun == state.run else { return 0 }
            state.heardFrames = max(state.heardFrames, state.takenFrames - state.latency)
            return state.heardFrames
        }
    }

    /// The player's volume, 0 to 1, or `nil` if the receiver's volume stays as it is.
    package var volume: Double? {
        get { state.withLock { $0.volume } }
        set {
            state.withLock { $0.volume = newValue }
            wakeUp.yield()
        }
    }

    /// Tells the output that the route, the report or the volume has changed.
    package func routesDidChange(_ change: MediaRoutes.Change) {
        if change == .release { release() } else { wakeUp.yield() }
    }

    /// Closes the connection, unless the output plays.
    private func release() {
        state.withLock { $0.isReleased = !$0.isPlaying }
        wakeUp.yield()
    }

    private var isPlaying: Bool { state.withLock { $0.isPlaying } }

    // MARK: Samples

    private func samples(_ frameCount: Int) -> [Int16] {
        let run = state.withLock { $0.isPlaying && $0.activeRun == $0.run ? $0.run : nil }
        guard let run else { return Array(repeating: 0, count: frameCount * AudioFormat.channelCount) }
        let samples = source(frameCount)
        state.withLock { if $0.activeRun == run { $0.takenFrames += frameCount } }
        return samples
    }

    /// Makes the run that was asked for last the active one.
    private func activate(_ run: Int, latency: Int) -> Bool {
        state.withLock { state in
            guard state.isPlaying, state.run == run else { return false }
            state.activeRun = run
            state.takenFrames = 0
            state.heardFrames = 0
            state.latency = latency
            return true
        }
    }

    // MARK: This computer

    private func playHere(on player: LocalPlayer) {
        player.start { [weak self] in
            self?.localSamples($0) ?? Array(repeating: 0, count: $0 * AudioFormat.channelCount)
        } delay: { [weak self] delay in
            self?.state.withLock { $0.latency = delay }
        }
    }

    private func localSamples(_ frameCount: Int) -> [Int16] {
        // They aren't heard before the card has them.
        state.withLock { $0.latency += frameCount }
        let samples = samples(frameCount)
        guard let gain = level, gain < 1 else { return samples }
        return samples.map { Int16((Double($0) * gain).rounded()) }
    }

    // MARK: The connection

    /// A connection to the chosen receivers, and what they were told.
    private struct Connection: Sendable {
        var routes: MediaRoutes
        var number: Int
        var choice: RouteChoice
        var group: AirPlayGroup
        var playing: Task<Void, Never>
        var sent = NowPlaying()
        var report: NowPlayingReport?

        func close() async {
            await group.stop()
            await playing.value
            routes.setMissing([], of: choice)
            routes.release(number)
        }
    }

    /// Does what is needed for the wanted state.
    private func update(_ connection: inout Connection?, _ localPlayer: LocalPlayer) async {
        let wanted = state.withLock { $0 }
        guard !wanted.isClosed else { return }
        let choice = routes.active
        if wanted.isReleased || connection.map({ $0.choice != choice }) ?? false {
            await connection?.close()
            connection = nil
        }
        guard wanted.isPlaying else {
            localPlayer.stop()
            await connection?.group.pause()
            return await report(&connection)
        }
        if wanted.activeRun != wanted.run {
            localPlayer.stop()
            if let choice {
                if connection == nil { connection = await connect(choice) }
                guard let group = connection?.group else { return fail(wanted.run) }
                await group.pause()
                guard activate(wanted.run, latency: Int(SentStream.usualLatency)) else { return }
                await group.resume()
            } else {
                guard activate(wanted.run, latency: 0) else { return }
                playHere(on: localPlayer)
            }
            event(.started)
        }
        await report(&connection)
    }

    private func connect(_ choice: RouteChoice) async -> Connection? {
        let number = await routes.acquire { [weak self] in
            self?.isPlaying ?? false
        } release: { [weak self] in
            self?.release()
        }
        // Another player of this app plays to the receivers.
        guard let number else { return nil }
        if let connection = await connect(choice, number: number) { return connection }
        routes.release(number)
        routes.fail(choice)
        return nil
    }

    private func connect(_ choice: RouteChoice, number: Int) async -> Connection? {
        guard let pairings = routes.pairings() else { return nil }
        let presence = Presence(choice)
        let routes = routes
        let group = AirPlayGroup(
            choice.receivers.map { receiver in
                AirPlayGroup.Member { () async throws(AirPlayNetworkError) in
                    var configuration = try await routes.configuration(of: receiver, pairings)
                    configuration.command = { await routes.handle($0) }
                    return configuration
                }
            },
            discovery: await routes.discovery(),
            isPaused: true
        ) { [weak self] in
            self?.samples(AudioFormat.framesPerPacket) ?? []
        } event: { [weak self] member, event in
            guard let missing = presence.missing(after: event, of: member) else { return }
            if missing.count < choice.receivers.count {
                routes.setMissing(missing, of: choice)
                // A receiver that is back doesn't know the progress.
                if event == .back { self?.sendReportAgain() }
            } else {
                self?.disconnected(choice)
            }
        }
        let playing = Task { [weak self] in
            let results = await group.play()
            guard results.allSatisfy({ (try? $0.get()) == nil }) else { return }
            routes.release(number)
            self?.disconnected(choice)
        }
        guard await group.waitUntilReady() else {
            await group.stop()
            return nil
        }
        return Connection(routes: routes, number: number, choice: choice, group: group, playing: playing)
    }

    /// The receivers of a connection that can't be reached. This is a class because the connection's closure keeps it.
    private final class Presence: Sendable {
        private let names: [String]
        private let members = Mutex<Set<Int>>([])

        init(_ choice: RouteChoice) {
            names = choice.receivers.map(\.name)
        }

        /// Returns the names of the receivers that can't be reached, or `nil` if the event changes nothing.
        func missing(after event: AirPlayGroup.Event, of member: Int) -> Set<String>? {
            members.withLock { members in
                let previous = members
                switch event {
                case .playing, .back: members.remove(member)
                case .failed, .lost: members.insert(member)
                case .busy, .command: break
                }
                return members == previous && event != .back ? nil : Set(members.map { names[$0] })
            }
        }
    }

    private func disconnected(_ choice: RouteChoice) {
        routes.fail(choice)
        if let run = state.withLock({ $0.isPlaying ? $0.run : nil }) { fail(run) }
    }

    private func sendReportAgain() {
        state.withLock { $0.isReportLost = true }
        wakeUp.yield()
    }

    /// Ends a run, because its samples can't be sent.
    private func fail(_ run: Int) {
        let isCurrent = state.withLock { state in
            guard state.isPlaying, state.run == run else { return false }
            setIdle(&state)
            return true
        }
        if isCurrent { event(.failed) }
        wakeUp.yield()
    }

    /// Sends what has changed of the report and the volume.
    private func report(_ connection: inout Connection?) async {
        guard var current = connection else { return }
        let report = routes.report
        let isReportLost = state.withLock { state in
            defer { state.isReportLost = false }
            return state.isReportLost
        }
        if isReportLost { current.report = nil }
        var changes = NowPlaying()
        if let level = level {
            let volume = Volume(level > 0 ? -30 + 30 * level : Volume.muted.decibels)
            if volume != current.sent.volume { changes.volume = volume }
            current.sent.volume = volume
        }
        var progress: (elapsed: Int, duration: Int)?
        if let report, report != current.report {
            if report.track != current.sent.track { changes.track = report.track }
            if report.artwork != current.sent.artwork { changes.artwork = report.artwork }
            current.sent.track = report.track
            current.sent.artwork = report.artwork
            progress = report.progress
        }
        current.report = report
        connection = current
        guard changes != NowPlaying() || progress != nil else { return }
        await current.group.send(changes, progress: progress)
    }

    /// The receiver's volume, 0 to 1, or `nil` if it stays as it is.
    private var level: Double? {
        let own = volume
        let system = routes.volume
        return own == nil && system == nil ? nil : (own ?? 1) * (system ?? 1)
    }
}
