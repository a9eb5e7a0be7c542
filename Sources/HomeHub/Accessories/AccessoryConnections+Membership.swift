import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// How servers become members of a home, and how they leave.
extension AccessoryConnections {
    /// How long a server that was just paired may take until its accessories are known.
    private static let joinTimeout = Duration.seconds(30)
    static let givenUp = HubError(
        .connectionLost,
        "The addition was given up: the hub stopped, or the accessory was added or removed elsewhere. Try again."
    )

    /// Makes way for a new pairing with a server that is leaving or was left half-joined. Call it when the server has
    /// accepted the new pairing and before that is stored: what is still to be forgotten is the old one.
    func prepareToJoin(_ deviceID: DeviceID) async throws {
        await removals[deviceID]?.value
        if case .member = links[deviceID]?.phase { return }
        guard let stale = links.removeValue(forKey: deviceID) else { return }
        await end(stale)
        try await vault.forget(deviceID, in: stale.home)
    }

    /// Whether a server is being let go of.
    func isLeaving(_ deviceID: DeviceID) -> Bool {
        guard let link = links[deviceID] else { return false }
        if case .leaving = link.phase { return true }
        return false
    }

    /// Returns the pairing of another home with a server that is in no home: its removal is scheduled, or its addition was
    /// interrupted.
    func leftover(at deviceID: DeviceID, notIn home: UUID) -> AccessoryPairing? {
        guard let link = links[deviceID], link.home != home else { return nil }
        if case .member = link.phase { return nil }
        return link.pairing
    }

    /// Throws if a server's accessories are in another home of the hub.
    func checkNotInAnotherHome(_ deviceID: DeviceID, home: UUID) throws(HubError) {
        guard let link = links[deviceID], case .member = link.phase, link.home != home else { return }
        let reason = "The accessory belongs to another home of this hub. Remove it there first."
        throw HubError(HomeError(.alreadyAdded, reason))
    }

