import Consensus
import Foundation
import HomeIdentity
import RelayAPI
import Synchronization

/// Two processes' stores of one database: each call goes to the other one than the call before.
final class AlternatingStore: RelayStore {
    // This is a class because calls share the count.

    private let stores: [any RelayStore]
    private let calls = Mutex(0)

    init(_ stores: [any RelayStore]) {
        self.stores = stores
    }

    private var next: any RelayStore {
        calls.withLock { calls in
            calls += 1
            return stores[calls % stores.count]
        }
    }

    func vote(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> VoterMessage {
        try await next.vote(call, in: house, as: key, at: now)
    }

    func setBasePiece(
        _ piece: BasePiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await next.setBasePiece(piece, in: house, as: key, at: now)
    }

    func base(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> BaseStatus {
        try await next.base(of: house, as: key)
    }

    func basePiece(
        _ number: Int,
        at position: BatchPosition,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await next.basePiece(number, at: position, of: house, as: key)
    }

    func secret() async throws(RelayStoreError) -> [UInt8] { try await next.secret() }

    func add(_ grant: RegistrationGrant) async throws(RelayStoreError) { try await next.add(grant) }

    func register(
        _ house: HouseID,
        owners: [PublicKey],
        with permit: RegistrationPermit?,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> Bool {
        try await next.register(house, owners: owners, with: permit, as: key, at: now)
    }

    func houseClass(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> HouseClass {
        try await next.houseClass(of: house, as: key)
    }

    func makeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> Bool {
        try await next.makeFeed(feed, in: house, as: key)
    }

    func removeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) {
        try await next.removeFeed(feed, in: house, as: key)
    }

    func setReaders(
        _ list: ReaderList,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> [PublicKey] {
        try await next.setReaders(list, of: feed, in: house, as: key)
    }

    func status(
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> FeedStatus {
        try await next.status(of: feed, in: house, as: key, at: now)
    }

    func access(
        to feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> ReaderAccess {
        try await next.access(to: feed, in: house, as: key)
    }

    func append(
        _ entries: [CheckedEntry],
        to house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> [AppendResult] {
        try await next.append(entries, to: house, as: key, at: now)
    }

    func entries(
        of feed: FeedID,
        in house: HouseID,
        after number: Int64,
        limit: Int,
        bytes: Int,
        as key: PublicKey
    ) async throws(RelayStoreError) -> EntryPage {
        try await next.entries(of: feed, in: house, after: number, limit: limit, bytes: bytes, as: key)
    }

    func setEnvelope(
        _ envelope: StoredEnvelope,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await next.setEnvelope(envelope, of: feed, in: house, as: key, at: now)
    }

    func envelope(
        _ generation: Int64,
        to device: UUID,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await next.envelope(generation, to: device, of: feed, in: house, as: key)
    }

    func setBeat(
        _ beat: Data,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await next.setBeat(beat, of: feed, in: house, as: key, at: now)
    }

    func setPiece(
        _ piece: VaultPiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) {
        try await next.setPiece(piece, in: house, as: key, at: now)
    }

    func removeVault(of house: HouseID, as key: PublicKey, at now: Int64) async throws(RelayStoreError) {
        try await next.removeVault(of: house, as: key, at: now)
    }

    func vault(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> VaultStatus {
        try await next.vault(of: house, as: key)
    }

    func piece(
        _ number: Int,
        version: Int64,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data {
        try await next.piece(number, version: version, of: house, as: key)
    }

    func sweep(at now: Int64) async throws(RelayStoreError) -> SweepResult { try await next.sweep(at: now) }

    func check() async throws(RelayStoreError) { try await next.check() }

    func counts() async throws(RelayStoreError) -> StoreCounts { try await next.counts() }

    func close() async { for store in stores { await store.close() } }
}
