import Foundation
import HomeIdentity
import HomeModel
import HubAPI
import Logging
import SealedFeed

/// What clients ask of the hub's feeds.
extension SyncDesk {
    nonisolated func register(in router: inout MethodRouter) {
        router.on(HubMethods.openFeed) { (keys, session) async throws(HubError) in
            try Self.checkAgent(session)
            return .deferred { () async throws(HubError) in try await self.open(keys, for: session) }
        }
        router.on(HubMethods.enableSync) { (parameters, _) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await self.inTurn { desk in await desk.enable(parameters) }.get()
            }
        }
        router.on(HubMethods.disableSync) { (_, _) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.inTurn { desk in await desk.disable() }.get() }
        }
        router.on(HubMethods.syncStatus) { (_, _) async throws(HubError) in
            .deferred { () async throws(HubError) in await self.status() }
        }
    }

    // MARK: Devices

    private static func checkAgent(_ session: HubSession) throws(HubError) {
        guard session.isAgent else {
            let reason = "Only an agent's own session can call \(HubMethods.openFeed.name)."
            throw HubError(HomeError(.insufficientPrivileges, reason))
        }
    }

    /// Stores a device's keys, and returns where its user's feed is.
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
        let user = session.user
        await inTurn { desk in await desk.update(user) }
        return await standing(of: id, of: user)
    }

    /// Returns where a device finds its user's feed.
    private func standing(of device: UUID, of user: UUID) async -> FeedStanding {
        guard let place = stored.place, let feed = stored.feeds[user], table.devices(of: user)[device] != nil else {
            return FeedStanding(nil)
        }
        let entry = await table.writer(of: user)?.place
        return FeedStanding(
            FeedLocation(
                relay: place.relay,
                house: "\(place.house)",
                feed: "\(feed)",
                device: device,
                hub: owner.device,
                place: entry.map { FeedLocation.Place(term: $0.term, seq: $0.sequence, head: "\($0.head)") }
            )
        )
    }

    /// Tells all agents where their feeds are.
    private func tellAgents() async {
        for session in sessions.all where session.isAgent {
            let standing = await standing(of: session.authority.device, of: session.user)
            session.deliver(.event(.feed(standing)))
        }
    }

    // MARK: The relay

    private func enable(_ parameters: EnableSync) async -> Result<SyncStatus, HubError> {
        do throws(HubError) {
            try await enableSync(parameters)
            return .success(await status())
        } catch {
            return .failure(error)
        }
    }

    private func enableSync(_ parameters: EnableSync) async throws(HubError) {
        guard let outside else { throw HubError(.notAllowedNow, "This hub can't use a relay.") }
        guard parameters.relay.utf8.count <= SyncLimits.addressBytes else {
            let reason = "A relay's address has at most \(SyncLimits.addressBytes) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        guard parameters.token?.utf8.count ?? 0 <= SyncLimits.tokenBytes else {
            let reason = "A registration token has at most \(SyncLimits.tokenBytes) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        // A path of nothing but a slash is none.
        let address = parameters.relay.hasSuffix("/") ? String(parameters.relay.dropLast()) : parameters.relay
        let known = [stored.place, stored.candidate].compactMap(\.self).first { $0.relay == address }
        var place = known ?? RelayPlace(relay: address, house: .random())
        place.token = parameters.token ?? place.token
        let house = try Self.connected { () throws(FeedRelayError) in
            try outside.connect(place, place.owner(of: identity))
        }
        let isSame = stored.place?.relay == place.relay
        if !isSame {
            // Before the relay knows the house: an answer that is lost must not cost a token.
            stored.candidate = place
            try await saved()
        }
        do throws(FeedRelayError) {
            try await house.register()
        } catch {
            throw Self.failure(error)
        }
        await closeFeeds()
        if !isSame {
            endAll()
            stored.candidate = nil
            stored.vaultTime = nil
        }
        stored.place = place
        stored.keepsVault = parameters.keepsVault ?? stored.keepsVault
        try await saved()
        await openFeeds()
        endFeeds()
        log.notice("Feeds are kept at a relay.", metadata: ["relay": "\(place.relay)", "house": "\(place.house)"])
        await tellAgents()
    }

    private func disable() async -> Result<SyncStatus, HubError> {
        do throws(HubError) {
            guard stored.place != nil else { return .success(await status()) }
            await closeFeeds()
            let users = Array(stored.feeds.keys)
            endAll()
            // The relay knows the house, in case it is used again.
            (stored.candidate, stored.place) = (stored.place, nil)
            stored.keepsVault = nil
            stored.vaultTime = nil
            table.setVaultReader(nil)
            house = nil
            try await saved()
            for user in users { await forget(user) }
            endFeeds()
            log.notice("Feeds are no longer kept at a relay.")
            await tellAgents()
            return .success(await status())
        } catch {
            return .failure(error)
        }
    }

    private func endAll() {
        for user in Array(stored.feeds.keys) { stored.end(feedOf: user, at: now()) }
    }

    private func saved() async throws(HubError) {
        guard await save() else { throw HubError(.storeFailure, "The relay could not be stored. See the hub's log.") }
    }

    private static func connected<Value>(_ body: () throws(FeedRelayError) -> Value) throws(HubError) -> Value {
        do throws(FeedRelayError) {
            return try body()
        } catch {
            throw failure(error)
        }
    }

    private static func failure(_ error: FeedRelayError) -> HubError { HubError(.relayFailed, error.message) }

    // MARK: Status

    /// Returns how the feeds stand.
    private func status() async -> SyncStatus {
        var status = SyncStatus(
            relay: stored.place?.relay,
            house: stored.place.map { "\($0.house)" },
            ending: stored.ended.count,
            vault: stored.keepsVault == true ? SyncStatus.Vault(made: stored.vaultTime, problem: vaultProblem) : nil
        )
        for (user, feed) in stored.feeds {
            let open = feeds[user]
            var item = SyncStatus.Feed(
                person: await database.name(of: user),
                feed: "\(feed)",
                devices: table.devices(of: user).count,
                state: .writing,
                since: open?.since ?? now(),
                entries: await table.writer(of: user)?.entryCount ?? 0
            )
            switch open?.status {
            case .writing?: break
            case .current?: item.state = .current
            case .waiting(let error)?:
                item.state = .waiting
                item.reason = error.message
            case .stopped(let error)?:
                item.state = .stopped
                item.reason = error.message
                item.code = error.code.rawValue
            case nil:
                item.state = .stopped
                item.reason = "The relay can't be used. See the hub's log."
            }
            status.feeds.append(item)
        }
        status.feeds.sort { ($0.person, $0.feed) < ($1.person, $1.feed) }
        return status
    }
}
