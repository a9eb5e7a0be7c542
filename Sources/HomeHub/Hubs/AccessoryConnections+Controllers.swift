import Foundation
import HAP
import HAPClient
import HomeModel
import HubAPI
import Logging

/// The pairings of the other hubs of the homes at the accessories.
extension AccessoryConnections {
    /// Adds the controllers of another hub. Each accessory gets its pairing now, or when it is next reachable.
    func add(_ controllers: [HubController]) async throws(HubError) {
        var isChanged = false
        for controller in controllers {
            let members = await servers(in: controller.home)
            if duties.add(controller, members: members) { isChanged = true }
        }
        guard isChanged else { return }
        try await storeDuties()
        for deviceID in links.keys { settleDuties(with: deviceID) }
    }

    /// Removes the controllers of a hub that left or is lost. Each accessory loses its pairing now, or when it is next
    /// reachable.
    func removeControllers(of hub: UUID) async throws(HubError) {
        var members: [UUID: Set<DeviceID>] = [:]
        for home in Set(duties.controllers.map(\.home)) { members[home] = await servers(in: home) }
        guard duties.remove(hub: hub, members: members) else { return }
        try await storeDuties()
        for deviceID in links.keys { settleDuties(with: deviceID) }
    }

    /// Returns the servers of a home at which something is owed to another hub, and those that have no room for it.
    func owedDuties(in home: UUID) async -> (owed: Set<DeviceID>, full: Set<DeviceID>) {
        let members = await servers(in: home)
        return (duties.owed(by: members, in: home), duties.full.intersection(members))
    }

    /// Returns the servers of a home that have refused to prepare a write since this hub's start.
    func unpreparedServers(in home: UUID) async -> Set<DeviceID> {
        var servers: Set<DeviceID> = []
        for (deviceID, link) in links where link.home == home {
            if await link.session.cannotPrepare { servers.insert(deviceID) }
        }
        return servers
    }

    // MARK: Servers that the other hub has paired

    /// Returns the servers of a home with which only the other hub is paired.
    func foreignServers(in home: UUID) -> Set<DeviceID> {
        let foreign = links.filter { deviceID, link in
            link.home == home && otherHubsServers.contains(deviceID)
                && link.values.accessories.values.contains { live.error(forUnreachable: $0)?.trouble == .onlyOtherHub }
        }
        return Set(foreign.keys)
    }

    /// Remembers which servers the other hub has paired.
    ///
    /// - Parameter servers: The servers; none if there is no other hub any more.
    func setOtherHubsServers(_ servers: Set<DeviceID>) async {
        let new = servers.subtracting(otherHubsServers)
        otherHubsServers = servers
        let refusals: Set<AccessoryTrouble> = [.pairingRefused, .pairingForgotten]
        for deviceID in new {
            // An accessory that refuses this hub wasn't reset, as it seemed.
            let accessories = links[deviceID]?.values.accessories.values.map(\.self) ?? []
            let isRefused = accessories.contains { accessory in
                live.error(forUnreachable: accessory)?.trouble.map(refusals.contains) ?? false
            }
            if isRefused { await publishUnreachable(deviceID, because: HubError(AccessoryTrouble.onlyOtherHub)) }
        }
    }

    /// Opens connections, by this hub's own pairings, to servers that the other hub has paired. Those whose accessories
    /// aren't in the home, as far as this hub knows, are left out.
    ///
    /// - Parameter servers: The servers of which the other hub has told.
    func learn(_ servers: [HubIntroduction.Server]) async {
        for server in servers {
            guard let home = await database.home(server.home), home.includes(server.deviceID) else { continue }
            let known = links[server.deviceID]
            // A server that this hub has paired itself, or that is being removed, isn't another hub's to change.
            guard known.map({ $0.home != home.id || $0.isReplaced(by: server) }) ?? true else { continue }
            do {
                let pairing = AccessoryPairing(
                    deviceID: server.deviceID,
                    accessoryPublicKey: server.publicKey,
                    controllerIdentity: try await vault.controllerIdentity(of: home.id)
                )
                try await vault.store(pairing, in: home.id)
                let address = try await vault.address(of: server.deviceID)
                if let stale = links.removeValue(forKey: server.deviceID) { await end(stale) }
                await open(
                    pairing,
                    in: home.id,
                    at: [address].compactMap(\.self),
                    phase: .member,
                    isBlocked: home.blocks(server.deviceID)
                )
            } catch {
                let metadata: Logger.Metadata = [
                    LogKey.accessory: "\(server.deviceID)", LogKey.home: "\(home.id)", LogKey.error: "\(error)",
                ]
                log.error("An accessory that the other hub has paired could not be taken over.", metadata: metadata)
            }
        }
    }

