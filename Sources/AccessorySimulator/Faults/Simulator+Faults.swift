internal import HAP
internal import HAPCatalog
internal import HAPServer

extension Simulator {
    /// Lets something go wrong with an accessory, now. Returns once it does.
    ///
    /// - Parameters:
    ///   - accessory: The name or the serial number of the accessory. A fault of a bridge is one of all behind it, and what
    ///     concerns port, network, pairings or ids is always the bridge's.
    ///   - characteristic: The characteristic to which the fault is limited; `nil` if it is the whole accessory's.
    ///   - service: The key of the characteristic's service; needed if several services have the characteristic.
    /// - Returns: The fault's number, for ``clearFault(_:)``; `nil` if it has happened and is over.
    /// - Throws: ``SimulatorError`` with the code `notFound`, `ambiguous`, or `invalidFault` if the accessory cannot have
    ///   it or has a fault already that would hide it. Nothing is changed then.
    @discardableResult
    public func inject(
        _ fault: Fault,
        into accessory: String,
        characteristic: String? = nil,
        service: String? = nil
    ) async throws(SimulatorError) -> UInt64? {
        let place = try place(of: fault, accessory, characteristic, service)
        guard !fault.kind.isMomentary else {
            try await happen(fault.kind, place)
            return nil
        }
        if let other = present().first(where: { place.hides($0, fault) }) {
            throw SimulatorError(
                .invalidFault,
                reason: "\(accessory) has the fault '\(other.fault)' already, which excludes '\(fault)'; clear it first"
            )
        }
        lastFault += 1
        let id = lastFault
        var injected = InjectedFault(
            id: id,
            fault: fault,
            accessory: place.serialNumber,
            characteristic: place.address,
            server: place.index
        )
        plans[place.index].add(fault, place.scope, id: id)
        faults.append(injected)
        do {
            injected.end.remedy = try await begin(fault.kind, place, id)
        } catch {
            plans[place.index].remove(id)
            faults.removeAll { $0.id == id }
            throw error
        }
        if case .time(let time) = fault.span {
            injected.end.entries.append(timeline.after(time) { [weak self] in await self?.clearFault(id) })
        }
        if let index = faults.firstIndex(where: { $0.id == id }) { faults[index] = injected }
        return id
    }

    /// The faults that last, the oldest first.
    public var injectedFaults: [InjectedFault] { present() }

    /// Puts right what a fault does. Does nothing if there is no such fault.
    public func clearFault(_ id: UInt64) async {
        guard let index = faults.firstIndex(where: { $0.id == id }) else { return }
        let fault = faults.remove(at: index)
        plans[fault.server].remove(id)
        fault.end.cancel()
        if let remedy = fault.end.remedy { await apply(remedy, to: fault.server) }
    }

    /// Puts right what all faults do, or those of one accessory.
    ///
    /// - Throws: ``SimulatorError`` with the code `notFound` or `ambiguous`.
    public func clearFaults(of accessory: String? = nil) async throws(SimulatorError) {
        let serialNumber: String? = if let accessory { try hosted(accessory).accessory.key } else { nil }
        for fault in faults where serialNumber == nil || fault.accessory == serialNumber { await clearFault(fault.id) }
    }

    /// The faults that last; those that have run out are dropped.
    private func present() -> [InjectedFault] {
        let ids = plans.reduce(into: Set()) { $0.formUnion($1.ids) }
        faults.removeAll { !ids.contains($0.id) }
        return faults
    }
}

// MARK: Where

extension Simulator {
    /// Where a fault happens.
    private struct FaultLocation {
        let index: Int
        let serialNumber: String
        let address: CharacteristicAddress?
        let scope: FaultPlan.Scope

        /// Whether of two faults one would hide the other.
        func hides(_ other: InjectedFault, _ fault: Fault) -> Bool {
            other.server == index && other.accessory == serialNumber && other.characteristic == address
                && other.fault.kind.subject == fault.kind.subject
        }
    }

