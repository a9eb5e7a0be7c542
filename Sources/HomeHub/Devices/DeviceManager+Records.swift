import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging

/// When and how a device last used the hub.
struct DeviceUse: Hashable, Sendable, Codable {
    /// The hub's time.
    var time: Date
    /// The way.
    var way: Way
}

/// The devices in users' own logs: what is listed, renamed, removed and confirmed.
extension DeviceManager {
    /// Registers the methods that list and change devices.
    nonisolated func registerChanges(in router: inout MethodRouter) {
        router.on(HubMethods.vouchForDevice) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await self.vouch(parameters, for: session, request) }
        }
        router.on(HubMethods.renameDevice) { (parameters, session, request) async throws(HubError) in
            .committing { () async throws(HubError) in try await self.rename(parameters, for: session, request) }
        }
        router.on(HubMethods.removeDevice) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in try await self.remove(parameters, for: session) }
        }
        router.on(HubMethods.confirmDevices) { (parameters, session) async throws(HubError) in
            .deferred { () async throws(HubError) in
                try await self.confirm(parameters.ids, for: session)
                return Empty()
            }
        }
    }

    // MARK: Start

    /// Gives every browser that stays signed in a record, and removes the records of those that don't.
    ///
    /// Earlier versions had no records. A hub that was killed may have stored only one of the two.
    func matchRecords() async throws(HubError) {
        for device in devices.values where await database.devices(of: device.user).allSatisfy({ $0.id != device.id }) {
            do throws(HubError) {
                try await record(device)
            } catch {
                // The user is as good as signed out: there is no room, or they have no home any longer.
                log.warning("A signed-in device has no record.", metadata: Self.metadata(device.id))
            }
        }
        for account in await database.newest.accounts.values {
            let lost = account.devices.filter { $0.kind == .browser && devices[$0.id] == nil }.map(\.id)
            guard !lost.isEmpty else { continue }
            let request = AccountRequest.removeDevices(lost, at: now())
            let hub = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
            try await database.submit(request, of: account.user, by: hub, cause: .hub).committed()
        }
    }

    /// Adds the record of a browser that stays signed in.
    func record(_ device: SignedInDevice) async throws(HubError) {
        let record = AccountDeviceRecord(id: device.id, name: device.name, kind: .browser, added: device.added)
        do throws(HubError) {
            try await database.submit(joining: record, of: device.user, by: caller(of: device), cause: .hub).committed()
        } catch {
            // A hub that has just begun to lead may have added it, because it knew the credential.
            guard error.code.rawValue == HomeError.Code.alreadyAdded.rawValue else { throw error }
        }
    }

    /// The caller of changes that follow from a device's signing in or out.
    func caller(of device: SignedInDevice) -> Caller {
        Caller(user: device.user, device: device.id, app: "hearth.page", client: device.id)
    }

    // MARK: Use

    /// Records that a device with a key uses the hub.
    func recordUse(of device: UUID, way: Way) {
        let use = DeviceUse(time: now(), way: way)
        let former = uses[device]
        uses[device] = use
        let interval = TimeInterval(DeviceLimits.useInterval / .seconds(1))
        if let former, former.way == way, use.time.timeIntervalSince(former.time) < interval { return }
        // The time of the last use may be lost if the hub stops now.
        Task { [uses, store, log] in
            do {
                let text = String(decoding: try JSONEncoder().encode(uses), as: UTF8.self)
                try await store.setMetadata(text, for: .deviceUses)
            } catch {
                log.warning(
                    "The time of a device's last use could not be stored.",
                    metadata: [LogKey.error: "\(error)"]
                )
            }
        }
    }

    /// Loads when devices last used the hub. A text that can't be read is as good as none.
    func loadUses() async throws {
        guard let text = try await store.metadata(.deviceUses) else { return }
        uses = (try? JSONDecoder().decode([UUID: DeviceUse].self, from: Data(text.utf8))) ?? [:]
    }

    // MARK: List

    /// Returns the devices of a session's user.
    func list(for session: HubSession) async -> Devices {
        let connected = Set(sessions.all.map(\.authority.device))
        let records = await database.devices(of: session.user)
        let names = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0.name) })
        let agents = records.filter { $0.kind != .browser }.map { record in
            let use = uses[record.id]
            return Devices.Device(
                id: record.id,
                name: record.name,
                kind: record.kind.rawValue,
                added: record.added,
                addedBy: record.addedBy.flatMap { names[$0] },
                lastUse: use?.time ?? record.added,
                way: use?.way,
                staysSignedIn: true,
                isSuspended: record.isSuspended ? true : nil,
                isConnected: connected.contains(record.id),
                isCurrent: record.id == session.authority.device
            )
        }
        let browsers = devices.values.filter { $0.user == session.user && isSignedIn($0.id) }.map { device in
            Devices.Device(
                id: device.id,
                name: names[device.id] ?? device.name,
                kind: AccountDeviceRecord.Kind.browser.rawValue,
                added: device.added,
                lastUse: device.lastUse,
                way: .near,
                staysSignedIn: device.staysSignedIn,
                isConnected: connected.contains(device.id),
                isCurrent: device.id == session.authority.device
            )
        }
        return Devices(devices: (agents + browsers).sorted { $0.lastUse > $1.lastUse })
    }

    // MARK: Changes

    private func vouch(
        _ parameters: VouchForDevice,
        for session: HubSession,
        _ request: KeyedRequest?
    ) async throws(HubError) -> Committed<AddedItem> {
        guard let key = PublicKey(parameters.key), parameters.kind == AccountDeviceRecord.Kind.agent.rawValue else {
            throw HubError(
                HomeError(.invalidParameter, "A device needs a key of 32 bytes, and is of the kind “agent”.")
            )
        }
        guard !Account.deviceName(parameters.name).isEmpty else {
            throw HubError(HomeError(.nameEmpty, "A device needs a name."))
        }
        guard table.device(with: key) == nil, !table.isPending(key) else {
            throw HubError(HomeError(.alreadyAdded, "A device with this key is already known to the hub."))
        }
        guard await database.isMember(session.user, owner: owner.user) else {
            throw HubError(HomeError(.insufficientPrivileges, "Only members of a home can add devices."))
        }
        guard await database.hasRoom(forDeviceOf: session.user) else {
            throw InvitationManager.tooManyDevices(of: session.user, owner)
        }
        let added = AddedItem(id: UUID())
        let record = AccountDeviceRecord(
            id: added.id,
            name: parameters.name,
            kind: .agent,
            key: key.bytes,
            added: now(),
            addedBy: session.authority.device
        )
        let receipt = try request?.receipt(added)
        let change = try await database.submit(
            joining: record,
            of: session.user,
            by: session.caller,
            cause: session.cause,
            receipt: receipt
        )
        let committed = try await change.committed(added)
        await invitations.publish(.joined(name: record.name), of: session.user, in: nil)
        log.info("A device was vouched for.", metadata: Self.metadata(added.id))
        return committed
    }

    private func rename(
        _ parameters: RenameDevice,
        for session: HubSession,
        _ request: KeyedRequest?
    ) async throws(HubError) -> Committed<Empty> {
        if let device = devices[parameters.id], device.user == session.user, !device.staysSignedIn {
            let name = Account.deviceName(parameters.name)
            guard !name.isEmpty else { throw HubError(HomeError(.nameEmpty, "A device needs a name.")) }
            rename(parameters.id, to: name)
            return Committed(Empty(), follows: [])
        }
        return try await database.submit(
            .renameDevice(parameters.id, name: parameters.name),
            by: session.caller,
            cause: session.cause,
            receipt: try request?.receipt(Empty())
        ).committed(Empty())
    }

    private func remove(_ parameters: RemoveDevice, for session: HubSession) async throws(HubError) -> RemovedDevice {
        let id = parameters.id
        let record = await database.devices(of: session.user).first { $0.id == id }
        guard record != nil || devices[id]?.user == session.user else {
            throw HubError(HomeError(.notFound, "You have no such device. To list them, run “hearth device list”."))
        }
        // Read first: the removal may be one more entry.
        let deeds = parameters.isStolen == true ? await deeds(of: id, since: parameters.since, for: session) : nil
        if let record {
            let request = AccountRequest.removeDevices([id], at: now())
            try await database.submit(request, by: session.caller, cause: session.cause).committed()
            if record.kind == .agent {
                await invitations.publish(.removed(name: record.name), of: session.user, in: nil, by: session.origin)
            }
        }
        await forget(id, because: Self.signedOut)
        uses[id] = nil
        if parameters.isStolen == true { await invitations.endInvitations(from: id) }
        log.info("A device was removed.", metadata: Self.metadata(id))
        try await saved()
        return RemovedDevice(deeds: deeds)
    }

    private func confirm(_ ids: [UUID], for session: HubSession) async throws(HubError) {
        guard ids.count <= DeviceLimits.agentsOfOwner * HomeLimits.usersPerHome else {
            throw HubError(.malformedMessage, "There are too many devices in one call.")
        }
        let suspended = await database.suspendedDevices.filter { ids.contains($0.device.id) }
        guard suspended.count == Set(ids).count else {
            throw HubError(HomeError(.notFound, "Not all of these devices wait to be confirmed."))
        }
        for device in suspended where session.user != owner.user {
            guard await invitations.ownsHomes(of: device.account, session.user) else {
                let reason = "Only who owns all of a user's homes can confirm the user's devices."
                throw HubError(HomeError(.insufficientPrivileges, reason))
            }
        }
        for (user, devices) in Dictionary(grouping: suspended, by: \.account) {
            let request = AccountRequest.confirmDevices(devices.map(\.device.id))
            try await database.submit(request, of: user, by: session.caller, cause: session.cause).committed()
        }
    }

    // MARK: Stolen devices

    /// The verbs of what a stolen device may have done to let others in.
    private static let telling: Set<Verb> = [.userAdded, .userRoleChanged, .userConfirmed, .deviceAdded]

    /// Returns what came from a device, as far as the logs still have it, the newest first.
    private func deeds(of device: UUID, since: Date?, for session: HubSession) async -> [RemovedDevice.Deed] {
        var deeds: [RemovedDevice.Deed] = []
        let state = await database.stored
        let homes = state.homes.values.filter { $0.activeRole(of: session.user) != nil }.map { LogID.home($0.id) }
        for log in homes + [.account(session.user)] {
            var cursor = state.cursor(log)
            cursor.revision = max(0, cursor.revision - HomeStore.keptEntries)
            let entries = (try? await store.entries(of: log, after: cursor)) ?? []
            for stored in entries {
                let entry = stored.entry
                guard entry.caller.device == device, since.map({ entry.time >= $0 }) ?? true,
                    let change = try? entry.change(), Self.telling.contains(change.verb), !change.adds(device)
                else { continue }
                deeds.append(deed(change, in: log, at: entry.time, for: session))
            }
        }
        return deeds.sorted { $0.time > $1.time }
    }

    private func deed(
        _ change: Change,
        in log: LogID,
        at time: Date,
        for session: HubSession
    ) -> RemovedDevice.Deed {
        var name = ""
        var id: UUID?
        var home: UUID?
        for effect in change.effects {
            switch (log, effect) {
            case (.home(let place), .put(.user(let user))):
                home = place
                name = user.name
                id = session.projection.alias(of: user.id, in: place)
            case (.account, .put(.accountDevice(let device))):
                name = device.name
                id = device.id
            default: break
            }
        }
        return RemovedDevice.Deed(verb: change.verb.rawValue, home: home, id: id, name: name, time: time)
    }
}

extension Change {
    /// Whether the change is that a device itself joined.
    fileprivate func adds(_ device: UUID) -> Bool {
        effects.contains { if case .put(.accountDevice(let added)) = $0 { added.id == device } else { false } }
    }
}
