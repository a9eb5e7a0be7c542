package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
package import SealedFeed

/// Feeds at relays.
extension HomeHub {
    /// Begins to keep feeds at the relay that the hub uses, if it uses one.
    ///
    /// - Parameter connect: What connects to relays.
    /// - Throws: An error if what is stored of the relay can't be read.
    package func startSync(over connect: @escaping RelayConnector) async throws {
        let outside = SyncDesk.Outside(connect: connect) { user, address, devices, house, lead in
            try await self.feedWriter(of: user, at: address, for: devices, house, as: lead)
        }
        try await sync.start(outside, vaultKeeper)
    }

    /// Where the hub is at a relay, each time that it changes; `nil` for no relay. Only one caller can wait.
    package var relayPlaces: AsyncStream<RelayPlace?> { sync.places }

    /// Returns whose a feed is; `nil` if it is nobody's any more.
    package func user(of feed: FeedID) -> UUID? { sync.table.user(of: feed) }

    /// Lets a hub that was set back go on with the data that it has, in new lineages. No hub may be running on the folder. Users
    /// other than the owner and all devices are suspended until they are confirmed, as after a restore.
    ///
    /// - Throws: `notAllowedNow` if the hub wasn't set back, as far as it knows; an error if the store can't be opened or
    ///   changed.
    package static func discardLaterChanges(_ data: URL, now: Date) async throws {
        try await settleSetback(data, .discarded, now) { store, caller in
            try await store.beginLineages(by: caller, now: now)
        }
    }

    /// Lets a hub that was set back take over what its owner's feed has of the homes, in new lineages. No hub may be running on
    /// the folder. What the owner doesn't see stays as it is in the data.
    ///
    /// - Throws: `notAllowedNow` if the hub wasn't set back, as far as it knows; `relayFailed` if the relay can't be reached;
    ///   `storeRolledBack` if the hub can't read what the relay has. Nothing changes then.
    package static func recoverLaterChanges(
        _ data: URL,
        over connect: RelayConnector,
        now: Date
    ) async throws {
        try await settleSetback(data, .recovered, now) { store, caller in
            let later = try await FeedRecovery.later(of: caller.user, in: store, over: connect)
            try await store.beginLineages(by: caller, now: now, recovering: later.records, removing: later.removed)
        }
    }

    private static func settleSetback(
        _ data: URL,
        _ way: HubSettlement.Way,
        _ now: Date,
        _ body: (HomeStore, Caller) async throws -> Void
    ) async throws {
        let store = try await HomeStore.open(at: data)
        do {
            guard try await HubSetback.load(from: store) != nil else {
                throw HubError(.notAllowedNow, "The hub in \(data.path) hasn't found later changes at its relay.")
            }
            let owner = try await HubOwner.load(from: store)
            let caller = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
            try await body(store, caller)
            try await HubSettlement(way: way, time: now).save(in: store)
        } catch {
            try? await store.close()
            throw error
        }
        try await store.close()
    }

    /// Puts a backup into the vault at the relay now, if one is due.
    package func makeVaultIfDue() async { await vaultKeeper.makeIfDue() }

    /// Creates the writer of a person's feed. Call its ``FeedWriter/run()``.
    ///
    /// - Parameters:
    ///   - user: The person, who is a user of this hub.
    ///   - address: The feed at the relay.
    ///   - devices: The person's devices, by ID.
    ///   - house: The hub's house at the relay.
    ///   - lead: As whom the hub writes; by default, alone.
    /// - Throws: An error if what is stored of the feed can't be read.
    package func feedWriter(
        of user: UUID,
        at address: FeedAddress,
        for devices: [UUID: FeedReaderDevice],
        _ house: any RelayHouse,
        as lead: FeedLead = FeedLead()
    ) async throws -> FeedWriter {
        try await FeedWriter(of: user, at: address, for: devices, house, as: lead, in: self, now: now, log: log)
    }
}
