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
        router.on(HubMethods.enableSync) { (parameters, session) async throws(HubError) in
            let origin = session.origin
            return .deferred { () async throws(HubError) in
                try await self.inTurn { desk in await desk.enable(parameters, by: origin) }.get()
            }
        }
        router.on(HubMethods.disableSync) { (_, session) async throws(HubError) in
            let origin = session.origin
            return .deferred { () async throws(HubError) in
                try await self.inTurn { desk in await desk.disable(by: origin) }.get()
            }
        }
        router.on(HubMethods.updateVault) { (_, session) async throws(HubError) in
            let origin = session.origin
            return .deferred { () async throws(HubError) in
                guard let keeper = await self.vaultKeeper else { throw await self.vaultRefusal() }
                try await keeper.makeNow(by: origin)
                return await self.status()
            }
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
        if keys.vaultOpened != nil, session.user == owner.user, let place = stored.place {
            tellJournal(.vaultOpened(relay: place.relay), by: session.origin)
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
        let last = entry.map { FeedLocation.Place(term: $0.term, seq: $0.sequence, head: "\($0.head)") }
        return FeedStanding(location(of: feed, at: place, for: device, entry: last))
    }

    /// Tells all agents where their feeds are.
    func tellAgents() async {
        for session in sessions.all where session.isAgent {
            let standing = await standing(of: session.authority.device, of: session.user)
            session.deliver(.event(.feed(standing)))
        }
    }

    // MARK: The relay

    private func enable(_ parameters: EnableSync, by origin: Origin) async -> Result<SyncStatus, HubError> {
        do throws(HubError) {
            try await enableSync(parameters, by: origin)
            return .success(await status())
        } catch {
            return .failure(error)
        }
    }

    private func enableSync(_ parameters: EnableSync, by origin: Origin) async throws(HubError) {
        guard let outside else { throw HubError(.notAllowedNow, "This hub can't use a relay.") }
        try checkMayDecide()
        guard parameters.relay.utf8.count <= SyncLimits.addressBytes else {
            let reason = "A relay's address has at most \(SyncLimits.addressBytes) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        guard parameters.token?.utf8.count ?? 0 <= SyncLimits.tokenBytes else {
            let reason = "A registration token has at most \(SyncLimits.tokenBytes) bytes."
            throw HubError(HomeError(.invalidParameter, reason))
        }
        var place = RelayPlace(relay: parameters.relay, house: .random())
        // It may have another pin now.
        if let known = [stored.place, stored.candidate].compactMap(\.self).first(where: { $0.isAtRelay(of: place) }) {
            place.house = known.house
            place.token = known.token
        }
        place.token = parameters.token ?? place.token
        let house = try Self.connected { () throws(FeedRelayError) in
            try outside.connect(place, place.owner(of: identity))
        }
        let former = stored.place?.relay
        let isSame = stored.place?.isAtRelay(of: place) == true
        if !isSame {
            // Before the relay knows the house: an answer that is lost must not cost a token.
            if stored.candidate?.house != place.house { stored.candidateFeeds = nil }
            stored.candidate = place
            // Whoever is told of them must find them there, also if the hub stops in between.
            for user in stored.feeds.keys {
                stored.candidateFeeds = (stored.candidateFeeds ?? [:]).merging([user: .random()]) { known, _ in known }
            }
            try await saved()
        }
        do throws(FeedRelayError) {
            try await house.register()
        } catch {
            throw Self.failure(error)
        }
        let next = stored.candidateFeeds ?? [:]
        let told =
            isSame
            ? []
            : await sayFarewell { user in next[user].map { location(of: $0, at: place, for: .any) } }
        await closeFeeds()
        if !isSame || parameters.keepsVault == false { stored.endVault(at: now()) }
        if !isSame {
            let users = stored.feeds.keys
            endAll(told)
            // They begin again at the new relay.
            for user in users { stored.feeds[user] = next[user] ?? .random() }
            stored.candidateFeeds = nil
            stored.candidate = nil
            stored.vaultTime = nil
        }
        stored.place = place
        stored.keepsVault = parameters.keepsVault ?? stored.keepsVault
        if stored.keepsVault == true, let others = stored.endedVaults?.filter({ $0.place.house != place.house }) {
            stored.endedVaults = others.isEmpty ? nil : others
        }
        try await saved()
        let isMove = former != nil && !isSame
        let event = SyncActivity.Event.enabled(relay: place.relay)
        tellJournal(isMove ? .moved(relay: place.relay, former: former ?? "") : event, by: origin)
        await openFeeds()
        endFeeds()
        log.notice("Feeds are kept at a relay.", metadata: ["relay": "\(place.relay)", "house": "\(place.house)"])
        await tellAgents()
    }

    private func disable(by origin: Origin) async -> Result<SyncStatus, HubError> {
        do throws(HubError) {
            try checkMayDecide()
            guard let relay = stored.place?.relay else { return .success(await status()) }
            let told = await sayFarewell { _ in nil }
            await closeFeeds()
            let users = Array(stored.feeds.keys)
            endAll(told)
            stored.endVault(at: now())
            // The relay knows the house, in case it is used again.
            (stored.candidate, stored.place) = (stored.place, nil)
            stored.candidateFeeds = nil
            stored.keepsVault = nil
            stored.vaultTime = nil
            table.setVaultReader(nil)
            house = nil
            try await saved()
            tellJournal(.disabled(relay: relay), by: origin)
            for user in users { await forget(user) }
            endFeeds()
            log.notice("Feeds are no longer kept at a relay.")
            await tellAgents()
            return .success(await status())
        } catch {
            return .failure(error)
        }
    }

    /// Throws if the other one of two hubs leads, or none does.
    private func checkMayDecide() throws(HubError) {
        guard leading == nil else { return }
        let reason = "Only the hub that leads decides about the relay. Run this there; see “hearth hub list”."
        throw HubError(.noLeader, reason)
    }

    /// Ends all feeds.
    ///
    /// - Parameter told: The users whose feeds say so.
    private func endAll(_ told: Set<UUID>) {
        for user in Array(stored.feeds.keys) { stored.end(feedOf: user, at: now(), isTold: told.contains(user)) }
    }

    /// Lets the last entries of all feeds tell the readers where to read from now on, as far as the relay can be reached.
    ///
    /// - Parameter location: Where a user's feed is from now on; `nil` if it has ended.
    /// - Returns: The users whose devices are told.
    private func sayFarewell(_ location: (UUID) -> FeedLocation?) async -> Set<UUID> {
        let writers = feeds.keys.compactMap { user in
            table.writer(of: user).map { (user: user, writer: $0, standing: FeedStanding(location(user))) }
        }
        return await withTaskGroup(of: UUID?.self) { group in
            for (user, writer, standing) in writers {
                group.addTask {
                    await writer.finish(telling: standing, within: SyncLimits.farewellWait) ? user : nil
                }
            }
            return await group.reduce(into: []) { told, user in if let user { told.insert(user) } }
        }
    }

    /// Returns where a feed is.
    private func location(
        of feed: FeedID,
        at place: RelayPlace,
        for device: UUID,
        entry: FeedLocation.Place? = nil
    ) -> FeedLocation {
        FeedLocation(
            relay: place.relay,
            house: "\(place.house)",
            feed: "\(feed)",
            device: device,
            hub: owner.device,
            place: entry
        )
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
            case nil where leading == nil:
                item.state = .waiting
                item.reason = "Only the hub that leads writes the feed."
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

extension UUID {
    /// The device of a location that is for all of a user's devices.
    fileprivate static let any = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
