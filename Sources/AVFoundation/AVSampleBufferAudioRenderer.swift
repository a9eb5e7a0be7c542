public import CoreMedia
public import Foundation
import Synchronization

/// The state of a renderer.
/// - Since: iOS 11.0
public enum AVQueuedSampleBufferRenderingStatus: Int, Sendable {
    /// Nothing was enqueued yet.
    /// - Since: iOS 11.0
    case unknown = 0
    /// The renderer renders.
    /// - Since: iOS 11.0
    case rendering = 1
    /// A sample buffer couldn't be rendered.
    /// - Since: iOS 11.0
    case failed = 2
}

/// A renderer of an app's own samples. Add it to an ``AVSampleBufferRenderSynchronizer``, which plays it.
///
/// Samples are kept until they have been heard, so that the app need not enqueue them again when the route changes. All
/// methods can be called on any thread.
/// - Since: iOS 11.0
open class AVSampleBufferAudioRenderer: NSObject, @unchecked Sendable {
    // @unchecked because the class is open. Its mutable state is guarded by a lock.

    private struct State {
        var queue = SampleQueue()
        var status = AVQueuedSampleBufferRenderingStatus.unknown
        var error: (any Error)?
        var volume: Float = 1
        var isMuted = false
        /// The frame up to which samples were rendered.
        var rendered = 0
        var timer: (any DispatchSourceTimer)?
        weak var synchronizer: AVSampleBufferRenderSynchronizer?
    }

    private static let interval = DispatchTimeInterval.milliseconds(50)

    private let state = Mutex(State())

    /// Creates a renderer.
    /// - Since: iOS 11.0
    public override init() {}

    deinit {
        stopRequestingMediaData()
    }

    /// The state.
    /// - Since: iOS 11.0
    open var status: AVQueuedSampleBufferRenderingStatus { state.withLock { $0.status } }

    /// The error of the status ``AVQueuedSampleBufferRenderingStatus/failed``.
    /// - Since: iOS 11.0
    open var error: (any Error)? { state.withLock { $0.error } }

    /// The volume, 0 to 1 (default: 1). It scales the samples, so that a receiver plays it two seconds later.
    /// - Since: iOS 11.0
    open var volume: Float {
        get { state.withLock { $0.volume } }
        set { state.withLock { $0.volume = min(max(newValue, 0), 1) } }
    }

    /// Whether the samples are silent (default: `false`).
    /// - Since: iOS 11.0
    open var isMuted: Bool {
        get { state.withLock { $0.isMuted } }
        set { state.withLock { $0.isMuted = newValue } }
    }

    // MARK: Samples

    /// Adds samples. A buffer that can't be played sets ``status`` to ``AVQueuedSampleBufferRenderingStatus/failed``.
    /// - Since: iOS 11.0
    open func enqueue(_ sampleBuffer: CMSampleBuffer) {
        state.withLock { state in
            do {
                try state.queue.append(sampleBuffer)
                if state.status == .unknown { state.status = .rendering }
            } catch {
                (state.status, state.error) = (.failed, error)
            }
        }
    }

    /// Whether less than five seconds of samples wait. More can be enqueued all the same.
    /// - Since: iOS 11.0
    open var isReadyForMoreMediaData: Bool {
        state.withLock { state in
            state.status != .failed && (state.queue.end ?? .min) < state.rendered + SampleQueue.readyLimit
        }
    }

    /// Calls a closure, again and again, whenever ``isReadyForMoreMediaData`` is `true`, until
    /// ``stopRequestingMediaData()``.
    ///
    /// - Parameters:
    ///   - queue: The queue of the calls.
    ///   - block: A closure that enqueues samples until the renderer isn't ready for more.
    /// - Since: iOS 11.0
    @preconcurrency
    open func requestMediaDataWhenReady(on queue: DispatchQueue, using block: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.timer?.cancel()
            // Calls don't overlap, because a timer's events are merged while its queue is busy.
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.schedule(deadline: .now(), repeating: Self.interval)
            timer.setEventHandler { [weak self] in
                if self?.isReadyForMoreMediaData == true { block() }
            }
            timer.resume()
            state.timer = timer
        }
    }

    /// Ends the calls of ``requestMediaDataWhenReady(on:using:)``.
    /// - Since: iOS 11.0
    open func stopRequestingMediaData() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Removes all samples. What a receiver hasn't played is discarded.
    /// - Since: iOS 11.0
    open func flush() {
        let synchronizer = state.withLock { state in
            state.queue = SampleQueue()
            (state.status, state.error) = (.unknown, nil)
            return state.synchronizer
        }
        synchronizer?.restart()
    }

    /// Removes the samples from a time. What a receiver hasn't played is discarded and sent again up to that time.
    ///
    /// - Parameters:
    ///   - time: The time.
    ///   - completionHandler: A closure that takes whether that was possible. It is `false` if the samples at that time have
    ///     been heard.
    /// - Since: iOS 11.0
    @preconcurrency
    open func flush(fromSourceTime time: CMTime, completionHandler: @escaping @Sendable (Bool) -> Void) {
        let isPossible = flushNow(from: time)
        DispatchQueue.main.async { completionHandler(isPossible) }
    }

    /// Removes the samples from a time, as ``flush(fromSourceTime:completionHandler:)``. Returns whether that was possible.
    /// - Since: iOS 11.0
    open func flush(fromSourceTime time: CMTime) async -> Bool { flushNow(from: time) }

    private func flushNow(from time: CMTime) -> Bool {
        let synchronizer = state.withLock { $0.synchronizer }
        let isPossible = time.isNumeric && synchronizer.map { $0.currentTime() <= time } ?? true
        guard isPossible, let frame = SampleQueue.frame(at: time) else { return false }
        state.withLock { state in
            state.queue.removeAll(from: frame)
            state.rendered = min(state.rendered, frame)
        }
        synchronizer?.restart()
        return true
    }

    // MARK: The synchronizer's side

    var synchronizer: AVSampleBufferRenderSynchronizer? {
        get { state.withLock { $0.synchronizer } }
        set { state.withLock { $0.synchronizer = newValue } }
    }

    /// Sets the frame at which rendering starts.
    func start(at frame: Int) {
        state.withLock { state in
            state.rendered = frame
            state.queue.removeAll(before: frame)
        }
    }

    func mix(from frame: Int, into samples: inout [Int16]) {
        state.withLock { state in
            state.queue.mix(from: frame, into: &samples, gain: state.isMuted ? 0 : Double(state.volume))
            state.rendered = max(state.rendered, frame + samples.count / 2)
        }
    }

    func removeHeard(before frame: Int) {
        state.withLock { $0.queue.removeAll(before: frame) }
    }
}
