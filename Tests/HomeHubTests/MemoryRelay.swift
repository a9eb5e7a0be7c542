import Foundation
import HomeIdentity
import HubAPI
import PeerProcess
import SealedFeed

/// A relay in the test's memory, which can be out of reach.
final class MemoryRelay: FeedRelay {
    struct State: Sendable {
        var entries: [[UInt8]] = []
        var envelopes: [Envelope] = []
        var beat: FeedBeat?
        var isAway = false
        /// Whether the answer to the next entry is lost, and the relay is out of reach for one more request.
        var losesAnswer = false

        var head: RelayHead {
            RelayHead(sequence: entries.count, digest: entries.last.map { EntryDigest(of: $0) } ?? .zero)
        }
    }

    let state = AwaitableValue(State())

    var headers: [EntryHeader] { state.value.entries.compactMap { FeedEntry($0)?.header } }

    private func reachable() throws(FeedRelayError) -> State {
        let value = state.value
        guard !value.isAway else { throw FeedRelayError("The relay is out of reach.", retryAfter: 3_600) }
        return value
    }

    func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead { try reachable().head }

    func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]] {
        Array(try reachable().entries.dropFirst(sequence))
    }

    func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead? {
        _ = try reachable()
        var refusal: RelayHead?
        var isLost = false
        state.change { state in
            guard entry.header.sequence == state.entries.count + 1, entry.header.previous == state.head.digest else {
                refusal = state.head
                return
            }
            (isLost, state.losesAnswer) = (state.losesAnswer, false)
            state.entries.append(entry.bytes)
        }
        if isLost { throw FeedRelayError("The answer was lost.", retryAfter: 3_600) }
        return refusal
    }

    func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError) {
        _ = try reachable()
        state.change { $0.envelopes += envelopes }
    }

    func put(_ beat: FeedBeat) async throws(FeedRelayError) {
        _ = try reachable()
        state.change { $0.beat = beat }
    }
}

/// A device that reads a feed.
struct FeedFollower: Sendable {
    let id = UUID()
    let box = BoxKey()

    /// What the device has.
    struct Copy: Sendable {
        var view = HubState()
        var homeKeys: FeedHomeKeys?
    }

    /// Reads all entries of a relay, as a device does that was never there before.
    func copy(of relay: MemoryRelay.State, at address: FeedAddress, hubs: [UUID: PublicKey]) throws -> Copy {
        var reader = FeedReader(KeptFeed(address, device: id), hubs: hubs, box: box)
        var copy = Copy()
        // The generations of the entries before may be those of devices that are gone.
        let start = relay.entries.lastIndex { FeedEntry($0)?.header.isBase == true } ?? 0
        for entry in relay.entries[min(start, relay.entries.count)...] {
            var step = try reader.receive(entry, isReadable: Self.isReadable)
            if case .fetchEnvelope(let generation) = step {
                let envelope = relay.envelopes.last { $0.generation == generation && $0.device == id }
                guard let envelope else { throw reader.hasNoEnvelope() }
                try reader.receive(envelope: envelope.bytes)
                step = try reader.receive(entry, isReadable: Self.isReadable)
            }
            guard case .update(let update) = step else { continue }
            copy.homeKeys = update.content.homeKeys ?? copy.homeKeys
            for line in update.content.events {
                if case .event(let event)? = try WireMessage.message(from: Data(line)) { copy.view.apply(event) }
            }
        }
        return copy
    }

    private static func isReadable(_ update: FeedUpdate) -> Bool {
        update.content.events.allSatisfy { (try? WireMessage.message(from: Data($0))) != nil }
    }
}
