import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import SealedFeed

/// Reads the later state of the homes from their owner's feed, for a hub that was set back.
enum FeedRecovery {
    /// A later state.
    struct Later {
        /// The records of each log that the owner sees.
        var records: [LogID: [Record]] = [:]
        /// The logs of the owner's homes that were removed.
        var removed: [LogID] = []
    }

    /// Reads the later state.
    ///
    /// - Parameter owner: The hub's own user.
    static func later(of owner: UUID, in store: HomeStore, over connect: RelayConnector) async throws -> Later {
        let sync = try await StoredSync.load(from: store)
        guard let place = sync.place, let feed = sync.feeds[owner],
            let stored = try await StoredFeed.load(of: owner, from: store)
        else { throw refusal("The hub's owner has no feed at the relay.") }
        let identity = try await HubIdentity.load(from: store)
        let address = FeedAddress(house: place.house, feed: feed)
        let contents: FeedContents
        do {
            let house = try connect(place, place.owner(of: identity))
            let head = try await house.head(of: address)
            let entries = try await house.currentEntries(of: address)
            contents = try FeedContents(
                entries,
                upTo: head,
                of: address,
                by: identity.publicKey,
                keys: stored.keys
            )
        } catch let error as FeedRelayError {
            throw HubError(.relayFailed, error.message)
        } catch let error as FeedError {
            guard error.code == .notAddressed else { throw HubError(.storeRolledBack, error.message) }
            throw refusal(
                "A device was removed or the keys were renewed since, so the hub can't read what the relay has."
            )
        }
        return try await later(of: owner, contents.state, in: store)
    }

    private static func later(of owner: UUID, _ state: HubState, in store: HomeStore) async throws -> Later {
        var later = Later()
        let account = LogID.account(owner)
        later.records[account] = state.account.records
        for (id, home) in state.homes { later.records[.home(id)] = home.records }
        for case .home(let id) in try await store.logs() where state.homes[id] == nil {
            let home = Home(id: id, records: try await store.load(.home(id))?.records ?? [])
            if home.users[id: owner]?.role == .owner { later.removed.append(.home(id)) }
        }
        return later
    }

    private static func refusal(_ reason: String) -> HubError {
        HubError(
            .storeRolledBack,
            "\(reason) Restore a backup, or run “hearth sync discard” to go on with the hub's data."
        )
    }
}
