import Consensus
import Foundation
import HomeStore
import HubAPI
import Logging
import Replication

/// What the hub does when its replicator has applied batches, or when another hub leads.
struct HubPairReceiver: BatchReceiver {
    let database: HomeDatabase
    let memory: ReplicatedMemory
    let own: OwnWrites
    let line: LeaderLine
    let followers: FollowerRequests
    let store: HomeStore
    let desk: PairDesk
    let sync: SyncDesk
    let automations: AutomationRunner
    let log: Logger
    /// Called when this hub begins to lead. It doesn't wait for changes.
    let beginLeading: @Sendable () -> Void
    /// Called when this hub begins to follow the other one. It doesn't wait for changes.
    let beginFollowing: @Sendable () -> Void

    func receive(_ batches: [AppliedBatch]) async {
        guard let place = batches.last?.position.place else { return }
        followers.willTell(through: place)
        await database.receive(batches)
        await memory.follow(batches, excluding: own, isFollowing: line.isFollowing)
        desk.relay.receive(batches)
        sync.receive(batches)
        line.didApply(through: place)
    }

    func reload() async {
        do {
            try await database.reload()
            desk.relay.set(try await VotingRelay.stored(in: store))
            sync.reload()
        } catch {
            log.critical("The state that the other hub sent can't be read.", metadata: ["error": "\(error)"])
        }
        await memory.reload()
        if let place = try? await store.voterState()?.applied.place {
            followers.willTell(through: place)
            line.didApply(through: place)
        }
    }

    func change(to role: HubRole) async {
        await database.change(to: role)
        line.change(to: role)
        await desk.change(to: role)
        sync.change(to: role)
        automations.change(to: role)
        switch role {
        case .leading(let term):
            log.info("This hub leads.", metadata: ["term": "\(term)"])
            beginLeading()
        case .following(let hub):
            log.info("The other hub leads.", metadata: ["hub": "\(hub)"])
            beginFollowing()
        case .withoutLeader: log.info("No hub leads.")
        }
    }

    func fail(_ error: StoreError) async {
        log.critical("The hub's data can't be kept the same as the other hub's.", metadata: ["error": "\(error)"])
    }
}
