internal import HAP
internal import HAPCatalog
internal import HAPServer

extension Simulator {
    /// Injects a fault into an accessory now. Returns once it is in effect.
    ///
    /// - Parameters:
    ///   - accessory: The name or the serial number of the accessory. A fault of a bridge applies to all of its bridged
    ///     accessories. Faults of the port, network, pairings or IDs always apply to the bridge.
    ///   - characteristic: The characteristic that the fault is limited to (default: the whole accessory).
    ///   - service: The key of the characteristic's service. Required if several services have the characteristic.
    /// - Returns: The fault's number, for ``clearFault(_:)``, or `nil` if the fault is momentary.
    /// - Throws: ``SimulatorError`` with the code `notFound`, `ambiguous`, or `invalidFault` if the accessory doesn't
    ///   support the fault, or already has a fault that would hide it. Nothing is changed then.
    @discardableResult
    public func inject(
        _ fault: Fault,
        into accessory: String,
        characteristic: String? = nil,
        service: String? = nil
    ) async throws(SimulatorError) -> UInt64? {
        let location = try location(of: fault, accessory, characteristic, service)
        guard !fault.kind.isMomentary else {
            try await applyMomentary(fault.kind, at: location)
            return nil
        }
        if let other = activeFaults().first(where: { location.hides($0, fault) }) {
            throw SimulatorError(
                .invalidFault,
                reason: "\(accessory) already has the fault '\(other.fault)', which excludes '\(fault)'; clear it first"
            )
        }
        lastFault += 1
        let id = lastFault
        var injected = InjectedFault(
            id: id,
            fault: fault,
            accessory: location.serialNumber,
            characteristic: location.address,
            server: location.index
        )
        plans[location.index].add(fault, location.scope, id: id)
        faults.append(injected)
        do {
            injected.cleanup.undo = try await begin(fault.kind, location, id)
        } catch {
            plans[location.index].remove(id)
            faults.removeAll { $0.id == id }
            throw error
        }
        if case .time(let time) = fault.span {
            injected.cleanup.scheduledActions.append(
                scheduler.after(time) { [weak self] in await self?.clearFault(id) }
            )
        }
        if let index = faults.firstIndex(where: { $0.id == id }) { faults[index] = injected }
        return id
    }

    /// The lasting faults, oldest first.
    public var injectedFaults: [InjectedFault] { activeFaults() }

    /// Clears a fault. Has no effect if it doesn't exist.
    public func clearFault(_ id: UInt64) async {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return }
        let fault = faults.remove(at: index)
        plans[fault.server].remove(id)
        fault.cleanup.cancel()
        if let undo = fault.cleanup.undo { await apply(undo, to: fault.server) }
    }

    /// Clears all faults, or those of one accessory.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound` or `ambiguous`.
    public func clearFaults(of accessory: String? = nil) async throws(SimulatorError) {
        let serialNumber: String? = if let accessory { try hosted(accessory).accessory.key } else { nil }
        for fault in faults where serialNumber == nil || fault.accessory == serialNumber { await clearFault(fault.id) }
    }

    /// Returns the lasting faults, and removes those that are used up.
    private func activeFaults() -> [InjectedFault] {
        let ids = plans.reduce(into: Set()) { $0.formUnion($1.ids) }
        faults.removeAll { !ids.contains($0.id) }
        return faults
    }
}

// MARK: Locations

extension Simulator {
    /// The location of a fault.
    private struct FaultLocation {
        let index: Int
        let serialNumber: String
        let address: CharacteristicAddress?
        let scope: FaultPlan.Scope

        /// Whether one of two faults would hide the other.
        func hides(_ other: InjectedFault, _ fault: Fault) -> Bool {
            other.server == index && other.accessory == serialNumber && other.characteristic == address
                && other.fault.kind.subject == fault.kind.subject
        }
    }

    private func location(
        of fault: Fault,
        _ accessory: String,
        _ characteristic: String?,
        _ service: String?
    ) throws(SimulatorError) -> FaultLocation {
        let serialNumber = try hosted(accessory).accessory.key
        guard let index = slot(of: serialNumber) else {
            throw SimulatorError(.notFound, reason: "No accessory has the name or serial number '\(accessory)'")
        }
        if let characteristic {
            guard fault.kind.canTargetCharacteristic else {
                throw SimulatorError(
                    .invalidFault,
                    reason: "'\(fault)' applies to a whole accessory, not to \(characteristic)"
                )
            }
            let address = try find(accessory, characteristic, service: service)
            return FaultLocation(
                index: index,
                serialNumber: serialNumber,
                address: address,
                scope: .characteristic(address)
            )
        }
        guard !fault.kind.needsCharacteristic else {
            throw SimulatorError(.invalidFault, reason: "'\(fault)' requires a characteristic")
        }
        let isPrimary = description(at: index)?.serialNumber == serialNumber
        let affectsServer = isPrimary || !fault.kind.canTargetCharacteristic
        return FaultLocation(
            index: index,
            serialNumber: serialNumber,
            address: nil,
            scope: affectsServer ? .server : .accessory(serialNumber)
        )
    }
}

