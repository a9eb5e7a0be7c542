package import Consensus
package import Foundation
package import HomeIdentity

/// Where a relay keeps what it relays. Each call is one transaction, and what it reports as written survives the end of the
/// process and of the machine.
///
/// Each call names the key that makes it. A key without the right gets `notFound`, as if nothing were there. Times are in
/// milliseconds since 1970.
package protocol RelayStore: Sendable {
    /// Returns the secret of the relay's tokens, which all processes of a relay share.
    func secret() async throws(RelayStoreError) -> [UInt8]

    /// Stores a registration token.
    func add(_ grant: RegistrationGrant) async throws(RelayStoreError)

    /// Makes a house, or replaces the owners of one that the key owns.
    ///
    /// - Parameter permit: What permits a new house; `nil` for nothing.
    /// - Returns: Whether the house is new.
    func register(
        _ house: HouseID,
        owners: [PublicKey],
        with permit: RegistrationPermit?,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> Bool

    /// Returns the class of a house that the key owns.
    func houseClass(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> HouseClass

    // MARK: Feeds

    /// Makes a feed. Returns whether it is new.
    func makeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> Bool

    /// Removes a feed with everything that belongs to it.
    func removeFeed(_ feed: FeedID, in house: HouseID, as key: PublicKey) async throws(RelayStoreError)

    /// Replaces the readers of a feed.
    ///
    /// - Returns: The keys that may no longer read.
    /// - Throws: `outdated` unless the list's number is larger than the stored one's, or the lists are the same.
    func setReaders(
        _ list: ReaderList,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> [PublicKey]

    /// Returns where a feed stands, to an owner or a reader.
    func status(
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> FeedStatus

    /// Returns what an owner or a reader may do with a feed.
    func access(
        to feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> ReaderAccess

    // MARK: Entries

    /// Appends entries by compare and swap. An entry that is already stored at its place counts as appended.
    ///
    /// Items of one feed are appended in their order. The items are independent of each other: some can be appended and
    /// others not.
    func append(
        _ entries: [CheckedEntry],
        to house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> [AppendResult]

    /// Returns the entries of a feed after a number, to an owner or a reader.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of entries.
    ///   - bytes: The size after which no further entry is added.
    func entries(
        of feed: FeedID,
        in house: HouseID,
        after number: Int64,
        limit: Int,
        bytes: Int,
        as key: PublicKey
    ) async throws(RelayStoreError) -> EntryPage

    // MARK: Keys, beats, vault

    /// Stores an envelope, and removes those of all generations but the last two.
    ///
    /// - Throws: `outdated` if the generation is before those.
    func setEnvelope(
        _ envelope: StoredEnvelope,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError)

    /// Returns an envelope, to an owner or a reader.
    func envelope(
        _ generation: Int64,
        to device: UUID,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data

    /// Stores the last beat of a feed.
    func setBeat(
        _ beat: Data,
        of feed: FeedID,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError)

    /// Stores a piece of the vault. Once a version is complete, all but the last two complete ones are removed.
    ///
    /// - Throws: `outdated` if a newer version is complete.
    func setPiece(
        _ piece: VaultPiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError)

    /// Returns the versions of the vault, to an owner or a reader with the right.
    func vault(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> VaultStatus

    /// Returns a piece of the vault, to an owner or a reader with the right.
    func piece(
        _ number: Int,
        version: Int64,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data

    /// Removes all versions of the vault, unless there are none.
    func removeVault(of house: HouseID, as key: PublicKey, at now: Int64) async throws(RelayStoreError)

    // MARK: Votes

    /// Takes a message of one of a house's two hubs to the relay as a voter.
    ///
    /// - Returns: The answer, after what it says is written.
    /// - Throws: `outdated` if a later pair of the house votes.
    func vote(
        _ call: VoteCall,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError) -> VoterMessage

    /// Stores a piece of the state of a house's two hubs. Once all pieces are there, the state is in place of the batches up to its
    /// position, and former states are removed.
    ///
    /// - Throws: `outdated` if a later pair votes, another hub leads since, or what is stored is later; `notFound` if the pair
    ///   hasn't sent any batches.
    func setBasePiece(
        _ piece: BasePiece,
        in house: HouseID,
        as key: PublicKey,
        at now: Int64
    ) async throws(RelayStoreError)

    /// Returns the state of two hubs that is in place of batches, to an owner.
    ///
    /// - Throws: `notFound` if there is none.
    func base(of house: HouseID, as key: PublicKey) async throws(RelayStoreError) -> BaseStatus

    /// Returns a piece of the state that is in place of batches, to an owner.
    ///
    /// - Throws: `notFound` if the state is another one.
    func basePiece(
        _ number: Int,
        at position: BatchPosition,
        of house: HouseID,
        as key: PublicKey
    ) async throws(RelayStoreError) -> Data

    // MARK: Care

    /// Removes what is too old, a bounded part at a time.
    func sweep(at now: Int64) async throws(RelayStoreError) -> SweepResult

    /// Throws if the store can't be used now.
    func check() async throws(RelayStoreError)

    /// Returns how much the store holds. This can take long.
    func counts() async throws(RelayStoreError) -> StoreCounts

    /// Writes what waits, and closes the store.
    func close() async
}
