import Foundation
import HomeStore
import HubAPI
import Logging
import Replication

/// What the hub does when its replicator has applied batches, or when another hub leads.
struct HubPairReceiver: BatchReceiver {
    let database: HomeDatabase
    let store: HomeStore
    let desk: PairDesk
    let sync: SyncDesk
    let log: Logger
    /// Called when this hub begins to lead. It doesn't wait for changes.
    let beginLeading: @Sendable () -> Void

    func receive(_ batches: [AppliedBatch]) async {
        await database.receive(batches)
        desk.relay.receive(batches)
        sync.receive(batches)
    }

    func reload() async {
        do {
            try await database.reload()
            desk.relay.set(try await VotingRelay.stored(in: store))
            sync.reload()
        } catch {
            log.critical("The state that the other hub sent can't be read.", metadata: ["error": "\(error)"])
        }
    }

    func change(to role: HubRole) async {
        await database.change(to: role)
        await desk.change(to: role)
        sync.change(to: role)
        switch role {
        case .leading(let term):
            log.info("This hub leads.", metadata: ["term": "\(term)"])
            beginLeading()
        case .following(let hub): log.info("The other hub leads.", metadata: ["hub": "\(hub)"])
        case .withoutLeader: log.info("No hub leads.")
        }
    }

    func fail(_ error: StoreError) async {
        log.critical("The hub's data can't be kept the same as the other hub's.", metadata: ["error": "\(error)"])
    }
}