// MARK: Lasting faults

extension Simulator {
    /// Starts a lasting fault, beyond what the server queries in its plan.
    ///
    /// - Returns: The action that undoes it.
    private func begin(
        _ kind: Fault.Kind,
        _ location: FaultLocation,
        _ id: UInt64
    ) async throws(SimulatorError) -> FaultCleanup.Undo? {
        let server = try server(location.index)
        switch kind {
        case .refuse:
            guard let port = await server.port else {
                throw SimulatorError(.invalidFault, reason: "\(await server.name) isn't listening on a port")
            }
            await server.closePort()
            return .port(port)
        case .value(let value):
            guard let address = location.address else { return nil }
            let previous = try? await server.value(of: address)
            do {
                try await server.force(value, of: address)
            } catch {
                throw SimulatorError(.invalidFault, reason: error.reason)
            }
            return .value(previous, address)
        case .mdnsSilent:
            try await setAdvertised(false, server)
            return .advertisement
        case .mdnsFlapping(let time):
            try await setAdvertised(false, server)
            flap(id, isAdvertised: true, time)
            return .advertisement
        default:
            return nil
        }
    }

    /// Applies an undo action to a server.
    private func apply(_ undo: FaultCleanup.Undo, to index: Int) async {
        guard let server = try? server(index) else { return }
        switch undo {
        case .port(let port):
            // Without its port, which another program may have taken meanwhile, it takes a free one.
            if (try? await server.reopenPort(port)) == nil { _ = try? await server.reopenPort(0) }
        case .value(let previous?, let address): try? await server.force(previous, of: address)
        case .value(nil, _): break
        case .advertisement: try? await server.setAdvertised(true)
        }
    }

    /// Applies lasting faults to a server that replaced another one.
    func resumeFaults(_ index: Int) async {
        for fault in activeFaults() where fault.server == index {
            guard let server = try? server(index) else { return }
            switch (fault.fault.kind, fault.cleanup.undo) {
            case (.refuse, _): await server.closePort()
            case (.mdnsSilent, _): try? await server.setAdvertised(false)
            case (.value(let value), .value(_, let address)?):
                let previous = try? await server.value(of: address)
                guard let found = faults.firstIndex(where: { $0.id == fault.id }) else { continue }
                faults[found].cleanup.undo = .value(previous, address)
                try? await server.force(value, of: address)
            default: continue
            }
        }
    }

    /// Returns the port of a server, or the port to which it returns when a fault is cleared, or `nil` if it has none.
    func port(_ index: Int) async -> Int? {
        if let port = await servers[index].port { return port }
        for fault in faults where fault.server == index {
            if case .port(let port)? = fault.cleanup.undo { return port }
        }
        return nil
    }

    /// Returns the current values of a server, without values that a fault forces on it.
    func values(_ index: Int) async -> [CharacteristicAddress: CharacteristicValue] {
        var values = await servers[index].values
        for fault in faults where fault.server == index {
            if case .value(let previous?, let address)? = fault.cleanup.undo { values[address] = previous }
        }
        return values
    }

    /// Advertises or withdraws the accessory after a time, and repeats that while the fault lasts.
    private func flap(_ id: UInt64, isAdvertised: Bool, _ time: Duration) {
        scheduler.after(time) { [weak self] in
            guard let self, let fault = await faults.first(where: { $0.id == id }),
                let server = try? await server(fault.server)
            else { return }
            try? await server.setAdvertised(isAdvertised)
            await flap(id, isAdvertised: !isAdvertised, time)
        }
    }

    private func setAdvertised(_ isAdvertised: Bool, _ server: AccessoryServer) async throws(SimulatorError) {
        do {
            try await server.setAdvertised(isAdvertised)
        } catch {
            throw SimulatorError(error)
        }
    }
}

// MARK: Momentary faults

