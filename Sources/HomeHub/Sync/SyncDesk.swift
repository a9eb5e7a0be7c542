import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Logging

/// Knows the keys with which devices read their users' feeds, and where the feeds are.
actor SyncDesk: HubPart {
    private let database: HomeDatabase
    private let log: Logger

    init(database: HomeDatabase, log: Logger) {
        self.database = database
        self.log = log
    }

    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.openFeed) { (keys, session) async throws(HubError) in
            try Self.checkAgent(session)
            return .deferred { () async throws(HubError) in try await self.open(keys, for: session) }
        }
    }

    private static func checkAgent(_ session: HubSession) throws(HubError) {
        guard session.isAgent else {
            let reason = "Only an agent's own session can call \(HubMethods.openFeed.name)."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
    }

    /// Stores a device's keys.
    private func open(_ keys: FeedKeys, for session: HubSession) async throws(HubError) -> FeedStanding {
        guard let box = PublicBox(keys.box), box.isKey else {
            let reason = "“box” must be a public X-Wing key of \(PublicBox.byteCount) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        guard let relayKey = PublicKey(keys.relayKey) else {
            let reason = "“relayKey” must be a public Ed25519 key of \(PublicKey.byteCount) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        let id = session.authority.device
        let device = await database.devices(of: session.user).first { $0.id == id && $0.kind == .agent }
        guard let device else {
            throw HubError(HomeError(.notFound, "Only a device that has joined the hub has a feed."))
        }
        guard device.key != relayKey.bytes else {
            let reason = "“relayKey” must not be the device's own key, so that a relay doesn't learn it."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        let request = AccountRequest.setDeviceKeys(id, box: box.bytes, relayKey: relayKey.bytes)
        let change = try await database.submit(request, by: session.caller, cause: session.cause)
        if change.change != nil {
            try await change.committed()
            log.info("A device has new keys for its feed.", metadata: [LogKey.device: "\(id)"])
        }
        return FeedStanding(nil)
    }
}
