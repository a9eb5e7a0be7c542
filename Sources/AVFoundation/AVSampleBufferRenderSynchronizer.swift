public import CoreMedia
public import Foundation
import MediaRouting
import Synchronization

/// A clock that plays the samples of renderers together.
///
/// Like ``AVPlayer``, it plays to the receiver that the user has chosen, if the audio session's policy says so. All methods
/// can be called on any thread.
/// - Since: iOS 11.0
open class AVSampleBufferRenderSynchronizer: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    fileprivate struct State {
        var renderers: [AVSampleBufferAudioRenderer] = []
        var rate: Float = 0
        /// The frame at which the current run began, and the number of frames that were rendered since.
        var start = 0.0
        var rendered = 0
        var isStarted = false
        var observers = TimeObservers()
        var timer: (any DispatchSourceTimer)?
        var routeObserver: Int?
        var route: RouteChoice?
    }

    private static let tick = DispatchTimeInterval.milliseconds(10)
    private static let rates: ClosedRange<Float> = 0.25...4

    private let routes = MediaRoutes.shared
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.synchronizer")
    private let output: AudioOutput

    /// Creates a synchronizer without renderers, at the time 0 and the rate 0.
    /// - Since: iOS 11.0
    public override init() {
        let reference = WeakReference<AVSampleBufferRenderSynchronizer>()
        output = AudioOutput(routes) { count in
            reference.object?.render(count) ?? Array(repeating: 0, count: count * 2)
        } event: { event in
            reference.object?.handle(event)
        }
        super.init()
        reference.object = self
        let observer = routes.observe { [weak self] in self?.handle($0) }
        state.withLock { $0.routeObserver = observer }
    }

    deinit {
        state.withLock { state in
            state.timer?.cancel()
            if let observer = state.routeObserver { routes.removeObserver(observer) }
        }
        output.close()
    }

    // MARK: Renderers

    /// The renderers.
    /// - Since: iOS 11.0
    open var renderers: [AVSampleBufferAudioRenderer] { state.withLock { $0.renderers } }

    /// Adds a renderer. A renderer that has a synchronizer is ignored.
    /// - Since: iOS 11.0
    open func addRenderer(_ renderer: AVSampleBufferAudioRenderer) {
        guard renderer.synchronizer == nil else { return }
        renderer.synchronizer = self
        renderer.start(at: Int(heardPosition))
        state.withLock { $0.renderers.append(renderer) }
    }

    /// Removes a renderer.
    ///
    /// - Parameters:
    ///   - renderer: The renderer.
    ///   - time: The time at which it is removed. `CMTime.invalid` and times that have passed mean now.
    ///   - completionHandler: A closure that takes whether it was removed, called on the main queue.
    /// - Since: iOS 11.0
    @preconcurrency
    open func removeRenderer(
        _ renderer: AVSampleBufferAudioRenderer,
        at time: CMTime,
        completionHandler: (@Sendable (Bool) -> Void)? = nil
    ) {
        guard time.isNumeric, time > currentTime(), rate != 0 else {
            return removeNow(renderer, completionHandler)
        }
        state.withLock { state in
            let token = state.observers.nextToken
            _ = state.observers.addBoundary([time], nil) { [weak self] in
                self?.removeTimeObserver(token)
                self?.removeNow(renderer, completionHandler)
            }
        }
    }

    /// Removes a renderer, as ``removeRenderer(_:at:completionHandler:)``. Returns whether it was removed.
    /// - Since: iOS 11.0
    open func removeRenderer(_ renderer: AVSampleBufferAudioRenderer, at time: CMTime) async -> Bool {
        await withCheckedContinuation { continuation in
            removeRenderer(renderer, at: time) { continuation.resume(returning: $0) }
        }
    }

    private func removeNow(_ renderer: AVSampleBufferAudioRenderer, _ completion: (@Sendable (Bool) -> Void)?) {
        let isRemoved = state.withLock { state in
            let count = state.renderers.count
            state.renderers.removeAll { $0 === renderer }
            return state.renderers.count < count
        }
        if isRemoved { renderer.synchronizer = nil }
        if let completion { DispatchQueue.main.async { completion(isRemoved) } }
    }

    // MARK: Time

    /// The speed: 0 while paused, 1 for the natural speed. Other speeds, 0.25 to 4, change the pitch. Others are ignored.
    /// - Since: iOS 11.0
    open var rate: Float {
        get { state.withLock { $0.rate } }
        set { setRate(newValue, time: .invalid) }
    }

    /// Sets the speed, and the time from which samples are heard.
    ///
    /// - Parameters:
    ///   - rate: The speed, as ``rate``.
    ///   - time: The time, or `CMTime.invalid` to continue. What a receiver hasn't played is discarded.
    /// - Since: iOS 11.0
    open func setRate(_ rate: Float, time: CMTime) {
        guard rate == 0 || Self.rates.contains(rate) else { return }
        let position = time.isNumeric ? time.seconds * 44_100 : heardPosition
        let isSame = state.withLock { state in
            defer { state.rate = rate }
            return state.rate == rate
        }
        guard !isSame || time.isNumeric else { return }
        if rate != 0, isSame == false { routes.retry() }
        start(at: position)
    }

    /// Returns the time that has been heard.
    /// - Since: iOS 11.0
    open func currentTime() -> CMTime { Self.time(heardPosition) }

    private static func time(_ position: Double) -> CMTime {
        CMTime(value: CMTimeValue(position), timescale: 44_100)
    }

    private var heardPosition: Double {
        let heard = output.heardFrames
        return state.withLock { $0.position(heard: heard) }
    }

    /// Renders again from what is heard.
    func restart() {
        start(at: heardPosition)
    }

    private func start(at position: Double) {
        let route = routes.active
        let (renderers, isPlaying) = state.withLock { state in
            state.start = position
            state.rendered = 0
            state.isStarted = false
            state.route = route
            if state.rate == 0 {
                state.timer?.cancel()
                state.timer = nil
            }
            return (state.renderers, state.rate != 0)
        }
        for renderer in renderers { renderer.start(at: Int(position)) }
        output.stop()
        if isPlaying { output.start() }
        perform { $0.observers.jump(to: Self.time(position)) }
    }

    private func render(_ frameCount: Int) -> [Int16] {
        let (renderers, position, rate) = state.withLock { state in
            defer { state.rendered += frameCount }
            return (state.renderers, state.start + Double(state.rendered) * Double(state.rate), Double(state.rate))
        }
        let first = Int(position.rounded(.down))
        let needed = rate == 1 ? frameCount : Int((Double(frameCount) * rate).rounded(.up)) + 2
        var samples = [Int16](repeating: 0, count: needed * 2)
        for renderer in renderers { renderer.mix(from: first, into: &samples) }
        guard rate != 1 else { return samples }
        return (0..<frameCount).flatMap { index -> [Int16] in
            let exact = position - Double(first) + Double(index) * rate
            let frame = Int(exact)
            return (0..<2).map { channel in
                let value = Double(samples[frame * 2 + channel])
                let next = Double(samples[frame * 2 + 2 + channel])
                return Int16(value + (next - value) * (exact - Double(frame)))
            }
        }
    }

    private func handle(_ event: AudioOutput.Event) {
        switch event {
        case .started:
            state.withLock { state in
                guard state.rate != 0 else { return }
                state.isStarted = true
                guard state.timer == nil else { return }
                let timer = DispatchSource.makeTimerSource(queue: queue)
                timer.schedule(deadline: .now(), repeating: Self.tick)
                timer.setEventHandler { [weak self] in self?.update() }
                timer.resume()
                state.timer = timer
            }
        case .failed: setRate(0, time: .invalid)
        }
    }

    private func handle(_ change: MediaRoutes.Change) {
        if [.choice, .policy].contains(change), rate != 0, state.withLock({ $0.route }) != routes.active { restart() }
        output.routesDidChange(change)
    }

    private func update() {
        let position = heardPosition
        for renderer in renderers { renderer.removeHeard(before: Int(position)) }
        perform { $0.isStarted ? $0.observers.reach(Self.time(position)) : [] }
    }

    // MARK: Observers

    /// Calls a closure at each multiple of an interval, when the time jumps, and when the rate changes to or from 0.
    ///
    /// - Parameters:
    ///   - interval: The interval, 10 ms at least.
    ///   - queue: The queue of the calls; `nil` for the main queue.
    ///   - block: A closure that takes the time.
    /// - Returns: The observer, for ``removeTimeObserver(_:)``.
    /// - Since: iOS 11.0
    @preconcurrency
    open func addPeriodicTimeObserver(
        forInterval interval: CMTime,
        queue: DispatchQueue?,
        using block: @escaping @Sendable (CMTime) -> Void
    ) -> Any {
        state.withLock { $0.observers.addPeriodic(interval, queue, block) }
    }

    /// Calls a closure when times are passed.
    ///
    /// - Parameters:
    ///   - times: The times, as `NSValue`s on Apple's systems.
    ///   - queue: The queue of the calls; `nil` for the main queue.
    ///   - block: A closure.
    /// - Returns: The observer, for ``removeTimeObserver(_:)``.
    /// - Since: iOS 11.0
    @preconcurrency
    open func addBoundaryTimeObserver(
        forTimes times: [CMTime],
        queue: DispatchQueue?,
        using block: @escaping @Sendable () -> Void
    ) -> Any {
        state.withLock { $0.observers.addBoundary(times, queue, block) }
    }

    /// Removes an observer.
    /// - Since: iOS 11.0
    open func removeTimeObserver(_ observer: Any) {
        guard let token = observer as? TimeObservers.Token else { return }
        state.withLock { $0.observers.remove(token) }
    }

    private func perform(_ calls: (inout State) -> [TimeObservers.Call]) {
        for call in state.withLock({ calls(&$0) }) { call.perform() }
    }
}

extension AVSampleBufferRenderSynchronizer.State {
    fileprivate func position(heard: Int) -> Double {
        isStarted ? start + Double(heard) * Double(rate) : start
    }
}
