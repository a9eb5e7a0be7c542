package import Foundation
import HomeStore

/// The user and the device that the hub acts as, created at its first start and stored.
package struct HubOwner: Hashable, Sendable {
    /// The user who owns the homes that are created on this hub.
    package let user: UUID
    /// The machine that the hub runs on.
    package let device: UUID

    static func load(from store: HomeStore) async throws -> HubOwner {
        HubOwner(
            user: try await identity(.hubUser, in: store),
            device: try await identity(.hubDevice, in: store)
        )
    }

    private static func identity(_ key: MetadataKey, in store: HomeStore) async throws -> UUID {
        if let text = try await store.metadata(key), let id = UUID(uuidString: text) { return id }
        let id = UUID()
        try await store.setMetadata(id.uuidString, for: key)
        return id
    }
}
