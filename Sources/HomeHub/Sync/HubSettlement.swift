import Foundation
import HomeStore

/// How a person has let a hub go on that was set back. The command does that while the hub isn't running, so the hub tells its
/// journal at the next start.
struct HubSettlement: Hashable, Codable {
    /// What the hub goes on with.
    enum Way: String, Codable {
        /// With what the relay had.
        case recovered
        /// With its old data.
        case discarded
    }

    /// What the hub goes on with.
    var way: Way
    /// When a person has decided.
    var time: Date

    /// Stores it.
    func save(in store: HomeStore) async throws {
        let text = String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        try await store.setMetadata(text, for: .settlement)
    }

    /// Returns what is stored, and deletes it; `nil` for nothing.
    static func take(from store: HomeStore) async throws -> HubSettlement? {
        guard let text = try await store.metadata(.settlement) else { return nil }
        try await store.setMetadata(nil, for: .settlement)
        return try JSONDecoder().decode(HubSettlement.self, from: Data(text.utf8))
    }
}
