public import HAP
public import HAPCatalog
public import HAPServer
internal import Synchronization

/// Edits of a running simulator. They run one at a time, and are stored in the data folder for the next start. If an
/// edit throws ``SimulatorError``, nothing is changed.
extension Simulator {
    /// Edits an accessory. Controllers stay paired and connected, and are notified by the configuration number.
    ///
    /// - Parameter accessory: The name or the serial number.
    /// - Throws: ``SimulatorError`` with the code `notAllowed`, `notFound`, `ambiguous`, `invalidValue`, `wrongState`
    ///   or `storageUnwritable`.
    public func edit(_ accessory: String, _ edit: AccessoryEdit) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, hosted) = try self.hosted(accessory)
            let changed = try description.edited(hosted.key, edit)
            var resets = description.resets(in: changed)
            if case .changeCharacteristic(let characteristic, let service) = edit {
                let type = characteristic.type
                resets.insert(CharacteristicAddress(accessory: hosted.key, service: service, type: type))
            }
            try await serve(changed, inPlaceOf: description, resetting: resets)
            broadcaster.send(.edited(serialNumber: hosted.key))
        }
    }

    /// Adds a standalone accessory or bridge.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidConfiguration` if a serial number or device ID is already in
    ///   use, or an error of ``start()``.
    public func add(_ description: AccessoryDescription) async throws(SimulatorError) -> RunningAccessory {
        var running: RunningAccessory?
        try await inTurn { () async throws(SimulatorError) in
            try Self.check(descriptions + [description])
            let key = description.serialNumber
            let hosted = servers.indices.filter { self.description(at: $0) != nil }.map { servers[$0] }
            if let id = description.deviceID, let other = hosted.first(where: { $0.deviceID == id }) {
                throw SimulatorError(
                    .invalidConfiguration,
                    reason:
                        "\(description.source) and \(await other.name) have the device ID \(id); give each a different ID"
                )
            }
            let stored = try folder?.storedAccessory(of: key)
            if case .removed? = stored { try folder?.purge(key) }
            let index = try await host(description, isFactoryReset: false)
            do throws(SimulatorError) {
                try folder?.store(description, in: storages[index])
                edited.insert(index)
                running = try await start(index)
            } catch {
                if case .removed? = stored {
                    try? folder?.markRemoved(in: storages[index])
                } else {
                    try? folder?.forget(key)
                }
                await removeServer(index)
                throw error
            }
            broadcaster.send(.added(serialNumber: key))
        }
        guard let running else { throw Self.notRunning }
        return running
    }

    /// Adds an accessory behind a bridge.
    ///
    /// - Parameters:
    ///   - accessory: The accessory. Its key is its serial number.
    ///   - bridge: The name or serial number of the bridge.
    ///   - delays: The times that its services take, by their keys (default: the default times of their types).
    ///   - habits: The habits of its services, by their keys.
    /// - Throws: ``SimulatorError`` with the code `notAllowed` if it isn't a bridge or is full, or
    ///   `invalidConfiguration` if another accessory has the serial number.
    public func add(
        _ accessory: HostedAccessory,
        behind bridge: String,
        delays: [String: Duration] = [:],
        habits: [String: [Habit]] = [:]
    ) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, hosted) = try self.hosted(bridge)
            guard hosted.key == description.serialNumber, description.category == .bridge else {
                throw SimulatorError(.notAllowed, reason: "'\(hosted.information.name)' is not a bridge")
            }
            guard description.accessories.count < HAPLimits.accessories else {
                throw SimulatorError(
                    .notAllowed,
                    reason:
                        "'\(hosted.information.name)' is full: a bridge can have up to \(HAPLimits.accessories - 1) "
                        + "bridged accessories"
                )
            }
            if let other = descriptions.lazy.flatMap(\.accessories).first(where: { $0.key == accessory.key }) {
                throw SimulatorError(
                    .invalidConfiguration,
                    reason:
                        "'\(other.information.name)' has the serial number '\(accessory.key)'; give each a different number"
                )
            }
            var changed = description
            changed.accessories.append(accessory)
            for (service, delay) in delays {
                let address = AccessoryDescription.ServiceAddress(accessory: accessory.key, service: service)
                changed.delays[address] = delay
            }
            for (service, habits) in habits {
                let address = AccessoryDescription.ServiceAddress(accessory: accessory.key, service: service)
                changed.habits[address] = habits
            }
            try await serve(changed, inPlaceOf: description, resetting: [])
            broadcaster.send(.added(serialNumber: accessory.key))
        }
    }

    /// Removes a standalone accessory, a bridge with its bridged accessories, or a bridged accessory. Its identity and
    /// pairings are deleted. The IDs of a bridged accessory stay reserved.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable`, also if the accessory is no longer hosted but
    ///   its identity couldn't be deleted.
    public func remove(_ accessory: String) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, hosted) = try self.hosted(accessory)
            guard let index = slot(of: hosted.key) else { throw Self.notRunning }
            if hosted.key == description.serialNumber {
                try folder?.markRemoved(in: storages[index])
                await removeServer(index)
                broadcaster.send(.removed(serialNumber: hosted.key))
                try folder?.purge(hosted.key)
            } else {
                var changed = description
                changed.accessories.removeAll { $0.key == hosted.key }
                changed.delays = changed.delays.filter { $0.key.accessory != hosted.key }
                changed.habits = changed.habits.filter { $0.key.accessory != hosted.key }
                try await serve(changed, inPlaceOf: description, resetting: [])
                for fault in faults where fault.accessory == hosted.key { await clearFault(fault.id) }
                broadcaster.send(.removed(serialNumber: hosted.key))
            }
        }
    }

    /// Changes the category, setup code or setup ID of an accessory or bridge. `nil` values aren't changed. The
    /// accessory restarts; controllers stay paired and reconnect.
    public func edit(
        _ accessory: String,
        category: AccessoryCategory? = nil,
        setupCode: SetupCode? = nil,
        setupID: SetupID? = nil
    ) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, index) = try own(accessory)
            var changed = description
            changed.category = category ?? description.category
            changed.setupCode = setupCode ?? description.setupCode
            changed.setupID = setupID ?? description.setupID
            guard (changed.category == .bridge) == (description.category == .bridge) else {
                throw SimulatorError(.notAllowed, reason: "The category bridge can't be added or removed")
            }
            try folder?.store(changed, in: storages[index])
            slots.withLock { $0[index] = changed }
            do throws(SimulatorError) {
                try await restart(index)
            } catch {
                slots.withLock { $0[index] = description }
                try? await restart(index)
                restoreStored(index)
                throw error
            }
            edited.insert(index)
            broadcaster.send(.edited(serialNumber: description.serialNumber))
        }
    }

    /// Resets an accessory or bridge to factory settings: it loses its pairings and gets new keys, IDs and, unless its
    /// description specifies one, a new device ID. The setup code and edits are kept.
    public func reset(_ accessory: String) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, index) = try own(accessory)
            let wasPaired = await servers[index].isPaired
            try await restart(index, isFactoryReset: true)
            if wasPaired { broadcaster.send(.pairingChanged(name: description.name, isPaired: false)) }
        }
    }

    /// Returns the current description of the accessory server that an accessory belongs to.
    ///
    /// - Parameters:
    ///   - presentValues: Whether to include current values instead of initial values.
    ///   - identity: Whether to include the setup code, setup ID, device ID and all IDs, so that another simulator can
    ///     host the same accessory. Keys and pairings are never included.
    /// - Throws: ``SimulatorError`` with the code `notFound`, `ambiguous`, or `wrongState`.
    public func description(
        of accessory: String,
        presentValues: Bool = false,
        identity: Bool = false
    ) async throws(SimulatorError) -> AccessoryDescription {
        var description = try hosted(accessory).description
        guard isRunning, let index = slot(of: description.serialNumber) else { throw Self.notRunning }
        let server = servers[index]
        if presentValues { description.setValues(await values(index)) }
        if identity {
            description.setupCode = server.setupCode
            description.setupID = server.setupPayload.setupID
            description.deviceID = server.deviceID
            for index in description.accessories.indices {
                let key = description.accessories[index].key
                description.accessories[index].identifiers = await server.identifiers(of: key)
            }
        }
        return description
    }

    /// Removes all pairings of an accessory or bridge. IDs, keys and the device ID are kept.
    public func unpair(_ accessory: String) async throws(SimulatorError) {
        let index = try own(accessory).index
        do {
            try await servers[index].unpair()
        } catch {
            throw SimulatorError(error)
        }
    }
}