    private func place(
        of fault: Fault,
        _ accessory: String,
        _ characteristic: String?,
        _ service: String?
    ) throws(SimulatorError) -> FaultLocation {
        let serialNumber = try hosted(accessory).accessory.key
        guard let index = slot(of: serialNumber) else {
            throw SimulatorError(.notFound, reason: "There is no accessory '\(accessory)'")
        }
        if let characteristic {
            guard fault.kind.fitsCharacteristic else {
                throw SimulatorError(
                    .invalidFault,
                    reason: "'\(fault)' is a fault of a whole accessory, not of \(characteristic)"
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
            throw SimulatorError(.invalidFault, reason: "'\(fault)' needs a characteristic")
        }
        let isPrimary = description(at: index)?.serialNumber == serialNumber
        let isServers = isPrimary || !fault.kind.fitsCharacteristic
        return FaultLocation(
            index: index,
            serialNumber: serialNumber,
            address: nil,
            scope: isServers ? .server : .accessory(serialNumber)
        )
    }
}

// MARK: What lasts

extension Simulator {
    /// Does what a lasting fault does beside what the server asks its plan.
    ///
    /// - Returns: What puts it right.
    private func begin(
        _ kind: Fault.Kind,
        _ place: FaultLocation,
        _ id: UInt64
    ) async throws(SimulatorError) -> FaultCleanup.Remedy? {
        let server = try server(place.index)
        switch kind {
        case .refuse:
            guard let port = await server.port else {
                throw SimulatorError(.invalidFault, reason: "\(await server.name) listens on no port")
            }
            await server.closePort()
            return .port(port)
        case .value(let value):
            guard let address = place.address else { return nil }
            let former = try? await server.value(of: address)
            do {
                try await server.force(value, of: address)
            } catch {
                throw SimulatorError(.invalidFault, reason: error.reason)
            }
            return .value(former, address)
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

    /// Puts a server right.
    private func apply(_ remedy: FaultCleanup.Remedy, to index: Int) async {
        guard let server = try? server(index) else { return }
        switch remedy {
        case .port(let port): _ = try? await server.reopenPort(port)
        case .value(let former?, let address): try? await server.force(former, of: address)
        case .value(nil, _): break
        case .advertisement: try? await server.setAdvertised(true)
        }
    }

    /// Lets what lasts go on at a server that has been replaced.
    func resumeFaults(_ index: Int) async {
        for fault in present() where fault.server == index {
            guard let server = try? server(index) else { return }
            switch (fault.fault.kind, fault.end.remedy) {
            case (.refuse, _): await server.closePort()
            case (.mdnsSilent, _): try? await server.setAdvertised(false)
            case (.value(let value), .value(_, let address)?):
                let former = try? await server.value(of: address)
                guard let found = faults.firstIndex(where: { $0.id == fault.id }) else { continue }
                faults[found].end.remedy = .value(former, address)
                try? await server.force(value, of: address)
            default: continue
            }
        }
    }

    /// The port of a server, or the one that it has again when a fault is over; `nil` if it has none.
    func port(_ index: Int) async -> Int? {
        if let port = await servers[index].port { return port }
        for fault in faults where fault.server == index {
            if case .port(let port)? = fault.end.remedy { return port }
        }
        return nil
    }

    /// The present values of a server, without those that a fault forces on it.
    func values(_ index: Int) async -> [CharacteristicAddress: CharacteristicValue] {
        var values = await servers[index].values
        for fault in faults where fault.server == index {
            if case .value(let former?, let address)? = fault.end.remedy { values[address] = former }
        }
        return values
    }

    /// Comes back to multicast DNS or leaves it after a while, and again, as long as the fault lasts.
    private func flap(_ id: UInt64, isAdvertised: Bool, _ time: Duration) {
        timeline.after(time) { [weak self] in
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

// MARK: What happens and is over

extension Simulator {
    private func happen(_ kind: Fault.Kind, _ place: FaultLocation) async throws(SimulatorError) {
        let server = try server(place.index)
        do throws(AccessoryServerError) {
            switch kind {
            case .portChanged: try await server.reopenPort(0)
            case .configurationChanged: try await restart(place.index, after: .zero, .configurationNumber)
            case .idsChanged: try await restart(place.index, after: .zero, .identifiers)
            case .restart(let time): try await restart(place.index, after: time, nil)
            case .pairingForgotten: try await server.unpair()
            case .batteryLow(let level): try await lowerBatteries(of: place.serialNumber, to: level, server)
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

    /// Ends a server, and starts it again after a time with the values and the port that it had.
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
        hosting.take(await values(index))
        if fault == .identifiers {
            for index in hosting.accessories.indices { hosting.accessories[index].identifiers = nil }
        }
        await old.stop()
        guard time > .zero else {
            do {
                return try await resume(index, hosting)
            } catch {
                // Without ids to give, for one, it goes on as it was.
                hosting.structureFault = nil
                try? await resume(index, hosting)
                throw error
            }
        }
        let ready = hosting
        timeline.after(time) { [weak self] in try? await self?.resume(index, ready) }
    }

    private func resume(_ index: Int, _ hosting: Hosting) async throws(AccessoryServerError) {
        guard servers.indices.contains(index), description(at: index) != nil else { return }
        let server = try makeServer(index, hosting)
        servers[index] = server
        for accessory in hosting.accessories { serverOfAccessory[accessory.key] = server }
        await behaviours.restarted(server, hosting.accessories.map(\.key))
        _ = try await server.start()
        await resumeFaults(index)
    }

    /// Lets a server fail whose power was cut.
    nonisolated func losePower(_ index: Int) {
        timeline.after(.zero) { [weak self] in
            try? await self?.restart(index, after: Fault.powerCutTime, nil)
        }
    }

    /// The server of a standalone accessory or bridge, by serial number.
    func server(named serialNumber: String) throws(SimulatorError) -> AccessoryServer {
        guard let server = serverOfAccessory[serialNumber] else {
            throw SimulatorError(.wrongState, reason: "\(serialNumber) does not run")
        }
        return server
    }

    /// The server with an index.
    private func server(_ index: Int) throws(SimulatorError) -> AccessoryServer {
        guard servers.indices.contains(index) else {
            throw SimulatorError(.wrongState, reason: "The simulator does not run")
        }
        return servers[index]
    }
}

extension Simulator.Hosting {
    /// Lets every characteristic begin with a value that it had.
    fileprivate mutating func take(_ values: [CharacteristicAddress: CharacteristicValue]) {
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