    private func servers(in home: UUID) async -> Set<DeviceID> {
        let accessories = await database.home(home)?.accessories.compactMap { DeviceID($0.server) } ?? []
        return Set(accessories).union(links.filter { $1.home == home }.keys)
    }

    // MARK: Members

    /// Settles what is owed at a member that is connected. Concurrent calls share one exchange, and what has changed
    /// meanwhile is settled after it.
    func settleDuties(with deviceID: DeviceID) {
        guard let link = links[deviceID], case .member = link.phase, link.attributes != nil,
            duties.concerns(deviceID, in: link.home)
        else { return }
        guard settling[deviceID] == nil else {
            isSettlingAgain.insert(deviceID)
            return
        }
        settling[deviceID] = Task { [weak self] in await self?.settle(link, deviceID) }
    }

    private func settle(_ link: Link, _ deviceID: DeviceID) async {
        do {
            let before = duties
            let present = try await link.session.listPairings()
            for step in duties.receive(present, from: deviceID, in: link.home) {
                switch step {
                case .add(let pairing): try await link.session.addPairing(pairing)
                case .remove(let id): try await link.session.removePairing(of: id)
                }
                duties.did(step, at: deviceID)
            }
            if duties != before { try await storeDuties() }
        } catch {
            await recordFailure(error, at: deviceID)
        }
        settling[deviceID] = nil
        if isSettlingAgain.remove(deviceID) != nil { settleDuties(with: deviceID) }
    }

    private func recordFailure(_ error: any Error, at deviceID: DeviceID) async {
        let metadata: Logger.Metadata = [LogKey.accessory: "\(deviceID)", LogKey.error: "\(error)"]
        guard let failure = error as? AccessoryFailure else {
            return log.error("What is owed to the other hub could not be stored.", metadata: metadata)
        }
        if case .pairing(let refusal) = failure, refusal.code == .noRoom {
            duties.setFull(deviceID)
            log.warning("An accessory has no room for the other hub's pairing.", metadata: metadata)
            try? await storeDuties()
        } else {
            log.notice(
                "An accessory's pairings with the other hub could not be changed yet. The hub retries when it connects again.",
                metadata: metadata
            )
        }
    }

    // MARK: Accessories that leave

    /// Removes the other hubs' pairings from a server that leaves its home. Otherwise it would stay paired with them.
    func removeOtherHubs(from session: AccessorySession) async throws(AccessoryFailure) {
        guard !duties.isEmpty else { return }
        for id in duties.removals(ofAllIn: try await session.listPairings()) {
            try await session.removePairing(of: id)
        }
    }

    /// Forgets what is owed at a server that is in no home any more.
    func forgetDuties(at deviceID: DeviceID) async {
        let before = duties
        duties.forget(deviceID)
        if duties != before { try? await storeDuties() }
    }

    // MARK: Storage

    /// Stores what is owed. Only the latest state matters: a call that comes while another is being written is written
    /// by the same one.
    private func storeDuties() async throws(HubError) {
        while let storing { _ = await storing.result }
        let task = Task { [vault, duties] in try await vault.store(duties) }
        storing = task
        defer { storing = nil }
        do {
            try await task.value
        } catch {
            throw HubError(.storeFailure, "What is owed to the other hub could not be stored: \(error)")
        }
    }
}

extension AccessoryConnections.Link {
    /// Whether the other hub has paired the server again since, after it was reset.
    fileprivate func isReplaced(by server: HubIntroduction.Server) -> Bool {
        guard case .member = phase else { return false }
        return pairing.accessoryPublicKey != server.publicKey
    }
}

extension Home {
    /// Whether the home has an accessory of a server.
    fileprivate func includes(_ server: DeviceID) -> Bool { !accessories(onServer: server.description).isEmpty }
}
