package import Consensus
package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
import Logging
package import Replication

/// Keeps the homes the same as the other hub's.
extension HomeHub {
    /// Begins to keep the homes the same as the other hub's. Until then, this hub changes nothing.
    ///
    /// - Parameters:
    ///   - other: The other hub.
    ///   - link: The connection to it.
    ///   - relay: The relay.
    /// - Returns: What the other hub's messages go to; `nil` if this hub has no keys yet, or isn't one of two.
    package func startPair(
        with other: UUID,
        over link: any PairedHub,
        relay: any RelayVoting
    ) async throws -> Replicator? {
        guard hubTable.isPaired, let keys = try await HubBatchKeys.stored(in: store) else { return nil }
        let (database, hub) = (
            database, Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        )
        let receiver = HubPairReceiver(database: database, log: log) {
            // A receiver must not wait for changes.
            Task { try? await database.followMemberships(asHub: hub) }
        }
        let replicator = try await Replicator(
            pair: HubPair(own: owner.device, other: other),
            store: store,
            keys: keys,
            link: link,
            relay: relay,
            receiver: receiver
        )
        changes.use(replicator)
        await replicator.start()
        return replicator
    }

    /// The hubs that keep the homes; `nil` as long as this hub was alone.
    package nonisolated var hubList: HubList? { hubTable.list?.list }

    /// Changes the homes alone from now on. The replicator has stopped.
    package func endPair() async {
        do {
            try await store.endPair()
            changes.use(store)
            await database.endPair()
        } catch {
            log.error("This hub can't go on alone. Start it again.", metadata: ["error": "\(error)"])
        }
    }

    /// Where files are while they are sent or come: the data folder, which only the owner can read.
    package var transferFolder: URL { store.directory }

    /// Writes the whole state for a hub that joins.
    package func makeBase(at file: URL) async throws -> BatchPosition { try await store.makeBase(at: file) }
}

/// The keys of batches, among the hub's own secrets.
enum HubBatchKeys {
    private static let key = SecretKey(kind: SecretKey.Kind(rawValue: "batchKeys"), log: nil)

    static func stored(in store: HomeStore) async throws -> BatchKeys? {
        guard let bytes = try await store.secret(key) else { return nil }
        return try JSONDecoder().decode(BatchKeys.self, from: Data(bytes))
    }

    static func store(_ keys: BatchKeys, in store: HomeStore) async throws {
        try await store.setSecret(Array(try JSONEncoder().encode(keys)), for: key)
    }
}
