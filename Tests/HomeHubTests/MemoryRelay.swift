import Foundation
import HomeHub
import HomeIdentity
import HubAPI
import PeerProcess
import SealedFeed

/// A relay in the test's memory with one feed, which can be out of reach.
final class MemoryRelay: RelayHouse {
    struct State: Sendable {
        var entries: [[UInt8]] = []
        var envelopes: [Envelope] = []
        var lists: [SealedHubLists] = []
        var beat: FeedBeat?
        /// The keys that may read.
        var readers: Set<FeedAccess> = []
        /// The number of the last list of readers.
        var readersSequence = 0
        /// Whether the relay has the feed.
        var hasFeed = true
        var isAway = false
        /// The versions of the vault.
        var vaults: Set<Int> = []
        /// Whether the answer to the next entry is lost, and the relay is out of reach for one more request.
        var losesAnswer = false
        /// Whether the answers to entries are on their way until this is false.
        var holdsAnswers = false

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

    private func known() throws(FeedRelayError) -> State {
        let value = try reachable()
        guard value.hasFeed else { throw FeedRelayError("There is no such feed.", reason: .unknown) }
        return value
    }

    func register() async throws(FeedRelayError) { _ = try reachable() }

    func makeFeed(_ feed: FeedID) async throws(FeedRelayError) {
        _ = try reachable()
        state.change { $0.hasFeed = true }
    }

    func removeFeed(_ feed: FeedID) async throws(FeedRelayError) {
        _ = try known()
        state.change { $0 = State(hasFeed: false) }
    }

    func setReaders(_ readers: Set<FeedAccess>, sequence: Int, of feed: FeedID) async throws(FeedRelayError) {
        guard sequence > (try known()).readersSequence else {
            throw FeedRelayError("There is a later list.", reason: .outdated)
        }
        state.change { ($0.readers, $0.readersSequence) = (readers, sequence) }
    }

    func putVault(_ piece: [UInt8], number: Int, of count: Int, version: Int) async throws(FeedRelayError) {
        _ = try known()
        state.change { $0.vaults.insert(version) }
    }

    func removeVault() async throws(FeedRelayError) {
        _ = try reachable()
        state.change { $0.vaults = [] }
    }

    func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead { try known().head }

    func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]] {
        Array(try known().entries.dropFirst(sequence))
    }

    func currentEntries(of address: FeedAddress) async throws(FeedRelayError) -> [[UInt8]] {
        let entries = try known().entries
        let base = entries.lastIndex { FeedEntry($0)?.header.isBase == true } ?? 0
        return Array(entries[min(base, entries.count)...])
    }

    func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead? {
        _ = try known()
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
        _ = try? await state.until { !$0.holdsAnswers }
        return refusal
    }

    func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError) {
        _ = try known()
        state.change { $0.envelopes += envelopes }
    }

    func put(_ lists: [SealedHubLists], of address: FeedAddress) async throws(FeedRelayError) {
        _ = try known()
        state.change { $0.lists += lists }
    }

    func put(_ beat: FeedBeat) async throws(FeedRelayError) {
        _ = try known()
        state.change { $0.beat = beat }
    }
}

/// A device that reads a feed.
struct FeedFollower: Sendable {
    let id = UUID()
    let box = BoxKey()
    let relayKey = IdentityKey()

    /// The device as a writer knows it.
    var reader: FeedReaderDevice {
        FeedReaderDevice(box: box.publicBox, access: FeedAccess(relayKey.publicKey))
    }

    /// What the device has.
    struct Copy: Sendable {
        var view = HubState()
        var homeKeys: FeedHomeKeys?
        /// All homes that the feed has told the keys of.
        var told: Set<UUID> = []
    }

    /// Reads all entries of a relay, as a device does that was never there before, or as one that has followed from the first
    /// entry on.
    func copy(
        of relay: MemoryRelay.State,
        at address: FeedAddress,
        hubs: [UUID: PublicKey],
        fromFirst: Bool = false
    ) throws -> Copy {
        var reader = FeedReader(KeptFeed(address, device: id), hubs: hubs, box: box)
        var copy = Copy()
        // The generations of the entries before may be those of devices that are gone.
        let base = relay.entries.lastIndex { FeedEntry($0)?.header.isBase == true } ?? 0
        let start = fromFirst ? 0 : base
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
            if let keys = update.content.homeKeys?.keys { copy.told.formUnion(keys.keys) }
            for line in update.content.events {
                if case .event(let event)? = try WireMessage.message(from: Data(line)) { copy.view.apply(event) }
            }
        }
        return copy
    }

    /// Returns whether an agent can show an update: it needs the keys of all homes that it has not seen before.
    private static func isReadable(_ update: FeedUpdate) -> Bool {
        update.content.events.allSatisfy { line in
            guard let message = try? WireMessage.message(from: Data(line)) else { return false }
            guard case .event(.change(let change)) = message, change.user != nil, let home = change.home else {
                return true
            }
            return update.content.homeKeys?.keys[home] != nil
        }
    }
}
