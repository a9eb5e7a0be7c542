import HomeHub
import HomeIdentity
import PeerProcess
import SealedFeed

/// A house at a relay, which notes what is appended before the relay has it.
struct NotedHouse: RelayHouse {
    /// What the writer has appended.
    struct Note: Sendable {
        /// The last entry; `nil` before the first one.
        var head: EntryDigest?
        /// Whether the relay may have an entry that the writer hasn't noted.
        var isAppending = false
    }

    let house: any RelayHouse
    let note: AwaitableValue<Note>

    func append(_ entry: FeedEntry) async throws(FeedRelayError) -> RelayHead? {
        note.change { $0.isAppending = true }
        let refusal = try await house.append(entry)
        if refusal == nil { note.change { $0 = Note(head: entry.digest) } }
        return refusal
    }

    func head(of address: FeedAddress) async throws(FeedRelayError) -> RelayHead {
        try await house.head(of: address)
    }

    func entries(of address: FeedAddress, after sequence: Int) async throws(FeedRelayError) -> [[UInt8]] {
        try await house.entries(of: address, after: sequence)
    }

    func put(_ envelopes: [Envelope], of address: FeedAddress) async throws(FeedRelayError) {
        try await house.put(envelopes, of: address)
    }

    func put(_ lists: [SealedHubLists], of address: FeedAddress) async throws(FeedRelayError) {
        try await house.put(lists, of: address)
    }

    func put(_ beat: FeedBeat) async throws(FeedRelayError) { try await house.put(beat) }
    func register() async throws(FeedRelayError) { try await house.register() }
    func makeFeed(_ feed: FeedID) async throws(FeedRelayError) { try await house.makeFeed(feed) }
    func removeFeed(_ feed: FeedID) async throws(FeedRelayError) { try await house.removeFeed(feed) }

    func currentEntries(of address: FeedAddress) async throws(FeedRelayError) -> [[UInt8]] {
        try await house.currentEntries(of: address)
    }

    func putVault(_ piece: [UInt8], number: Int, of count: Int, version: Int) async throws(FeedRelayError) {
        try await house.putVault(piece, number: number, of: count, version: version)
    }

    func removeVault() async throws(FeedRelayError) { try await house.removeVault() }

    func setReaders(
        _ readers: Set<FeedAccess>,
        sequence: Int,
        of feed: FeedID
    ) async throws(FeedRelayError) {
        try await house.setReaders(readers, sequence: sequence, of: feed)
    }
}
