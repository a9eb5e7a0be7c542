import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// Joining and leaving of a home's members.
extension AccessoryConnections {
    /// The longest time to wait for the accessories of a server that was just paired.
    private static let joinTimeout = Duration.seconds(30)
    static let joinCanceled = HubError(
        .connectionLost,
        "The addition was canceled: the hub stopped, or the accessory was added or removed elsewhere. Try again."
    )

    /// Forgets the old pairing of a server that is leaving, or whose addition was interrupted.
    ///
    /// Call this after the server accepted the new pairing and before the new pairing is stored, because this deletes
    /// the stored one.
    func prepareToJoin(_ deviceID: DeviceID) async throws {
        await removals[deviceID]?.value
        if case .member = links[deviceID]?.phase { return }
        guard let stale = links.removeValue(forKey: deviceID) else { return }
        await end(stale)
        try await vault.forget(deviceID, in: stale.home)
    }

    /// Returns whether a server is leaving its home.
    func isLeaving(_ deviceID: DeviceID) -> Bool {
        guard let link = links[deviceID] else { return false }
        if case .leaving = link.phase { return true }
        return false
    }

    /// Returns another home's pairing with a server that is in no home. Its removal is scheduled, or its addition was
    /// interrupted.
    func leftover(at deviceID: DeviceID, notIn home: UUID) -> AccessoryPairing? {
        guard let link = links[deviceID], link.home != home else { return nil }
        if case .member = link.phase { return nil }
        return link.pairing
    }

    /// Returns the home of the hub, other than a given one, that a server's accessories are in.
    func otherHome(of deviceID: DeviceID, than home: UUID) -> UUID? {
        guard let link = links[deviceID], case .member = link.phase, link.home != home else { return nil }
        return link.home
    }

    /// Admits a server that was just paired to a home: opens its session, adds its accessories, and makes it a member.
    ///
    /// If that fails, the pairing is removed from the server.
    ///
    /// - Parameters:
    ///   - pairing: The home's pairing with the server.
    ///   - home: The home that the server joins.
    ///   - addresses: The addresses to try.
    ///   - add: A closure that adds the server's accessories to the home.
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
            log.info("An accessory was paired but not added; its pairing is removed.", metadata: metadata)
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
        let description = Submission<Result<[AccessoryAttributes], HubError>>()
        await open(pairing, in: home, at: addresses, phase: .joining(description))
        let expiry = Task {
            try await Task.sleep(for: Self.joinTimeout)
            let reason = "The accessory was paired but didn't send its description in time. Try again."
            description.resolve(.failure(HubError(.timedOut, reason)))
        }
        defer { expiry.cancel() }
        return try await description.value.get()
    }

    /// Makes a joining server, whose accessories are in the home now, a member.
    ///
    /// - Parameters:
    ///   - deviceID: The server.
    ///   - known: The attributes that the home already has. Later changes are applied to the home.
    func adopt(_ deviceID: DeviceID, knowing known: [AccessoryAttributes]) async {
        // The server may have left again.
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
        settleDuties(with: deviceID)
        await followBlocking(of: deviceID)
    }

    /// Ends the session of a member that was blocked, or starts a session with a member that was unblocked.
    func followBlocking(of deviceID: DeviceID) async {
        // It may be blocked or unblocked again in the meantime. The stored state decides.
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

    /// Releases all servers of a home that was removed (``leave(_:from:)``).
    func leave(home: UUID) async {
        for (deviceID, link) in links where link.home == home { await leave(deviceID, from: home) }
    }

    /// Follows that accessories of homes were removed, blocked or unblocked at the other hub.
    func followMembers(of homes: Set<UUID>) async {
        for (deviceID, link) in links where homes.contains(link.home) {
            guard case .member = link.phase else { continue }
            let isGone = await database.home(link.home)?.accessories(onServer: deviceID.description).isEmpty ?? true
            if isGone, duties.owed(by: [deviceID], in: link.home).isEmpty, !duties.full.contains(deviceID) {
                // The leader removes the pairings of both hubs.
                forgetAccessories(of: link)
                await forgetDuties(at: deviceID)
                await forget(deviceID)
            } else {
                await leave(deviceID, from: link.home)
                await followBlocking(of: deviceID)
            }
        }
    }

    /// Releases a server after accessories were removed from the home.
    ///
    /// If the home has none of its accessories left, removes the home's pairing from it, now or when it is next
    /// reachable. Otherwise only discards the state of the removed accessories.
    func leave(_ deviceID: DeviceID, from home: UUID) async {
        let remaining = await database.home(home)?.accessories(onServer: deviceID.description) ?? []
        guard let link = links[deviceID], link.home == home else { return }
        guard remaining.isEmpty else {
            let accessories = Dictionary(remaining.map { ($0.aid, $0.id) }, uniquingKeysWith: { first, _ in first })
            forgetAccessories(of: link, keeping: accessories)
            // The addition failed because the accessories are already in the home, and no task waits for it any longer.
            if case .joining(let description) = link.phase, description.isResolved {
                await adopt(deviceID, knowing: [])
            }
            return
        }
        forgetAccessories(of: link)
        if case .joining(let description) = link.phase { description.resolve(.failure(Self.joinCanceled)) }
        guard !link.isBlocked else { return await reopen(link, phase: .leaving, isBlocked: false) }
        links[deviceID]?.phase = .leaving
        if link.attributes != nil { await removePairing(from: deviceID) }
    }

    /// Discards the state of the accessories that left the home, and drops their later values.
    private func forgetAccessories(of link: Link, keeping remaining: [UInt64: UUID] = [:]) {
        let former = link.values.accessories.values
        link.values.accessories = remaining
        live.forget(accessories: Set(former).subtracting(remaining.values), in: link.home)
    }

    /// Schedules the removal of a pairing whose home was removed before the pairing could be stored.
    func release(
        _ pairing: AccessoryPairing,
        of home: UUID,
        deletingNoteOf pending: PendingPairing
    ) async throws {
        // The old session ends first, because it could mistake the removal of its pairing for the removal of this one.
        if let stale = links.removeValue(forKey: pairing.deviceID) { await end(stale) }
        try await vault.scheduleRemoval(of: pairing, from: home, deletingNoteOf: pending)
        await open(pairing, in: home, at: pending.addresses, phase: .leaving)
    }

    /// Removes the pairing from a server. Concurrent calls share one removal.
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
            try await removeOtherHubs(from: link.session)
            try await link.session.removePairing()
            try await vault.forget(deviceID, in: link.home)
        } catch {
            log.notice(
                "The pairing could not be removed yet. The hub retries when the accessory is reachable.",
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
        link.endReports()
        await forgetDuties(at: deviceID)
        await end(link)
        await discovery.setMembership(of: deviceID, false)
    }

    /// Forgets a server and its pairing.
    func forget(_ deviceID: DeviceID) async {
        guard let link = links.removeValue(forKey: deviceID) else { return }
        link.endReports()
        try? await vault.forget(deviceID, in: link.home)
        await end(link)
        await discovery.setMembership(of: deviceID, false)
    }
}

extension Home {
    /// Returns whether the accessories of a server are blocked.
    func blocks(_ server: DeviceID) -> Bool {
        accessories(onServer: server.description).contains(where: \.isBlocked)
    }
}
