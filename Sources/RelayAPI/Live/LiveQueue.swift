package import Foundation
package import HomeIdentity

/// What a live stream has to send, while its client may not read: the newest number of each feed, the frames of its pipes,
/// and whether a ping is due. It doesn't grow with the number of changes, and the credit of the pipes limits the rest.
package struct LiveQueue: Sendable {
    private var wakes: [FeedID: Int64] = [:]
    private var order: [FeedID] = []
    private var frames = Data()
    private var hasPing = false

    /// Creates an empty queue.
    package init() {}

    /// Whether there is nothing to send.
    package var isEmpty: Bool { order.isEmpty && frames.isEmpty && !hasPing }

    /// Adds a feed's new entries.
    package mutating func wake(_ feed: FeedID, seq: Int64) {
        if let waiting = wakes[feed] {
            wakes[feed] = max(waiting, seq)
        } else {
            wakes[feed] = seq
            order.append(feed)
        }
    }

    /// Adds a frame of a pipe. They keep their order.
    package mutating func add(_ frame: LiveFrame) { frames.append(frame.encoded) }

    /// Adds a sign of life, which any other frame replaces.
    package mutating func ping() { hasPing = true }

    /// Removes everything, as bytes to send.
    package mutating func drain() -> Data {
        var data = Data()
        for feed in order { data.append(LiveFrame.wake(feed, seq: wakes[feed] ?? 0).encoded) }
        data.append(frames)
        if data.isEmpty, hasPing { data = LiveFrame.ping.encoded }
        (wakes, order, frames, hasPing) = ([:], [], Data(), false)
        return data
    }
}
