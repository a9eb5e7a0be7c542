import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import SealedFeed

/// What the hub stores of a person's feed: the writer's state and its keys, in one value, so that neither is ever without the
/// other.
struct StoredFeed: Codable {
    /// The writer's state.
    var state: WriterState
    /// The keys, by generation.
    var keys: [Int: GenerationKey]
    /// The devices that have the key of the last generation.
    var devices: [UUID: PublicBox]
    /// The access that the relay gives; `nil` if it must get the list.
    var access: Set<FeedAccess>?
    /// The number of the last list of readers.
    var accessSequence: Int
    /// The lineage of the person's log. A restored backup begins another one.
    var lineage: UUID?

    /// Returns a person's feed; `nil` if there is none.
    static func load(of user: UUID, from store: HomeStore) async throws -> StoredFeed? {
        guard let bytes = try await store.secret(key(of: user)) else { return nil }
        return try JSONDecoder().decode(StoredFeed.self, from: Data(bytes))
    }

    /// Stores the feed.
    func save(of user: UUID, in store: HomeStore) async throws {
        try await store.setSecret(Array(JSONEncoder().encode(self)), for: Self.key(of: user))
    }

    /// Deletes a person's feed.
    static func remove(of user: UUID, from store: HomeStore) async throws {
        try await store.removeSecret(key(of: user))
    }

    /// The secret belongs to the person's log, so that it ends with the person.
    private static func key(of user: UUID) -> SecretKey {
        SecretKey(kind: .feedKey, log: .account(user))
    }
}
