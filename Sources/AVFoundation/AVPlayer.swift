public import CoreMedia
public import Foundation
import AirPlay
import MediaRouting
import Synchronization

/// A player of audio, and of films on receivers that play them.
///
/// With the policy ``AVAudioSession/RouteSharingPolicy-swift.enum/longFormAudio`` it plays to the receiver that the user has
/// chosen. A receiver plays what it gets two seconds later; ``currentTime()`` is what is heard. Otherwise, the player plays on
/// this computer with the sound off: the time advances, and items end.
///
/// A film is the address of an HLS playlist or an MP4 file. If the first chosen receiver plays video, it fetches the film itself:
/// see ``allowsExternalPlayback``.
///
/// If the receiver can't be reached, the player pauses, and the route changes with the reason
/// ``AVAudioSession/RouteChangeReason/oldDeviceUnavailable``.
///
/// All methods can be called on any thread; completion handlers and notifications come on the main queue. Changes come from
/// ``timeControlStatusUpdates`` and ``currentItemUpdates``, because there is no key-value observing on Linux.
/// - Since: iOS 4.0
open class AVPlayer: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    fileprivate struct State {
        var items: [AVPlayerItem] = []
        var rate: Float = 0
        var defaultRate: Float = 1
        var volume: Float = 1
        var isMuted = false
        var endAction = ActionAtItemEnd.pause
        var timeline: PlayerTimeline?
        var isStarted = false
        var observers = TimeObservers()
        var timer: (any DispatchSourceTimer)?
        var timeControl = Broadcast(TimeControlStatus.paused)
        var current = Broadcast<AVPlayerItem?>(nil)
        var routeObserver: Int?
        /// The route of the current run.
        var route: RouteChoice?
        var error: (any Error)?
        var allowsExternalPlayback = true
        /// The item that the receiver plays itself.
        var externalItem: AVPlayerItem?
        /// What the receiver did when it was last heard of.
        var externalState = VideoStatus.State.stopped
        /// A choice whose receiver plays no video.
        var audioRoute: RouteChoice?
    }

    private static let sampleRate = 44_100.0
    /// The time before a film's end at which it counts as played, if the receiver has ended, in seconds.
    private static let endTolerance = 3.0
    private static let tick = DispatchTimeInterval.milliseconds(10)
    /// The rates that can be played.
    private static let rates: ClosedRange<Float> = 0.25...4

    private let routes: MediaRoutes
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.player")
    private let output: AudioOutput
    private let video: VideoOutput

    /// Creates a player without an item.
    /// - Since: iOS 4.0
    public override convenience init() {
        self.init(items: [], endAction: .pause)
    }

    /// Creates a player of a file or another resource.
    /// - Since: iOS 4.0
    public convenience init(url: URL) {
        self.init(playerItem: AVPlayerItem(url: url))
    }

    /// Creates a player of an item.
    /// - Since: iOS 4.0
    public convenience init(playerItem: AVPlayerItem?) {
        self.init(items: playerItem.map { [$0] } ?? [], endAction: .pause)
    }

    init(items: [AVPlayerItem], endAction: ActionAtItemEnd) {
        let routes = MediaRoutes.shared
        self.routes = routes
        let reference = WeakReference<AVPlayer>()
        output = AudioOutput(routes) { count in
            reference.object?.render(count) ?? Array(repeating: 0, count: count * 2)
        } event: { event in
            reference.object?.handle(event)
        }
        video = VideoOutput(routes) { reference.object?.handle($0) }
        super.init()
        reference.object = self
        let observer = routes.observe { [weak self] in self?.handle($0) }
        state.withLock { state in
            state.endAction = endAction
            state.routeObserver = observer
        }
        replaceItems(items)
    }

    deinit {
        state.withLock { state in
            state.timer?.cancel()
            if let observer = state.routeObserver { routes.removeObserver(observer) }
        }
        output.close()
        video.stop()
    }

    // MARK: Items

    /// The item that is heard, or `nil`.
    /// - Since: iOS 4.0
    open var currentItem: AVPlayerItem? { state.withLock { $0.items.first } }

    /// A stream that yields the current item, and then each new one.
    open var currentItemUpdates: AsyncStream<AVPlayerItem?> { state.withLock { $0.current.stream() } }

    /// Replaces the item. Playback continues with the new one.
    /// - Since: iOS 4.0
    open func replaceCurrentItem(with item: AVPlayerItem?) {
        let rest = state.withLock { $0.items.dropFirst() }
        replaceItems((item.map { [$0] } ?? []) + rest.filter { $0 !== item })
    }

    var queueItems: [AVPlayerItem] { state.withLock { $0.items } }

    /// Replaces the queue. If the current item stays, it plays on.
    func replaceItems(_ items: [AVPlayerItem]) {
        storePosition()
        let (isKept, removed) = state.withLock { state in
            let isKept = state.items.first === items.first && state.timeline?.isRenderingFirst != false
            let removed = state.items.filter { item in !items.contains { $0 === item } }
            state.items = items
            state.current.set(items.first)
            if isKept { state.timeline?.replaceRest(items.dropFirst().map(Self.entry)) }
            return (isKept, removed)
        }
        for item in removed { item.player = nil }
        for item in items { item.player = self }
        // The next one is loaded too, so that it follows without a gap.
        for item in items.prefix(2) { load(item) }
        if !isKept { restart() }
        if items.isEmpty { stopPlaying() }
    }

    private static func entry(_ item: AVPlayerItem) -> PlayerTimeline.Entry {
        PlayerTimeline.Entry(id: ObjectIdentifier(item), file: item.file, position: item.position)
    }

    /// Loads an item, unless the receiver will do that.
    private func load(_ item: AVPlayerItem) {
        guard let route = routes.active, externalAddress(of: item, on: route) != nil, item.status == .unknown else {
            return item.load()
        }
        Task { [weak self, routes] in
            if await routes.playsVideo(route) {
                item.setExternal()
            } else {
                self?.state.withLock { $0.audioRoute = route }
                item.load()
            }
        }
    }

    /// Returns the address of an item that a receiver may play itself.
    private func externalAddress(of item: AVPlayerItem, on route: RouteChoice?) -> MediaAddress? {
        guard let route, state.withLock({ $0.allowsExternalPlayback && $0.audioRoute != route }) else { return nil }
        return item.externalAddress
    }

    func itemDidLoad(_ item: AVPlayerItem) {
        let isCurrent = state.withLock { state in
            if let file = item.file { state.timeline?.setFile(file, of: ObjectIdentifier(item)) }
            return state.items.first === item
        }
        guard isCurrent else { return }
        if let error = item.error {
            state.withLock { $0.error = error }
            let userInfo = [AVPlayerItemFailedToPlayToEndTimeErrorKey: error]
            item.post(AVPlayerItem.failedToPlayToEndTimeNotification, userInfo: userInfo)
            return endItem(item, isPlayed: false)
        }
        restart()
    }

    // MARK: Playback

    /// The state of a player.
    /// - Since: iOS 4.0
    public enum Status: Int, Sendable {
        /// No item was loaded yet.
        /// - Since: iOS 4.0
        case unknown = 0
        /// The player can play items.
        /// - Since: iOS 4.0
        case readyToPlay = 1
        /// The player can't play.
        /// - Since: iOS 4.0
        case failed = 2
    }

    /// Whether a player plays.
    /// - Since: iOS 10.0
    public enum TimeControlStatus: Int, Sendable {
        /// The player is paused.
        /// - Since: iOS 10.0
        case paused = 0
        /// The player waits for the item or the receiver.
        /// - Since: iOS 10.0
        case waitingToPlayAtSpecifiedRate = 1
        /// The player plays.
        /// - Since: iOS 10.0
        case playing = 2
    }

    /// The action at the end of an item.
    /// - Since: iOS 4.1
    public enum ActionAtItemEnd: Int, Sendable {
        /// Continue with the next item. Only ``AVQueuePlayer`` has one.
        /// - Since: iOS 4.1
        case advance = 0
        /// Pause.
        /// - Since: iOS 4.0
        case pause = 1
        /// Do nothing: the rate stays as it is.
        /// - Since: iOS 4.0
        case none = 2
    }

    /// The state of the player.
    /// - Since: iOS 4.0
    open var status: Status { currentItem?.status == .readyToPlay ? .readyToPlay : .unknown }

    /// The error of the last item that couldn't be played.
    /// - Since: iOS 4.0
    open var error: (any Error)? { state.withLock { $0.error } }

    /// Whether the player plays, waits or is paused.
    /// - Since: iOS 10.0
    open var timeControlStatus: TimeControlStatus { state.withLock { $0.timeControl.value } }

    /// A stream that yields ``timeControlStatus``, and then each new one.
    open var timeControlStatusUpdates: AsyncStream<TimeControlStatus> {
        state.withLock { $0.timeControl.stream() }
    }

    /// The action at the end of an item (default: ``ActionAtItemEnd-swift.enum/pause``, for queue players
    /// ``ActionAtItemEnd-swift.enum/advance``).
    /// - Since: iOS 4.0
    open var actionAtItemEnd: ActionAtItemEnd {
        get { state.withLock { $0.endAction } }
        set { state.withLock { $0.endAction = newValue } }
    }

    /// Plays at ``defaultRate``. Without effect if the current item has failed.
    /// - Since: iOS 4.0
    open func play() {
        rate = defaultRate
    }

    /// Pauses. What a receiver hasn't played is discarded, so that it is silent at once.
    /// - Since: iOS 4.0
    open func pause() {
        rate = 0
    }

    /// Plays at a rate.
    /// - Since: iOS 10.0
    open func playImmediately(atRate rate: Float) {
        self.rate = rate
    }

    /// The speed: 0 while paused, 1 for the natural speed. Other speeds, 0.25 to 4, change the pitch. Others are ignored.
    /// - Since: iOS 4.0
    open var rate: Float {
        get { state.withLock { $0.rate } }
        set {
            guard newValue == 0 || Self.rates.contains(newValue), newValue != rate else { return }
            storePosition()
            state.withLock { $0.rate = newValue }
            if newValue == 0 { return stopPlaying() }
            routes.retry()
            if continueExternally() { return }
            restart()
        }
    }

    /// The speed of ``play()`` (default: 1).
    /// - Since: iOS 16.0
    open var defaultRate: Float {
        get { state.withLock { $0.defaultRate } }
        set { state.withLock { $0.defaultRate = newValue } }
    }

    /// Stores the heard time in the current item.
    private func storePosition() {
        if let position = video.position, let item = state.withLock({ $0.externalItem }) {
            item.position = position * Self.sampleRate
            return
        }
        let heard = output.heardFrames
        state.withLock { state in
            guard state.isStarted, let position = state.timeline?.position(heard: heard),
                let item = state.items.first(where: { ObjectIdentifier($0) == position.id })
            else { return }
            item.position = position.frame
        }
    }

    /// Starts again at the items' positions, if the player is to play.
    private func restart() {
        // An item can fail before the app plays it.
        if rate != 0, currentItem?.status == .failed { return stopPlaying() }
        let route = routes.active
        if rate != 0, let item = currentItem, let route, let address = externalAddress(of: item, on: route) {
            return startExternally(item, address, route)
        }
        state.withLock { $0.externalItem = nil }
        video.stop()
        if rate != 0 { currentItem?.load() }
        let isReady = state.withLock { state in
            state.route = route
            state.timeline = nil
            state.isStarted = false
            guard state.rate != 0, let first = state.items.first else { return false }
            state.timeControl.set(.waitingToPlayAtSpecifiedRate)
            guard first.file != nil else { return false }
            state.timeline = PlayerTimeline(state.items.map(Self.entry), rate: Double(state.rate))
            return true
        }
        output.stop()
        if isReady { output.start() }
        perform { $0.observers.jump(to: $0.time(heard: 0)) }
    }

    private func stopPlaying() {
        output.stop()
        video.pause(true)
        let timer = state.withLock { state in
            state.rate = 0
            state.timeline = nil
            state.isStarted = false
            state.timeControl.set(.paused)
            defer { state.timer = nil }
            state.timer?.cancel()
            return state.timer != nil
        }
        if timer {
            let time = currentTime()
            perform { $0.observers.jump(to: time) }
        }
    }

    private func render(_ frameCount: Int) -> [Int16] {
        state.withLock { state in
            let advances = state.endAction == .advance
            return state.timeline?.render(frameCount, advances: advances)
                ?? Array(repeating: 0, count: frameCount * 2)
        }
    }

    private func handle(_ event: AudioOutput.Event) {
        switch event {
        case .started:
            state.withLock { state in
                guard state.timeline != nil, state.rate != 0 else { return }
                state.isStarted = true
                state.timeControl.set(.playing)
                startTimer(&state)
            }
        case .failed:
            storePosition()
            stopPlaying()
        }
    }

    private func startTimer(_ state: inout State) {
        guard state.timer == nil else { return }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: Self.tick)
        timer.setEventHandler { [weak self] in self?.update() }
        timer.resume()
        state.timer = timer
    }

    // MARK: Films on the receiver

    /// Whether a receiver plays the current item itself, if it can (default: `true`).
    ///
    /// That is so for the addresses of HLS playlists and MP4 files, `http` or `https`. Otherwise, and if the receiver plays no
    /// video, the item's sound is sent to it. The receiver plays at the rate 1 only.
    /// - Since: iOS 6.0
    open var allowsExternalPlayback: Bool {
        get { state.withLock { $0.allowsExternalPlayback } }
        set {
            storePosition()
            let isChanged = state.withLock { state in
                defer { state.allowsExternalPlayback = newValue }
                return state.allowsExternalPlayback != newValue
            }
            guard isChanged else { return }
            for item in queueItems.prefix(2) { load(item) }
            restart()
        }
    }

    /// Whether the receiver plays the current item itself.
    /// - Since: iOS 6.0
    open var isExternalPlaybackActive: Bool { video.isActive }

    private func startExternally(_ item: AVPlayerItem, _ address: MediaAddress, _ route: RouteChoice) {
        output.stop()
        let isReady = state.withLock { state in
            state.route = route
            state.timeline = nil
            state.isStarted = false
            state.timeControl.set(.waitingToPlayAtSpecifiedRate)
            guard item.status == .readyToPlay else { return false }
            state.externalItem = item
            state.externalState = .loading
            return true
        }
        if isReady { video.start(address, at: route, from: item.position / Self.sampleRate) }
    }

    /// Continues a film that the receiver has paused. Returns whether there is one.
    private func continueExternally() -> Bool {
        let isPaused = state.withLock { state in
            guard let item = state.externalItem, item === state.items.first, state.route == routes.active else {
                return false
            }
            state.externalState = .loading
            state.timeControl.set(.waitingToPlayAtSpecifiedRate)
            return true
        }
        guard isPaused, video.isActive else { return false }
        video.pause(false)
        return true
    }

    private func handle(_ event: VideoOutput.Event) {
        let (item, route) = state.withLock { ($0.externalItem, $0.route) }
        guard let item else { return }
        switch event {
        case .unavailable:
            state.withLock { $0.audioRoute = route }
            restart()
        case .changed(let status): externalStateDidChange(status, item)
        case .ended: externalItemDidEnd(item)
        case .refused:
            endExternally()
            item.fail(AVError(.contentIsUnavailable, "The receiver can't play the item."))
        case .lost:
            endExternally()
            if let route { routes.fail(route) }
            stopPlaying()
        }
    }

    private func endExternally() {
        storePosition()
        video.stop()
        state.withLock { state in
            state.externalItem = nil
            state.externalState = .stopped
        }
    }

    private func externalStateDidChange(_ status: VideoStatus, _ item: AVPlayerItem) {
        item.externalDuration = status.duration
        let isPausedThere = state.withLock { state in
            let previous = state.externalState
            state.externalState = status.state
            if state.rate != 0, status.state == .playing {
                state.timeControl.set(.playing)
                startTimer(&state)
            }
            return state.rate != 0 && previous == .playing && status.state == .paused
        }
        // Somebody has paused it on the receiver.
        if isPausedThere { stopPlaying() }
    }

    private func externalItemDidEnd(_ item: AVPlayerItem) {
        let (position, duration) = (video.position ?? 0, video.duration)
        let hasPlayed = state.withLock { $0.externalState == .playing }
        endExternally()
        // The last look at the receiver may be a while ago.
        guard hasPlayed, duration.map({ position >= $0 - Self.endTolerance }) ?? true else { return stopPlaying() }
        if let duration { item.position = duration * Self.sampleRate }
        endItem(item, isPlayed: true)
        if rate != 0, currentItem !== item { restart() }
    }

    private func handle(_ change: MediaRoutes.Change) {
        switch change {
        case .choice, .policy:
            // What the former route hasn't played is played on the new one.
            if state.withLock({ $0.route }) != routes.active {
                storePosition()
                if rate != 0 { restart() } else { endExternally() }
            }
        case .failure, .loss, .recovery, .receivers, .report, .volume, .release, .playing, .presentation, .status: break
        }
        output.routesDidChange(change)
    }

    /// Calls observers, and handles the ends of items.
    private func update() {
        let heard = output.heardFrames
        if video.isActive {
            let time = currentTime()
            return perform { $0.observers.reach(time) }
        }
        perform { state in state.isStarted ? state.observers.reach(state.time(heard: heard)) : [] }
        let ended = state.withLock { state -> AVPlayerItem? in
            guard state.isStarted, let id = state.timeline?.removeEnd(heard: heard) else { return nil }
            return state.items.first { ObjectIdentifier($0) == id }
        }
        if let ended { endItem(ended, isPlayed: true) }
    }

    private func endItem(_ item: AVPlayerItem, isPlayed: Bool) {
        if let file = item.file { item.position = Double(file.frameCount) }
        let action = state.withLock { state in
            if state.endAction == .advance {
                state.items.removeAll { $0 === item }
                state.current.set(state.items.first)
            }
            return state.endAction
        }
        if action == .advance { item.player = nil }
        let rest = queueItems
        for next in rest.prefix(2) { load(next) }
        if action == .pause || rest.isEmpty { stopPlaying() } else if !isPlayed { restart() }
        if isPlayed { item.post(AVPlayerItem.didPlayToEndTimeNotification) }
    }

    // MARK: Time

    /// Returns the time of the current item that has been heard, or `CMTime.invalid` without an item.
    /// - Since: iOS 4.0
    open func currentTime() -> CMTime {
        if let item = currentItem, let time = externalTime(of: item) { return time }
        let heard = output.heardFrames
        return state.withLock { $0.time(heard: heard) }
    }

    private func externalTime(of item: AVPlayerItem) -> CMTime? {
        guard let position = video.position, state.withLock({ $0.externalItem }) === item else { return nil }
        return CMTime(value: CMTimeValue(position * Self.sampleRate), timescale: CMTimeScale(Self.sampleRate))
    }

    func time(of item: AVPlayerItem) -> CMTime? {
        if let time = externalTime(of: item) { return time }
        let heard = output.heardFrames
        return state.withLock { $0.items.first === item && $0.isStarted ? $0.time(heard: heard) : nil }
    }

    /// Changes the time of the current item. What a receiver hasn't played is discarded.
    /// - Since: iOS 4.0
    open func seek(to time: CMTime) {
        _ = currentItem?.seekNow(to: time)
    }

    /// Changes the time of the current item. What a receiver hasn't played is discarded.
    ///
    /// - Parameters:
    ///   - time: The time. It is limited to the duration. Times that aren't numbers are ignored.
    ///   - completionHandler: A closure that takes whether the time has changed.
    /// - Since: iOS 5.0
    @preconcurrency
    open func seek(to time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        let isDone = currentItem?.seekNow(to: time) ?? false
        DispatchQueue.main.async { completionHandler(isDone) }
    }

    /// Changes the time of the current item. Returns whether it has changed.
    /// - Since: iOS 5.0
    @discardableResult
    open func seek(to time: CMTime) async -> Bool { currentItem?.seekNow(to: time) ?? false }

    /// Changes the time of the current item, exactly, whatever the tolerances are.
    /// - Since: iOS 4.0
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) {
        seek(to: time)
    }

    /// Changes the time of the current item, exactly, whatever the tolerances are.
    /// - Since: iOS 5.0
    @preconcurrency
    open func seek(
        to time: CMTime,
        toleranceBefore: CMTime,
        toleranceAfter: CMTime,
        completionHandler: @escaping @Sendable (Bool) -> Void
    ) {
        seek(to: time, completionHandler: completionHandler)
    }

    /// Changes the time of the current item, exactly, whatever the tolerances are. Returns whether it has changed.
    /// - Since: iOS 5.0
    @discardableResult
    open func seek(to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime) async -> Bool {
        await seek(to: time)
    }

    func seek(_ item: AVPlayerItem, to frame: Double) {
        if item !== currentItem {
            item.position = frame
            return
        }
        item.position = frame
        if state.withLock({ $0.externalItem }) === item, video.isActive {
            video.seek(to: frame / Self.sampleRate)
            let time = currentTime()
            return perform { $0.observers.jump(to: time) }
        }
        output.stop()
        restart()
    }

    /// Calls a closure at each multiple of an interval of the current item's time, when the time jumps, and when playback
    /// starts or stops.
    ///
    /// - Parameters:
    ///   - interval: The interval, 10 ms at least.
    ///   - queue: The queue of the calls; `nil` for the main queue.
    ///   - block: A closure that takes the time.
    /// - Returns: The observer, for ``removeTimeObserver(_:)``.
    /// - Since: iOS 4.0
    @preconcurrency
    open func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        state.withLock { $0.observers.addPeriodic(interval, queue, block) }
    }

    /// Calls a closure when playback passes times of the current item.
    ///
    /// - Parameters:
    ///   - times: The times, as `NSValue`s on Apple's systems.
    ///   - queue: The queue of the calls; `nil` for the main queue.
    ///   - block: A closure.
    /// - Returns: The observer, for ``removeTimeObserver(_:)``.
    /// - Since: iOS 4.0
    @preconcurrency
    open func addBoundaryTimeObserver(
        forTimes times: [CMTime],
        queue: DispatchQueue?,
        using block: @escaping @Sendable () -> Void
    ) -> Any {
        state.withLock { $0.observers.addBoundary(times, queue, block) }
    }

    /// Removes an observer.
    /// - Since: iOS 4.0
    open func removeTimeObserver(_ observer: Any) {
        guard let token = observer as? TimeObservers.Token else { return }
        state.withLock { $0.observers.remove(token) }
    }

    private func perform(_ calls: (inout State) -> [TimeObservers.Call]) {
        for call in state.withLock({ calls(&$0) }) { call.perform() }
    }

    // MARK: Volume

    /// The volume, 0 to 1 (default: 1).
    ///
    /// Once the app has set it, it is the receiver's volume, and is heard at once. Before, the receiver's stays as it is.
    /// - Since: iOS 7.0
    open var volume: Float {
        get { state.withLock { $0.volume } }
        set { setVolume { $0.volume = min(max(newValue, 0), 1) } }
    }

    /// Whether the player is muted (default: `false`).
    /// - Since: iOS 7.0
    open var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { setVolume { $0.isMuted = newValue } }
    }

    private func setVolume(_ change: (inout State) -> Void) {
        output.volume = state.withLock { state in
            change(&state)
            return state.isMuted ? 0 : Double(state.volume)
        }
    }
}

extension AVPlayer.State {
    /// The current item's time.
    fileprivate func time(heard: Int) -> CMTime {
        guard let item = items.first else { return .invalid }
        let position = isStarted ? timeline?.position(heard: heard) : nil
        let frame = position.map { $0.id == ObjectIdentifier(item) ? $0.frame : 0 } ?? item.position
        return CMTime(value: CMTimeValue(frame), timescale: 44_100)
    }
}
