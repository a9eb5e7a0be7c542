import Foundation
import RelayAPI
import Synchronization

/// The pipes of a house, between its live streams.
final class HousePipes: Sendable {
    // This is a class because the streams and the requests of a house share it.

    private struct State {
        var pipes: PipeSwitch
        var streams: [UUID: LiveStream] = [:]

        /// Sends frames. A stream only queues them, so that they keep the order in which they were decided.
        func perform(_ actions: [PipeSwitch.Action]) {
            for case .send(let frame, let stream) in actions { streams[stream]?.send(frame) }
        }
    }

    private let state: Mutex<State>

    /// - Parameter limit: The maximum number of pipes of a feed.
    init(limit: Int) {
        state = Mutex(State(pipes: PipeSwitch(limit: limit)))
    }

    /// The number of pipes.
    var count: Int { state.withLock { $0.pipes.count } }

    /// Adds a stream that takes frames of pipes. ``remove(_:)`` must follow.
    func add(_ stream: LiveStream) {
        state.withLock { state in
            state.streams[stream.id] = stream
            if stream.feed == nil { state.perform(state.pipes.setHub(stream.id)) }
        }
    }

    /// Removes a stream. The other ends of its pipes are told.
    func remove(_ stream: LiveStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: stream.id) != nil else { return }
            state.perform(state.pipes.remove(stream.id))
        }
    }

    /// Sets whether a device may open pipes. If not, those that it has end.
    func setMayOpen(_ mayOpen: Bool, _ stream: LiveStream) {
        state.withLock { state in
            stream.mayOpen = mayOpen
            if !mayOpen { state.perform(state.pipes.endPipes(of: stream.id, because: .noRight)) }
        }
    }

    /// Ends all pipes.
    func endAll(because end: PipeEnd) {
        state.withLock { $0.perform($0.pipes.endAll(because: end)) }
    }

    /// Takes a request with frames from a stream.
    ///
    /// - Parameter mayBegin: Whether the rate of a feed allows another pipe.
    /// - Throws: `malformed`; then the stream must end.
    func receive(
        _ number: Int64,
        _ body: Data,
        from stream: LiveStream,
        mayBegin: (FeedPlace) -> Bool
    ) throws(RelayError) {
        let result = state.withLock { state in
            Result { () throws(RelayError) in
                guard state.streams[stream.id] != nil else { throw RelayError.notFound }
                for body in try stream.receive(number, body) {
                    for frame in try LiveFrameReader.frames(in: body) {
                        let member = PipeSwitch.Member(stream: stream.id, feed: stream.feed, mayOpen: stream.mayOpen)
                        let actions = try state.pipes.receive(frame, from: member) {
                            stream.feed.map { mayBegin(FeedPlace(house: stream.house, feed: $0)) } ?? false
                        }
                        state.perform(actions)
                    }
                }
            }
        }
        try result.get()
    }
}