extension Simulator {
    private func applyMomentary(_ kind: Fault.Kind, at location: FaultLocation) async throws(SimulatorError) {
        let server = try server(location.index)
        do throws(AccessoryServerError) {
            switch kind {
            case .portChanged: try await server.reopenPort(0)
            case .configurationChanged: try await restart(location.index, after: .zero, .configurationNumber)
            case .idsChanged: try await restart(location.index, after: .zero, .identifiers)
            case .restart(let time): try await restart(location.index, after: time, nil)
            case .pairingForgotten: try await server.unpair()
            case .batteryLow(let level): try await lowerBatteries(of: location.serialNumber, to: level, server)
            default: break
            }
        } catch {
            throw SimulatorError(error)
        }
    }

    private func lowerBatteries(
        of serialNumber: String,
        to level: Int,
        _ server: AccessoryServer
    ) async throws(AccessoryServerError) {
        let types = HAPType.Characteristic.self
        var hasBattery = false
        for accessory in descriptions.flatMap(\.accessories) where accessory.key == serialNumber {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let address = CharacteristicAddress(
                        accessory: serialNumber,
                        service: service.key,
                        type: characteristic.type
                    )
                    switch characteristic.type {
                    case types.batteryLevel: try await server.update(.integer(Int64(level)), of: address)
                    case types.statusLowBattery: try await server.update(.integer(1), of: address)
                    default: continue
                    }
                    hasBattery = true
                }
            }
        }
        guard hasBattery else {
            throw AccessoryServerError(.noSuchCharacteristic, reason: "\(serialNumber) has no battery")
        }
    }

    /// Stops a server, and starts it again after a time with its values and its port.
    private func restart(
        _ index: Int,
        after time: Duration,
        _ fault: StructureFault?
    ) async throws(AccessoryServerError) {
        guard servers.indices.contains(index), let description = description(at: index) else { return }
        let old = servers[index]
        var hosting = Hosting(description, index, configuration)
        hosting.isFactoryReset = false
        hosting.structureFault = fault
        hosting.port = await port(index) ?? hosting.port
        hosting.setValues(await values(index))
        if fault == .identifiers {
            for index in hosting.accessories.indices { hosting.accessories[index].identifiers = nil }
        }
        await old.stop()
        guard time > .zero else {
            do {
                return try await resume(index, hosting)
            } catch {
                // For example, no IDs may be left to assign. Continue without the fault.
                hosting.structureFault = nil
                try? await resume(index, hosting)
                throw error
            }
        }
        let delayed = hosting
        scheduler.after(time) { [weak self] in try? await self?.resume(index, delayed) }
    }

    private func resume(_ index: Int, _ hosting: Hosting) async throws(AccessoryServerError) {
        guard servers.indices.contains(index), description(at: index) != nil else { return }
        let server = try makeServer(index, hosting)
        servers[index] = server
        for accessory in hosting.accessories { serverOfAccessory[accessory.key] = server }
        await behaviors.restarted(server, hosting.accessories.map(\.key))
        guard !isOffNetwork(index) else { return }
        do {
            _ = try await server.start()
        } catch {
            guard error.code == .portRefused, hosting.port != 0 else { throw error }
            // Another program has taken the port meanwhile.
            var elsewhere = hosting
            elsewhere.port = 0
            return try await resume(index, elsewhere)
        }
        await resumeFaults(index)
    }

    /// Restarts a server after a power cut.
    nonisolated func restartAfterPowerCut(_ index: Int) {
        scheduler.after(.zero) { [weak self] in
            try? await self?.restart(index, after: Fault.powerCutTime, nil)
        }
    }

    /// The server of a standalone accessory or bridge, by serial number.
    func server(named serialNumber: String) throws(SimulatorError) -> AccessoryServer {
        guard let server = serverOfAccessory[serialNumber] else {
            throw SimulatorError(.wrongState, reason: "\(serialNumber) isn't running")
        }
        return server
    }

    /// The server with an index.
    private func server(_ index: Int) throws(SimulatorError) -> AccessoryServer {
        guard servers.indices.contains(index) else {
            throw SimulatorError(.wrongState, reason: "The simulator isn't running")
        }
        return servers[index]
    }
}

extension Simulator.Hosting {
    /// Sets the initial values of characteristics.
    fileprivate mutating func setValues(_ values: [CharacteristicAddress: CharacteristicValue]) {
        for (a, accessory) in accessories.enumerated() {
            for (s, service) in accessory.services.enumerated() {
                for (c, characteristic) in service.characteristics.enumerated() {
                    let address = CharacteristicAddress(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    guard let value = values[address],
                        (try? characteristic.metadata.validate(value, checkingStep: false)) != nil
                    else { continue }
                    accessories[a].services[s].characteristics[c].value = value
                }
            }
        }
    }
}
