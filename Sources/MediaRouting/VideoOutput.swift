package import AirPlay
internal import AirPlayNetwork
internal import Synchronization

/// The output of one player whose receiver plays addresses itself.
///
/// This is a class because the player and the connection share it. Its state is guarded by a lock.
package final class VideoOutput: Sendable {
    /// An event of an output.
    package enum Event: Sendable {
        /// The receiver plays no video.
        case unavailable
        /// The receiver does something else, or its position has advanced.
        case changed(VideoStatus)
        /// The receiver has ended.
        case ended
        /// The receiver can't play the address.
        case refused
        /// The receiver can't be reached, or plays for another sender.
        case lost
    }

    private struct Playback: Sendable {
        var number: Int
        var sender: VideoSender?
        var isPaused = false
        var status: VideoStatus?
        /// The number of requests without a response. What the receiver tells until then may be from before them.
        var openRequests = 0
        /// When the position was right.
        var date = ContinuousClock.now
        var isOver = false
    }

    private struct State {
        var playback: Playback?
        var last = 0
    }

    private let routes: MediaRoutes
    private let event: @Sendable (Event) -> Void
    private let state = Mutex(State())

    /// Creates an output.
    ///
    /// - Parameters:
    ///   - routes: The routes.
    ///   - event: A closure that takes events, called on any thread.
    package init(_ routes: MediaRoutes, event: @escaping @Sendable (Event) -> Void) {
        self.routes = routes
        self.event = event
    }

    /// Has the first chosen receiver play an address, in place of what it plays.
    package func start(_ address: MediaAddress, at choice: RouteChoice, from seconds: Double) {
        stop()
        let number = state.withLock { state in
            state.last += 1
            state.playback = Playback(number: state.last)
            return state.last
        }
        Task { [weak self, routes] in
            guard let sender = await routes.videoSender(of: choice) else {
                return self?.report(.unavailable, number) ?? ()
            }
            guard self?.adopt(sender, number) == true else { return }
            do throws(AirPlayNetworkError) {
                try await sender.play(address, from: seconds) { [weak self] status in
                    self?.update(status, number)
                } playing: { [weak self] in
                    self?.update(VideoStatus(state: .loading, position: seconds), number)
                }
                self?.report(.ended, number)
            } catch {
                if case .failed(.refused) = error {
                    self?.report(.refused, number)
                } else {
                    self?.report(.lost, number)
                }
            }
        }
    }

    /// Has the receiver stop.
    package func stop() {
        let sender = state.withLock { $0.playback.take()?.sender }
        if let sender { Task { await sender.stop() } }
    }

    /// Pauses or continues.
    package func pause(_ isPaused: Bool) {
        let sender = state.withLock { state -> VideoSender? in
            guard let playback = state.playback, playback.isPaused != isPaused else { return nil }
            Self.settle(&state, as: isPaused ? .paused : .loading)
            state.playback?.isPaused = isPaused
            guard playback.status != nil else { return nil }
            return Self.request(&state)
        }
        if let sender { request(sender) { _ = await $0.pause(isPaused) } }
    }

    /// Continues at a position in seconds.
    package func seek(to seconds: Double) {
        let sender = state.withLock { state -> VideoSender? in
            Self.settle(&state, as: nil)
            state.playback?.status?.position = seconds
            return Self.request(&state)
        }
        if let sender { request(sender) { _ = await $0.seek(to: seconds) } }
    }

    /// Notes a request, and returns the sender for it; `nil` if there is none yet.
    private static func request(_ state: inout State) -> VideoSender? {
        guard let sender = state.playback?.sender else { return nil }
        state.playback?.openRequests += 1
        return sender
    }

    /// Makes a request that was noted.
    private func request(_ sender: VideoSender, _ body: @escaping @Sendable (VideoSender) async -> Void) {
        Task {
            await body(sender)
            state.withLock { state in
                guard state.playback?.sender === sender else { return }
                state.playback?.openRequests -= 1
            }
        }
    }

    /// Whether the receiver has accepted the address, and hasn't ended.
    package var isActive: Bool { state.withLock { $0.playback?.status != nil && $0.playback?.isOver == false } }

    /// The position in seconds, or `nil` if nothing plays.
    package var position: Double? { state.withLock { Self.position($0) } }

    /// The length in seconds, or `nil` if it isn't known.
    package var duration: Double? { state.withLock { $0.playback?.status?.duration } }

    private static func position(_ state: State) -> Double? {
        guard let playback = state.playback, let status = playback.status else { return nil }
        let elapsed = status.state == .playing && !playback.isOver ? playback.date.duration(to: .now) / .seconds(1) : 0
        return min(status.position + elapsed, status.duration ?? .infinity)
    }

    /// Stores the position of now.
    private static func settle(_ state: inout State, as newState: VideoStatus.State?) {
        guard let position = position(state) else { return }
        state.playback?.status?.position = position
        if let newState { state.playback?.status?.state = newState }
        state.playback?.date = .now
    }

    private func adopt(_ sender: VideoSender, _ number: Int) -> Bool {
        state.withLock { state in
            guard state.playback?.number == number else { return false }
            state.playback?.sender = sender
            return true
        }
    }

    private func update(_ status: VideoStatus, _ number: Int) {
        let (isCurrent, sender) = state.withLock { state -> (Bool, VideoSender?) in
            guard let playback = state.playback, playback.number == number else { return (false, nil) }
            guard playback.openRequests == 0 || playback.status == nil else { return (false, nil) }
            state.playback?.status = status
            state.playback?.date = .now
            // The player was paused before the receiver had accepted the address.
            return (true, playback.status == nil && playback.isPaused ? Self.request(&state) : nil)
        }
        if let sender { request(sender) { _ = await $0.pause(true) } }
        if isCurrent { event(.changed(status)) }
    }

    private func report(_ event: Event, _ number: Int) {
        let isCurrent = state.withLock { state in
            guard state.playback?.number == number else { return false }
            Self.settle(&state, as: nil)
            state.playback?.isOver = true
            return true
        }
        if isCurrent { self.event(event) }
    }
}