    /// Brings a server that was just paired into a home: opens its session, has its accessories added, and makes it a
    /// member. If that fails, its pairing is removed.
    ///
    /// - Parameter add: A closure that adds the server's accessories to the home.
    /// - Returns: The result of `add`.
    func admit<Result: Sendable>(
        _ pairing: AccessoryPairing,
        to home: UUID,
        at addresses: [AccessoryAddress],
        _ add: @Sendable ([AccessoryCandidate]) async throws(HubError) -> Result
    ) async throws(HubError) -> Result {
        let deviceID = pairing.deviceID
        var metadata: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.home: "\(home)"]
        var candidates: [AccessoryCandidate] = []
        do throws(HubError) {
            let attributes = try await join(pairing, in: home, at: addresses)
            candidates = await self.candidates(attributes, of: deviceID)
            live.expect(candidates.map(\.id))
            let result = try await add(candidates)
            await adopt(deviceID, knowing: attributes)
            log.info("An accessory was added.", metadata: metadata)
            return result
        } catch {
            metadata[LogKey.code] = "\(error.code.rawValue)"
            log.info("An accessory was paired but not added; its pairing is taken back.", metadata: metadata)
            live.expect(candidates.map(\.id), false)
            await leave(deviceID, from: home)
            throw error
        }
    }

    /// Opens the session to a server that was just paired, and waits until its accessories are known.
    func join(
        _ pairing: AccessoryPairing,
        in home: UUID,
        at addresses: [AccessoryAddress]
    ) async throws(HubError) -> [AccessoryAttributes] {
        if let stale = links.removeValue(forKey: pairing.deviceID) { await end(stale) }
        await open(pairing, in: home, at: addresses, phase: .joining([]))
        let expiry = Task { [weak self] in
            try? await Task.sleep(for: Self.joinTimeout)
            guard !Task.isCancelled else { return }
            await self?.expireJoin(pairing.deviceID)
        }
        defer { expiry.cancel() }
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<[AccessoryAttributes], HubError>, Never>) in
            guard case .joining(let waiting) = links[pairing.deviceID]?.phase else {
                continuation.resume(returning: .failure(Self.givenUp))
                return
            }
            if let attributes = links[pairing.deviceID]?.attributes {
                continuation.resume(returning: .success(attributes))
            } else if let failure = links[pairing.deviceID]?.joinFailure {
                continuation.resume(returning: .failure(failure))
            } else {
                links[pairing.deviceID]?.phase = .joining(waiting + [continuation])
            }
        }
        return try result.get()
    }

    /// Makes a joining server a member: its accessories are in the home now.
    ///
    /// - Parameter known: What the home was told of them; what changed since is taken over.
    func adopt(_ deviceID: DeviceID, knowing known: [AccessoryAttributes]) async {
        // It may have left again before this.
        guard let link = links[deviceID], case .joining = link.phase else { return }
        links[deviceID]?.phase = .member
        // Its accessories may have been removed while it joined.
        await leave(deviceID, from: link.home)
        guard case .member = links[deviceID]?.phase else { return }
        await discovery.setMembership(of: deviceID, true)
        if let attributes = links[deviceID]?.attributes, attributes != known {
            await update(deviceID, to: attributes)
        }
        await publishAccessories(of: deviceID)
        await followBlocking(of: deviceID)
    }

    /// Ends the session of a member that was blocked, and starts one with a member that was unblocked.
    func followBlocking(of deviceID: DeviceID) async {
        // Meanwhile it may be blocked or unblocked again; the last word is what is stored.
        while let home = links[deviceID]?.home, let state = await database.stored.homes[home] {
            let isBlocked = state.blocks(deviceID)
            guard let link = links[deviceID], link.home == home, case .member = link.phase, link.isBlocked != isBlocked
            else { return }
            await reopen(link, phase: .member, isBlocked: isBlocked)
        }
    }

    private func reopen(_ link: Link, phase: Phase, isBlocked: Bool) async {
        let addresses = link.address.map { [$0] } ?? link.addresses
        await open(link.pairing, in: link.home, at: addresses, phase: phase, isBlocked: isBlocked)
        await end(link)
    }

    /// Lets all servers of a home that was removed go, as ``leave(_:from:)`` does.
    func leave(home: UUID) async {
        for (deviceID, link) in links where link.home == home { await leave(deviceID, from: home) }
    }

    /// Lets a server go once nothing of it is left in the home: removes the home's pairing from it, now or when it is next
    /// reached. If something is left, only what was removed is forgotten.
    func leave(_ deviceID: DeviceID, from home: UUID) async {
        let remaining = await database.home(home)?.accessories(onServer: deviceID.description) ?? []
        guard let link = links[deviceID], link.home == home else { return }
        guard remaining.isEmpty else {
            let accessories = Dictionary(remaining.map { ($0.aid, $0.id) }, uniquingKeysWith: { first, _ in first })
            live.forget(accessories: Set(link.accessories.values).subtracting(accessories.values), in: home)
            links[deviceID]?.accessories = accessories
            // Whoever added it did not add what is there already, and waits for nothing any more.
            if case .joining(let waiting) = link.phase, waiting.isEmpty { await adopt(deviceID, knowing: []) }
            return
        }
        live.forget(accessories: link.accessories.values, in: link.home)
        settleJoin(deviceID, .failure(Self.givenUp))
        guard !link.isBlocked else { return await reopen(link, phase: .leaving, isBlocked: false) }
        links[deviceID]?.phase = .leaving
        if link.attributes != nil { await removePairing(from: deviceID) }
    }

    /// Releases a server whose home was removed before its pairing could be stored: schedules the removal of the pairing.
    func release(
        _ pairing: AccessoryPairing,
        of home: UUID,
        finishing pending: PendingPairing
    ) async throws {
        // First, for a session of its earlier pairing could take that one's end for the end of this one.
        if let stale = links.removeValue(forKey: pairing.deviceID) { await end(stale) }
        try await vault.scheduleRemoval(of: pairing, from: home, finishing: pending)
        await open(pairing, in: home, at: pending.addresses, phase: .leaving)
    }

    private func expireJoin(_ deviceID: DeviceID) {
        let reason = "The accessory was paired but did not tell what it is in time. Try again."
        settleJoin(deviceID, .failure(HubError(.timedOut, reason)))
    }

    /// Tells who waits for a joining server how that ended.
    func settleJoin(_ deviceID: DeviceID, _ result: Result<[AccessoryAttributes], HubError>) {
        guard case .joining(let waiting) = links[deviceID]?.phase else { return }
        links[deviceID]?.phase = .joining([])
        for continuation in waiting { continuation.resume(returning: result) }
    }

    /// Removes the pairing from a server, once however often it is asked for meanwhile.
    func removePairing(from deviceID: DeviceID) async {
        if let removal = removals[deviceID] { return await removal.value }
        guard let link = links[deviceID] else { return }
        let removal = Task {
            await removePairing(of: link, from: deviceID)
            removals[deviceID] = nil
        }
        removals[deviceID] = removal
        await removal.value
    }

    private func removePairing(of link: Link, from deviceID: DeviceID) async {
        do {
            try await link.session.removePairing()
            try await vault.forget(deviceID, in: link.home)
        } catch {
            log.notice(
                "The pairing could not be removed yet; it will be when the accessory is back.",
                metadata: [
                    LogKey.accessory: "\(deviceID)", LogKey.home: "\(link.home)", LogKey.error: "\(error)",
                ]
            )
            return
        }
        log.info(
            "A pairing was removed.",
            metadata: [LogKey.accessory: "\(deviceID)", LogKey.home: "\(link.home)"]
        )
        if links[deviceID]?.session === link.session { links[deviceID] = nil }
        await end(link)
        await discovery.setMembership(of: deviceID, false)
    }

    /// Forgets a server, and its pairing.
    func forget(_ deviceID: DeviceID) async {
        guard let link = links.removeValue(forKey: deviceID) else { return }
        try? await vault.forget(deviceID, in: link.home)
        await end(link)
        await discovery.setMembership(of: deviceID, false)
    }
}

extension Home {
    /// Whether the accessories of a server are blocked.
    func blocks(_ server: DeviceID) -> Bool {
        accessories(onServer: server.description).contains(where: \.isBlocked)
    }
}