extension Simulator {
    private static let notRunning = SimulatorError(.wrongState, reason: "The simulator isn't running")

    /// Performs an edit when no other one is in progress.
    private func inTurn(_ body: () async throws(SimulatorError) -> Void) async throws(SimulatorError) {
        await turns.lock()
        do throws(SimulatorError) {
            guard isRunning else { throw Self.notRunning }
            try await body()
        } catch {
            await turns.unlock()
            throw error
        }
        await turns.unlock()
    }

    /// Returns an accessory or bridge that has its own server, and its slot.
    private func own(_ accessory: String) throws(SimulatorError) -> (description: AccessoryDescription, index: Int) {
        let (description, hosted) = try hosted(accessory)
        guard hosted.key == description.serialNumber else {
            throw SimulatorError(
                .notAllowed,
                reason: "'\(hosted.information.name)' is behind the bridge '\(description.name)'; specify the bridge"
            )
        }
        guard isRunning, let index = slot(of: hosted.key) else { throw Self.notRunning }
        return (description, index)
    }

    private func serve(
        _ changed: AccessoryDescription,
        inPlaceOf previous: AccessoryDescription,
        resetting resets: Set<CharacteristicAddress>
    ) async throws(SimulatorError) {
        let key = previous.serialNumber
        guard let index = slot(of: key) else { throw Self.notRunning }
        try Self.check(descriptions.map { $0.serialNumber == key ? changed : $0 })
        // Store it first. If the process ends here, the next start finds the edit and notifies controllers.
        try folder?.store(changed, in: storages[index])
        do {
            try await servers[index].serve(changed.accessories, resetting: resets)
        } catch {
            restoreStored(index)
            throw SimulatorError(error)
        }
        edited.insert(index)
        for accessory in previous.accessories { serverOfAccessory[accessory.key] = nil }
        for accessory in changed.accessories { serverOfAccessory[accessory.key] = servers[index] }
        slots.withLock { $0[index] = changed }
        await behaviors.host(changed, replacing: previous, on: servers[index])
    }

