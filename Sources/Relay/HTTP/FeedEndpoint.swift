import Foundation
import HTTPTypes
import HomeIdentity
import RelayAPI
import WebServer

/// Makes and ends feeds, and keeps their readers, keys and beats.
struct FeedEndpoint: Sendable {
    let store: any RelayStore
    let gate: RequestGate
    let live: LiveRegistry
    let waiters: FeedWaiters

    /// Makes a feed.
    func make(_ place: FeedPlace, _ call: RelayCall) async throws -> HTTPAnswer {
        try await countWrite(place.house, call)
        let isNew = try await store.makeFeed(place.feed, in: place.house, as: call.key)
        return HTTPAnswer(isNew ? .created : .noContent)
    }

    /// Ends a feed.
    func end(_ place: FeedPlace, _ call: RelayCall) async throws -> HTTPAnswer {
        try await countWrite(place.house, call)
        try await store.removeFeed(place.feed, in: place.house, as: call.key)
        waiters.wake(place)
        await live.end(in: place.house) { $0.feed == place.feed }
        return HTTPAnswer(.noContent)
    }

    /// Tells where a feed stands.
    func status(_ place: FeedPlace, _ call: RelayCall) async throws -> HTTPAnswer {
        HTTPAnswer(encoding: try await store.status(of: place.feed, in: place.house, as: call.key, at: call.now))
    }

    /// Replaces the readers. The streams and pipes of keys that are gone have ended when this returns.
    func setReaders(_ place: FeedPlace, _ call: inout RelayCall) async throws -> HTTPAnswer {
        let quota = try await countWrite(place.house, call)
        let list = try await call.json(ReaderList.self)
        try list.check(quota)
        let removed = Set(try await store.setReaders(list, of: place.feed, in: place.house, as: call.key))
        if !removed.isEmpty {
            // Requests that wait look at the rights again.
            waiters.wake(place)
            await live.end(in: place.house) { $0.feed == place.feed && removed.contains($0.key) }
        }
        live.setMayOpen(Set(list.readers.filter { $0.rights.contains(.pipe) }.map(\.key)), place)
        return HTTPAnswer(.noContent)
    }

    /// Stores an envelope.
    func storeEnvelope(_ place: FeedPlace, generation: Int64, _ call: inout RelayCall) async throws -> HTTPAnswer {
        try await countWrite(place.house, call)
        let device = try Self.device(call)
        guard generation >= 1 else { throw RelayError.malformed("Generations begin with 1.") }
        let bytes = try await call.body(upTo: RelayLimits.envelopeBytes)
        guard !bytes.isEmpty else { throw RelayError.malformed("The envelope is empty.") }
        let envelope = StoredEnvelope(generation: generation, device: device, bytes: bytes)
        try await store.setEnvelope(envelope, of: place.feed, in: place.house, as: call.key, at: call.now)
        return HTTPAnswer(.noContent)
    }

    /// Returns an envelope.
    func envelope(_ place: FeedPlace, generation: Int64, _ call: RelayCall) async throws -> HTTPAnswer {
        let device = try Self.device(call)
        return HTTPAnswer(
            bytes: try await store.envelope(
                generation,
                to: device,
                of: place.feed,
                in: place.house,
                as: call.key
            )
        )
    }

    /// Stores a beat.
    func storeBeat(_ place: FeedPlace, _ call: inout RelayCall) async throws -> HTTPAnswer {
        try await countWrite(place.house, call)
        let beat = try await call.body(upTo: RelayLimits.beatBytes)
        guard !beat.isEmpty else { throw RelayError.malformed("The beat is empty.") }
        try await store.setBeat(beat, of: place.feed, in: place.house, as: call.key, at: call.now)
        return HTTPAnswer(.noContent)
    }

    private static func device(_ call: RelayCall) throws(RelayError) -> UUID {
        guard let device = try call.text("to").flatMap({ UUID(uuidString: $0) }) else {
            throw .malformed("“to” must be the UUID of a device.")
        }
        return device
    }

    /// Counts a write of a house that the caller owns.
    @discardableResult
    private func countWrite(_ house: HouseID, _ call: RelayCall) async throws -> HouseQuota {
        let quota = try await store.houseClass(of: house, as: call.key).quota
        try gate.countWrites(1, of: house, quota, at: call.now)
        return quota
    }
}
