import Foundation
import HomeStore
import HubAPI
import SealedFeed

/// What a hub knows of having been set back: the relay has changes that the hub has signed and that its data doesn't have.
///
/// The hub must not write over them, and whatever it changes would contradict them. So it stops, and doesn't start again until a
/// person has decided.
struct HubSetback: Hashable, Codable {
    /// What the relay has, for people.
    var reason: String

    /// Creates it from the error of a feed; `nil` if the error is another one.
    init?(_ error: FeedError) {
        guard error.code == .storeRolledBack else { return nil }
        reason = error.message
    }

    /// The error with which the hub stops and doesn't start.
    var error: HubError { HubError(.storeRolledBack, reason) }

    /// Returns what is stored; `nil` if the hub wasn't set back, as far as it is known.
    static func load(from store: HomeStore) async throws -> HubSetback? {
        guard let text = try await store.metadata(.setback) else { return nil }
        return try JSONDecoder().decode(HubSetback.self, from: Data(text.utf8))
    }

    /// Stores it, for the next start.
    func save(in store: HomeStore) async throws {
        try await store.setMetadata(String(decoding: try JSONEncoder().encode(self), as: UTF8.self), for: .setback)
    }
}
