package import Consensus
package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging
package import Replication

/// Keeps the homes the same as the other hub's.
extension HomeHub {
    /// Begins to keep the homes the same as the other hub's. Until then, this hub changes nothing.
    ///
    /// - Parameters:
    ///   - other: The other hub.
    ///   - link: The connection to it.
    ///   - isConnected: Whether the other hub is connected.
    ///   - relay: The relay.
    /// - Returns: What the other hub's messages go to; `nil` if this hub has no keys yet, or isn't one of two.
    package func startPair(
        with other: UUID,
        over link: any PairedHub,
        isConnected: @escaping @Sendable () -> Bool,
        relay: any RelayVoting
    ) async throws -> Replicator? {
        if hubTable.isPaired, try await store.voterState() == nil { try await becomeFirst() }
        guard hubTable.isPaired, let keys = try await HubBatchKeys.stored(in: store) else { return nil }
        let (database, memory, connections) = (database, memory, connections)
        let hub = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        let own = OwnWrites()
        let receiver = HubPairReceiver(
            database: database,
            memory: memory,
            own: own,
            line: leaderLine,
            followers: followerRequests,
            store: store,
            desk: pairDesk,
            sync: sync,
            automations: automations,
            log: log
        ) {
            // A receiver must not wait for changes.
            Task {
                try? await database.followMemberships(asHub: hub)
                await memory.beginLeading()
                await connections.updateMembers()
            }
        } beginFollowing: {
            Task { await connections.updateMembers() }
        }
        let replicator = try await Replicator(
            pair: HubPair(own: owner.device, other: other),
            store: store,
            keys: keys,
            link: link,
            relay: relay,
            receiver: receiver
        )
        sync.change(to: .withoutLeader)
        changes.use(PairWriter(replicator, leaderLine, own))
        followerRequests.use(replicator)
        leaderLine.didApply(through: try await store.voterState()?.applied.place ?? 0)
        leaderLine.change(to: .withoutLeader)
        await pairDesk.begin(replicator, isConnected: isConnected)
        await replicator.start()
        return replicator
    }

    /// Makes this hub the first of two while it runs.
    private func becomeFirst() async throws {
        leaderLine.change(to: .withoutLeader)
        automations.change(to: .withoutLeader)
        changes.use(WaitingWriter())
        // What is stored from now on is in batches.
        await changes.settle()
        votingRelay.set(try await Self.beginPair(in: store))
    }

    /// Makes a store that of the first of two hubs.
    ///
    /// - Returns: The relay that votes.
    static func beginPair(in store: HomeStore) async throws -> RelayPlace? {
        let place = try await StoredSync.load(from: store).place
        try await HubBatchKeys.store(BatchKeys(), in: store)
        try await VotingRelay.store(place, in: store)
        try await store.beginPair()
        return place
    }

    /// The hubs that keep the homes; `nil` as long as this hub was alone.
    package nonisolated var hubList: HubList? { hubTable.list?.list }

    /// Changes the homes alone from now on, or nothing if this hub isn't in the list any more. The replicator has stopped.
    package func endPair() async {
        followerRequests.use(nil)
        guard !hubTable.hasLeft else {
            leaderLine.change(to: .withoutLeader)
            sync.change(to: .withoutLeader)
            automations.change(to: .withoutLeader)
            changes.use(WaitingWriter())
            return await pairDesk.end()
        }
        do {
            let rest = try await Self.applyRest(of: store)
            await database.receive(rest)
            if !rest.isEmpty { await memory.reload() }
            try await store.endPair()
            changes.use(store)
            leaderLine.endPair()
            await pairDesk.end()
            sync.endPair()
            automations.change(to: nil)
        } catch {
            log.error("This hub can't go on alone. Start it again.", metadata: ["error": "\(error)"])
        }
    }

    /// Applies all batches that a hub has, whether they were committed or not. Those that were must not be lost, and of the others
    /// nobody knows that they don't happen.
    static func applyRest(of store: HomeStore) async throws -> [AppliedBatch] {
        guard let keys = try await HubBatchKeys.stored(in: store), let state = try await store.voterState(),
            let last = state.batches.last?.position.place, last > state.applied.place
        else { return [] }
        return try await store.apply(through: last) { batch throws(StoreError) in try keys.content(of: batch) }
    }

    /// Checks that a store's hub may run: that it isn't about to join another one, and that it has left none. A hub that was one
    /// of two, and stopped as the other one was removed, is alone then.
    static func checkMembership(_ table: HubTable, _ store: HomeStore) async throws {
        let path = store.directory.path
        if table.hasLeft {
            try await store.removeSecrets()
            let reason = "The hub in \(path) has left its homes, which another hub keeps."
            throw HubError(.hubLeft, "\(reason) Delete the folder, or choose another one with --data.")
        }
        if table.list == nil, try await store.metadata(.joining) != nil {
            let reason = "The hub in \(path) is joining another one, and doesn't have its homes yet."
            throw HubError(.notAllowedNow, "\(reason) Go on with: hearth hub join --data \(path)")
        }
        guard table.list != nil, !table.isPaired, try await store.voterState() != nil else { return }
        _ = try await applyRest(of: store)
        try await store.endPair()
    }

    /// Handles that this hub isn't in the list any more.
    package func depart() async { await pairDesk.depart() }

    /// The relay that votes; `nil` for none.
    package var votingPlace: RelayPlace? { votingRelay.place }

    /// Records that the relay was asked for its vote.
    ///
    /// - Parameters:
    ///   - problem: Why there is no answer; `nil` if there is one.
    ///   - isUnknown: Whether the relay doesn't know the house, or this hub as its owner.
    package func relayWasAsked(problem: String?, isUnknown: Bool) {
        pairDesk.relayWasAsked(problem: problem, isUnknown: isUnknown)
    }

    /// Returns the key by which the relay knows the other hub as an owner of a house, as far as that hub has told.
    package func otherOwners(of house: HouseID) -> [PublicKey] {
        guard let owner = hubTable.otherHub?.owner, owner.house == house else { return [] }
        return [owner.key]
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
