import Foundation
import HomeIdentity
import NIOCore
import RelayAPI
import Synchronization

/// What pipes come from, of all houses.
struct PipePlace: Hashable, Sendable {
    var house: HouseID
    var origin: PipeOrigin
}

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

    /// What the house may use.
    let quota: HouseQuota
    private let state: Mutex<State>

    init(_ quota: HouseQuota) {
        self.quota = quota
        state = Mutex(State(pipes: PipeSwitch(limit: quota.pipesPerFeed)))
    }

    /// The number of pipes.
    var count: Int { state.withLock { $0.pipes.count } }

    /// Adds a stream that takes frames of pipes. ``remove(_:)`` must follow.
    func add(_ stream: LiveStream) {
        state.withLock { state in
            state.streams[stream.id] = stream
            if stream.origin == nil { state.perform(state.pipes.addHub(stream.id, of: stream.key)) }
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

    /// Returns whether a key is that of an open door.
    func isDoor(_ key: PublicKey, at now: Int64) -> Bool { state.withLock { $0.pipes.isDoor(key, at: now) } }

    /// Ends all pipes.
    func endAll(because end: PipeEnd) {
        state.withLock { $0.perform($0.pipes.endAll(because: end)) }
    }

    /// Takes a request with frames from a stream.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds since 1970.
    ///   - isSpent: Whether the house has sent as much as it may in a day.
    ///   - mayBegin: Whether the rate of a feed or door allows another pipe.
    /// - Throws: `malformed`; then the stream must end.
    func receive(
        _ number: Int64,
        _ body: Data,
        from stream: LiveStream,
        at now: Int64,
        isSpent: Bool,
        mayBegin: (PipePlace) -> Bool
    ) throws(RelayError) {
        let result = state.withLock { state in
            Result { () throws(RelayError) in
                guard state.streams[stream.id] != nil else { throw RelayError.notFound }
                for body in try stream.receive(number, body) {
                    for frame in try LiveFrameReader.frames(in: body) {
                        // The client asks whether its stream still leads here.
                        if frame.kind == .ping { stream.ping(after: .zero) }
                        let member = PipeSwitch.Member(
                            stream: stream.id,
                            origin: stream.origin,
                            mayOpen: stream.mayOpen
                        )
                        let actions = try state.pipes.receive(frame, from: member, at: now, isSpent: isSpent) {
                            stream.origin.map { mayBegin(PipePlace(house: stream.house, origin: $0)) } ?? false
                        }
                        state.perform(actions)
                    }
                }
            }
        }
        try result.get()
    }
}
