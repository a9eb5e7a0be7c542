import HomeIdentity
import HomeStore
import HubAPI

/// The key by which devices know the hub. It is made at the hub's first start and is part of its backups, so that whoever
/// restores one is the same hub to every device.
enum HubIdentity {
    static func load(from store: HomeStore) async throws -> IdentityKey {
        let name = SecretKey(kind: .hubKey, log: nil)
        let seed: [UInt8]
        if let stored = try await store.secret(name) {
            seed = stored
        } else {
            seed = try await store.setSecretIfAbsent(IdentityKey().seed, for: name)
        }
        guard let key = IdentityKey(seed: seed) else {
            throw HubError(.storeFailure, "The hub's key is damaged. Restore a backup.")
        }
        return key
    }

    /// Returns the hub's box, which is made when the hub is first to share its homes with another.
    static func box(in store: HomeStore) async throws -> BoxKey {
        let name = SecretKey(kind: .hubBox, log: nil)
        let seed: [UInt8]
        if let stored = try await store.secret(name) {
            seed = stored
        } else {
            seed = try await store.setSecretIfAbsent(BoxKey().seed, for: name)
        }
        guard let key = BoxKey(seed: seed) else {
            throw HubError(.storeFailure, "The hub's box is damaged. Restore a backup.")
        }
        return key
    }
}
