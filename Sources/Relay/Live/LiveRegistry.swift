import Foundation
import HomeIdentity
import NIOCore
import RelayAPI
import Synchronization

/// The live streams of a relay, within the limits.
final class LiveRegistry: Sendable {
    // This is a class because all requests share it.

    private struct House {
        var streams: [UUID: LiveStream] = [:]
        let pipes: HousePipes
    }

    private struct State {
        var houses: [HouseID: House] = [:]
        /// The streams of each key, the oldest first.
        var keys: [PublicKey: [LiveStream]] = [:]
        var count = 0
        var isStopped = false
    }

    private let limits: RelayServerLimits
    private let state = Mutex(State())

    init(_ limits: RelayServerLimits) {
        self.limits = limits
    }

    /// The number of pipes.
    var pipeCount: Int { state.withLock { $0.houses.values.reduce(0) { $0 + $1.pipes.count } } }
    /// The number of streams.
    var count: Int { state.withLock { $0.count } }

    /// Adds a stream. ``remove(_:)`` must follow.
    ///
    /// - Returns: The key's oldest stream, which has to end because the key has too many: its connection may be long dead.
    func add(_ stream: LiveStream) throws(RelayError) -> LiveStream? {
        let result = state.withLock { state -> Result<LiveStream?, RelayError> in
            guard !state.isStopped, state.count < limits.streams else {
                return .failure(RelayError(.tooManyRequests, "The relay has too many streams.", retryAfter: 30))
            }
            let pipes = state.houses[stream.house]?.pipes ?? HousePipes(stream.quota)
            state.houses[stream.house, default: House(pipes: pipes)].streams[stream.id] = stream
            state.keys[stream.key, default: []].append(stream)
            state.count += 1
            let streams = state.keys[stream.key] ?? []
            return .success(streams.count > limits.streamsPerKey ? streams.first : nil)
        }
        return try result.get()
    }

    /// Removes a stream.
    func remove(_ stream: LiveStream) {
        state.withLock { state in
            guard state.houses[stream.house]?.streams.removeValue(forKey: stream.id) != nil else { return }
            state.houses[stream.house]?.pipes.remove(stream)
            if state.houses[stream.house]?.streams.isEmpty == true { state.houses[stream.house] = nil }
            state.keys[stream.key]?.removeAll { $0.id == stream.id }
            if state.keys[stream.key]?.isEmpty == true { state.keys[stream.key] = nil }
            state.count -= 1
        }
    }

    /// Returns an open stream of a house, with the house's pipes.
    func stream(_ id: UUID, in house: HouseID) -> (stream: LiveStream, pipes: HousePipes)? {
        state.withLock { state in
            state.houses[house].flatMap { house in house.streams[id].map { ($0, house.pipes) } }
        }
    }

    /// Returns the quota of a house that has an open door with a key; `nil` if it has none.
    func quota(of house: HouseID, atDoor key: PublicKey, _ now: Int64) -> HouseQuota? {
        let pipes = state.withLock { $0.houses[house]?.pipes }
        return pipes?.isDoor(key, at: now) == true ? pipes?.quota : nil
    }

    /// Ends the streams at doors that are closed.
    func endClosedDoors(of house: HouseID, at now: Int64) async {
        let pipes = state.withLock { $0.houses[house]?.pipes }
        await end(in: house) { $0.isAtDoor && pipes?.isDoor($0.key, at: now) != true }
    }

    /// Sets which keys may open pipes of a feed. Once this returns, the pipes of all others have ended.
    func setMayOpen(_ keys: Set<PublicKey>, _ place: FeedPlace) {
        guard let house = state.withLock({ $0.houses[place.house] }) else { return }
        for stream in house.streams.values where stream.feed == place.feed {
            house.pipes.setMayOpen(keys.contains(stream.key), stream)
        }
    }

    /// Tells the streams of a feed and of its house about new entries.
    func wake(_ place: FeedPlace, seq: Int64) {
        for stream in streams(of: place.house) where stream.origin == nil || stream.feed == place.feed {
            stream.wake(place.feed, seq: seq)
        }
    }

    /// Sends signs of life.
    func ping() {
        let streams = state.withLock { $0.houses.values.flatMap { Array($0.streams.values) } }
        for stream in streams { stream.ping(after: limits.pingTime) }
    }

    /// Ends streams of a house. Once this returns, they are closed.
    func end(in house: HouseID, where isEnding: (LiveStream) -> Bool) async {
        for stream in streams(of: house) where isEnding(stream) {
            remove(stream)
            await stream.end()
        }
    }

    /// The houses with streams.
    var houses: [HouseID] { state.withLock { Array($0.houses.keys) } }

    /// Ends the streams of houses.
    func end(ofHouses isEnding: @Sendable (HouseID) -> Bool) async {
        for house in houses where isEnding(house) { await end(in: house) { _ in true } }
    }

    /// Ends all streams for good.
    func stop() async {
        let streams = state.withLock { state in
            state.isStopped = true
            return state.houses.values.flatMap { Array($0.streams.values) }
        }
        for stream in streams { await stream.end() }
    }

    private func streams(of house: HouseID) -> [LiveStream] {
        state.withLock { $0.houses[house].map { Array($0.streams.values) } ?? [] }
    }
}
