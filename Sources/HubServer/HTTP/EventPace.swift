import NIOCore
import Synchronization

/// The shortest time between two writes to the same stream of events, which grows with the number of streams.
///
/// A write costs the hub much more than the event in it. With few streams, each event is written at once. With many, the
/// first event after a pause still is, and those that follow soon after wait for each other.
final class EventPace: Sendable {
    // This is a class because all streams share it.

    /// The limits.
    struct Limits: Sendable {
        /// The maximum number of streams to which each event is written at once.
        var promptStreams = 16
        /// What each stream adds to the time between two writes if there are more.
        var timePerStream = TimeAmount.milliseconds(1)
        /// The maximum time between two writes.
        var longest = TimeAmount.milliseconds(100)
    }

    private let limits: Limits
    private let streams = Atomic(0)

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// The shortest time between two writes to a stream.
    var interval: TimeAmount {
        let count = streams.load(ordering: .relaxed)
        return count <= limits.promptStreams ? .zero : min(limits.timePerStream * count, limits.longest)
    }

    /// Returns when a stream can be written to that was last written to at a given time.
    ///
    /// All streams of an event loop that must wait are written to at the same time: waking it for each would cost about as
    /// much as the write.
    func time(after last: NIODeadline, at now: NIODeadline) -> NIODeadline {
        let interval = UInt64(max(0, interval.nanoseconds))
        guard interval > 0, last + .nanoseconds(Int64(interval)) > now else { return .distantPast }
        return .uptimeNanoseconds((now.uptimeNanoseconds / interval + 1) * interval)
    }

    /// Counts a stream.
    func add() {
        streams.wrappingAdd(1, ordering: .relaxed)
    }

    /// Counts the end of a stream.
    func remove() {
        streams.wrappingSubtract(1, ordering: .relaxed)
    }
}
