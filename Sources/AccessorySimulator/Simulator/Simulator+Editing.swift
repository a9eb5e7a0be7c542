public import HAP
public import HAPCatalog
public import HAPServer
internal import Synchronization

/// Changes while the simulator runs. One at a time; what is changed is kept in the data folder and is there again after a
/// restart. Every one throws ``SimulatorError`` and changes nothing then.
extension Simulator {
    /// Changes an accessory. Controllers stay paired and connected, and are told by the configuration number.
    ///
    /// - Parameter accessory: The name or the serial number.
    /// - Throws: ``SimulatorError`` with the code `notAllowed`, `notFound`, `ambiguous`, `invalidValue`, `wrongState` or
    ///   `storageUnwritable`.
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
            hub.send(.edited(serialNumber: hosted.key))
        }
    }

    /// Hosts a standalone accessory or bridge more.
    ///
    /// - Throws: ``SimulatorError`` with the code `invalidConfiguration` if a serial number or device ID is taken, or what
    ///   ``start()`` throws.
    public func add(_ description: AccessoryDescription) async throws(SimulatorError) -> RunningAccessory {
        var ready: RunningAccessory?
        try await inTurn { () async throws(SimulatorError) in
            try Self.check(descriptions + [description])
            let key = description.serialNumber
            let hosted = servers.indices.filter { self.description(at: $0) != nil }.map { servers[$0] }
            if let id = description.deviceID, let other = hosted.first(where: { $0.deviceID == id }) {
                throw SimulatorError(
                    .invalidConfiguration,
                    reason: "\(description.source) and \(await other.name) have the device id \(id); give each its own"
                )
            }
            let kept = try folder?.kept(of: key)
            if case .removed? = kept { try folder?.purge(key) }
            let index = try await host(description, isFactoryReset: false)
            do throws(SimulatorError) {
                try folder?.keep(description, in: storages[index])
                edited.insert(index)
                ready = try await start(index)
            } catch {
                if case .removed? = kept {
                    try? folder?.keepRemoved(in: storages[index])
                } else {
                    try? folder?.forget(key)
                }
                await dismiss(index)
                throw error
            }
            hub.send(.added(serialNumber: key))
        }
        guard let ready else { throw Self.notRunning }
        return ready
    }

    /// Hosts an accessory more behind a bridge.
    ///
    /// - Parameters:
    ///   - accessory: The accessory; its key is its serial number.
    ///   - bridge: The name or serial number of the bridge.
    ///   - delays: How long its services take, by their keys, where that is not their type's usual time.
    ///   - habits: What its services do by themselves, by their keys.
    /// - Throws: ``SimulatorError`` with the code `notAllowed` if that is no bridge or is full, or `invalidConfiguration`
    ///   if another accessory has the serial number.
    public func add(
        _ accessory: HostedAccessory,
        behind bridge: String,
        delays: [String: Duration] = [:],
        habits: [String: [Habit]] = [:]
    ) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, hosted) = try self.hosted(bridge)
            guard hosted.key == description.serialNumber, description.category == .bridge else {
                throw SimulatorError(.notAllowed, reason: "'\(hosted.information.name)' is no bridge")
            }
            guard description.accessories.count < HAPLimits.accessories else {
                throw SimulatorError(
                    .notAllowed,
                    reason: "'\(hosted.information.name)' is full: a bridge has up to \(HAPLimits.accessories - 1) "
                        + "accessories behind it"
                )
            }
            if let other = descriptions.lazy.flatMap(\.accessories).first(where: { $0.key == accessory.key }) {
                throw SimulatorError(
                    .invalidConfiguration,
                    reason: "'\(other.information.name)' has the serial number '\(accessory.key)'; give each its own"
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
            hub.send(.added(serialNumber: accessory.key))
        }
    }

    /// Removes an accessory: a standalone one, a bridge with all behind it, or one behind a bridge. Its identity and
    /// pairings are gone; the ids of what was behind a bridge stay reserved.
    ///
    /// - Throws: ``SimulatorError`` with the code `storageUnwritable` also if it is no longer hosted, but its identity could
    ///   not be deleted.
    public func remove(_ accessory: String) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, hosted) = try self.hosted(accessory)
            guard let index = slot(of: hosted.key) else { throw Self.notRunning }
            if hosted.key == description.serialNumber {
                try folder?.keepRemoved(in: storages[index])
                await dismiss(index)
                hub.send(.removed(serialNumber: hosted.key))
                try folder?.purge(hosted.key)
            } else {
                var changed = description
                changed.accessories.removeAll { $0.key == hosted.key }
                changed.delays = changed.delays.filter { $0.key.accessory != hosted.key }
                changed.habits = changed.habits.filter { $0.key.accessory != hosted.key }
                try await serve(changed, inPlaceOf: description, resetting: [])
                for fault in faults where fault.accessory == hosted.key { await clearFault(fault.id) }
                hub.send(.removed(serialNumber: hosted.key))
            }
        }
    }

    /// Changes what stands on the outside of an accessory or bridge; `nil` stays. It is restarted: controllers stay paired
    /// and connect again.
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
                throw SimulatorError(.notAllowed, reason: "A bridge stays a bridge, and nothing becomes one")
            }
            try folder?.keep(changed, in: storages[index])
            slots.withLock { $0[index] = changed }
            do throws(SimulatorError) {
                try await restart(index)
            } catch {
                slots.withLock { $0[index] = description }
                try? await restart(index)
                restoreKept(index)
                throw error
            }
            edited.insert(index)
            hub.send(.edited(serialNumber: description.serialNumber))
        }
    }

    /// Creates an accessory or bridge as it came from the factory: no pairings, new keys, ids given anew, and a new device
    /// id unless its description states one. Set-up code and what was edited stay.
    public func reset(_ accessory: String) async throws(SimulatorError) {
        try await inTurn { () async throws(SimulatorError) in
            let (description, index) = try own(accessory)
            let wasPaired = await servers[index].isPaired
            try await restart(index, isFactoryReset: true)
            if wasPaired { hub.send(.pairingChanged(name: description.name, isPaired: false)) }
        }
    }

    /// The description of the accessory server that an accessory is part of, as it is now.
    ///
    /// - Parameters:
    ///   - presentValues: Whether the values are the present ones, and not those that the accessory starts with.
    ///   - identity: Whether it states set-up code, set-up id, device ID and all ids that were given, so that another
    ///     simulator hosts the same accessory. Its keys and pairings it does not state.
    /// - Throws: ``SimulatorError`` with the code `notFound`, `ambiguous`, or `wrongState`.
    public func description(
        of accessory: String,
        presentValues: Bool = false,
        identity: Bool = false
    ) async throws(SimulatorError) -> AccessoryDescription {
        var description = try hosted(accessory).description
        guard isRunning, let index = slot(of: description.serialNumber) else { throw Self.notRunning }
        let server = servers[index]
        if presentValues { description.take(await values(index)) }
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

    /// Forgets the controllers of an accessory or bridge; ids, keys and device ID stay.
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
    private static let notRunning = SimulatorError(.wrongState, reason: "The simulator does not run")

    /// Does an edit when no other is under way.
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

    /// The accessory or bridge that has a server of its own, and its slot.
    private func own(_ accessory: String) throws(SimulatorError) -> (description: AccessoryDescription, index: Int) {
        let (description, hosted) = try hosted(accessory)
        guard hosted.key == description.serialNumber else {
            throw SimulatorError(
                .notAllowed,
                reason: "'\(hosted.information.name)' is behind the bridge '\(description.name)'; name the bridge"
            )
        }
        guard isRunning, let index = slot(of: hosted.key) else { throw Self.notRunning }
        return (description, index)
    }

    private func serve(
        _ changed: AccessoryDescription,
        inPlaceOf former: AccessoryDescription,
        resetting resets: Set<CharacteristicAddress>
    ) async throws(SimulatorError) {
        let key = former.serialNumber
        guard let index = slot(of: key) else { throw Self.notRunning }
        try Self.check(descriptions.map { $0.serialNumber == key ? changed : $0 })
        // First: should this be the last that is done, the start finds it and tells controllers.
        try folder?.keep(changed, in: storages[index])
        do {
            try await servers[index].serve(changed.accessories, resetting: resets)
        } catch {
            restoreKept(index)
            throw SimulatorError(error)
        }
        edited.insert(index)
        for accessory in former.accessories { serverOfAccessory[accessory.key] = nil }
        for accessory in changed.accessories { serverOfAccessory[accessory.key] = servers[index] }
        slots.withLock { $0[index] = changed }
        await behaviours.host(changed, in: former, on: servers[index])
    }

    /// Keeps again what was kept before an edit that failed.
    private func restoreKept(_ index: Int) {
        guard let former = description(at: index) else { return }
        if edited.contains(index) {
            try? folder?.keep(former, in: storages[index])
        } else {
            try? folder?.forget(former.serialNumber)
        }
    }

    /// Ends the server of a slot and starts it anew on the same port, with the values that its description states.
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
        await behaviours.restarted(servers[index], description.accessories.map(\.key))
        _ = try await start(index)
        await resumeFaults(index)
    }

    /// Ends the server of a slot for good.
    private func dismiss(_ index: Int) async {
        guard let description = description(at: index) else { return }
        slots.withLock { $0[index] = nil }
        for fault in faults where fault.server == index { await clearFault(fault.id) }
        await behaviours.forget(description)
        for accessory in description.accessories { serverOfAccessory[accessory.key] = nil }
        await servers[index].stop()
    }
}