    /// Restores the stored state from before a failed edit.
    private func restoreStored(_ index: Int) {
        guard let previous = description(at: index) else { return }
        if edited.contains(index) {
            try? folder?.store(previous, in: storages[index])
        } else {
            try? folder?.forget(previous.serialNumber)
        }
    }

    /// Restarts the server of a slot on the same port, with the values in its description.
    private func restart(_ index: Int, isFactoryReset: Bool = false) async throws(SimulatorError) {
        guard let description = description(at: index) else { throw Self.notRunning }
        var hosting = Hosting(description, index, configuration)
        hosting.port = await port(index) ?? hosting.port
        hosting.isFactoryReset = isFactoryReset
        await servers[index].stop()
        do {
            servers[index] = try makeServer(index, hosting)
        } catch {
            throw SimulatorError(error)
        }
        for accessory in description.accessories { serverOfAccessory[accessory.key] = servers[index] }
        await behaviors.restarted(servers[index], description.accessories.map(\.key))
        _ = try await start(index)
        await resumeFaults(index)
    }

    /// Stops the server of a slot permanently.
    private func removeServer(_ index: Int) async {
        guard let description = description(at: index) else { return }
        slots.withLock { $0[index] = nil }
        for fault in faults where fault.server == index { await clearFault(fault.id) }
        await behaviors.forget(description)
        for accessory in description.accessories { serverOfAccessory[accessory.key] = nil }
        await stopSetup(index)
        await servers[index].stop()
    }
}
