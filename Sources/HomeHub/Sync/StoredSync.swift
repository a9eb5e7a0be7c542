import Foundation
import HomeIdentity
import HomeStore
import SealedFeed

/// What the hub stores of its relay.
struct StoredSync: Hashable, Codable {
    /// A feed that is over, and that the relay may still have.
    struct EndedFeed: Hashable, Codable {
        /// Where it is.
        var place: RelayPlace
        /// The feed.
        var feed: FeedID
        /// When it ended.
        var time: Date
        /// Whether its last entry tells devices that are away where to read from now on. Then the relay keeps it for a while.
        var isTold: Bool?
    }

    /// A vault that isn't wanted any longer, and that the relay may still have.
    struct EndedVault: Hashable, Codable {
        /// Where it is.
        var place: RelayPlace
        /// When it ended.
        var time: Date
    }

    /// The relay; `nil` while there is none.
    var place: RelayPlace?
    /// A house that is about to be registered at another relay.
    var candidate: RelayPlace?
    /// The feeds at that house, by person: they are told of before they begin.
    var candidateFeeds: [UUID: FeedID]?
    /// Whether a vault is kept at the relay.
    var keepsVault: Bool?
    /// The number of the last vault.
    var vaultNumber: Int?
    /// When the last vault was put at the relay; `nil` for none.
    var vaultTime: Date?
    /// The feeds, by person.
    var feeds: [UUID: FeedID] = [:]
    /// The feeds that are over.
    var ended: [EndedFeed] = []
    /// The vaults that are over; `nil` for none.
    var endedVaults: [EndedVault]?
    /// The keys of all hubs that may have written to the feeds, by ID; `nil` if there was never another one.
    var hubs: [UUID: PublicKey]?

    static let key = SecretKey(kind: .relay, log: nil)

    /// Loads what is stored.
    static func load(from store: HomeStore) async throws -> StoredSync {
        guard let bytes = try await store.secret(key) else { return StoredSync() }
        return try JSONDecoder().decode(StoredSync.self, from: Data(bytes))
    }

    /// Stores it, at both of two hubs.
    func save(by changes: ChangeSwitch) async throws {
        try await changes.setSecrets([Self.key: Array(JSONEncoder().encode(self))])
    }

    /// Ends the vault, if there is one.
    mutating func endVault(at time: Date) {
        guard keepsVault == true, let place else { return }
        let others = (endedVaults ?? []).filter { $0.place.house != place.house }
        endedVaults = others.suffix(SyncLimits.endedFeeds - 1) + [EndedVault(place: place, time: time)]
        vaultTime = nil
    }

    /// Ends a person's feed.
    ///
    /// - Parameter isTold: Whether its last entry says so.
    mutating func end(feedOf user: UUID, at time: Date, isTold: Bool = false) {
        guard let feed = feeds.removeValue(forKey: user), let place else { return }
        ended.append(EndedFeed(place: place, feed: feed, time: time, isTold: isTold ? true : nil))
        // Houses that nobody writes to end by themselves.
        ended.removeFirst(max(0, ended.count - SyncLimits.endedFeeds))
    }
}
