internal import AirPlay
internal import AirPlayNetwork
internal import DNSSD
internal import Dispatch
internal import Synchronization

/// The output of one player: it takes the player's samples at the speed at which they are heard, and sends them to the
/// chosen receiver. Without one it discards them, as if they were played on this computer with the sound off.
///
/// A run is the time from ``start()`` to ``stop()``. This is a class because the player, the connection and the clock share
/// it. Its state is guarded by a lock; a task owns the connection.
package final class AudioOutput: Sendable {
    /// An event of an output.
    package enum Event: Hashable, Sendable {
        /// The output takes samples.
        case started
        /// The receiver can't be reached any more, and the run has ended.
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
        var latency = 0
        var volume: Double?
    }

    private let routes: MediaRoutes
    private let source: Source
    private let event: @Sendable (Event) -> Void
    private let state = Mutex(State())
    private let wakeUp: AsyncStream<Void>.Continuation

    /// Creates an output. Call ``close()`` in the end.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - source: A closure that returns samples, called on any thread, one call at a time.
    ///   - event: A closure that takes events, called on any thread.
    package init(
        _ routes: MediaRoutes,
        source: @escaping Source,
        event: @escaping @Sendable (Event) -> Void
    ) {
        self.routes = routes
        self.source = source
        self.event = event
        let (signals, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.wakeUp = wakeUp
        Task { [weak self] in
            var connection: Connection?
            let clock = LocalClock()
            for await _ in signals {
                await self?.update(&connection, clock)
            }
            clock.stop()
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
        state.withLock { $0.activeRun == $0.run ? max(0, $0.takenFrames - $0.latency) : 0 }
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
            state.latency = latency
            return true
        }
    }

    // MARK: The connection

    /// A connection to a receiver, and what it was told.
    private struct Connection: Sendable {
        var routes: MediaRoutes
        var number: Int
        var target: MediaRoutes.Target
        var sender: AirPlaySender
        var advertisement: Advertisement?
        var playing: Task<Void, Never>
        var sent = NowPlaying()
        var report: NowPlayingReport?

        func close() async {
            await sender.stop()
            await playing.value
            await advertisement?.withdraw()
            routes.release(number)
        }
    }

    /// Does what is needed for the wanted state.
    private func update(_ connection: inout Connection?, _ clock: LocalClock) async {
        let wanted = state.withLock { $0 }
        guard !wanted.isClosed else { return }
        let choice = routes.active
        if wanted.isReleased || connection.map({ $0.target.choice != choice }) ?? false {
            await connection?.close()
            connection = nil
        }
        guard wanted.isPlaying else {
            clock.stop()
            await connection?.sender.pause()
            return await report(&connection)
        }
        if wanted.activeRun != wanted.run {
            clock.stop()
            if let choice {
                if connection == nil { connection = await connect(choice) }
                guard let sender = connection?.sender else { return fail(wanted.run) }
                await sender.pause()
                guard activate(wanted.run, latency: Int(SentStream.usualLatency)) else { return }
                await sender.resume()
            } else {
                guard activate(wanted.run, latency: 0) else { return }
                clock.start { [weak self] in _ = self?.samples($0) }
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
        // Another player of this app plays to the receiver.
        guard let number else { return nil }
        if let connection = await connect(choice, number: number) { return connection }
        routes.release(number)
        routes.fail(choice)
        return nil
    }

    private func connect(_ choice: RouteChoice, number: Int) async -> Connection? {
        guard let target = await routes.target(of: choice) else { return nil }
        var parameters = AirPlaySender.Configuration(host: target.host, port: target.port, format: target.format)
        parameters.password = choice.password
        let (started, start) = AsyncStream.makeStream(of: Bool.self)
        let sender = AirPlaySender(parameters) { [weak self] in
            self?.samples(AudioFormat.framesPerPacket) ?? []
        } event: { [routes] event in
            switch event {
            case .playing: start.yield(true)
            case .command(let command): routes.handle(command)
            }
        }
        // Audio begins once the run is active.
        await sender.pause()
        guard (try? await sender.connect()) != nil else { return nil }
        let playing = Task { [weak self, routes] in
            let result: Void? = try? await sender.play()
            start.yield(false)
            guard result == nil else { return }
            routes.release(number)
            self?.disconnected(choice)
        }
        guard await started.first(where: { _ in true }) == true else { return nil }
        let advertisement = await routes.advertise(sender)
        return Connection(
            routes: routes,
            number: number,
            target: target,
            sender: sender,
            advertisement: advertisement,
            playing: playing
        )
    }

    private func disconnected(_ choice: RouteChoice) {
        routes.fail(choice)
        if let run = state.withLock({ $0.isPlaying ? $0.run : nil }) { fail(run) }
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
        await current.sender.send(changes, progress: progress)
    }

    /// The receiver's volume, 0 to 1, or `nil` if it stays as it is.
    private var level: Double? {
        let own = volume
        let system = routes.volume
        return own == nil && system == nil ? nil : (own ?? 1) * (system ?? 1)
    }
}
