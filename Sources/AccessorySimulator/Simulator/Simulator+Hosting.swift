internal import HAPServer
internal import Synchronization

extension Simulator {
    /// Creates and starts all servers.
    func host() async throws(SimulatorError) -> [RunningAccessory] {
        if configuration.storage == nil { folder = try SimulatorFolder(configuration.dataFolder) }
        let descriptions = try descriptionsToHost()
        slots.withLock { $0 = [] }
        if let interfaces = configuration.interfaces {
            do {
                advertiser = try await Advertiser(interfaces: interfaces)
            } catch {
                throw SimulatorError(error)
            }
        }
        for (description, isEdited) in descriptions {
            let index = try await host(description, isFactoryReset: configuration.isFactoryReset)
            if isEdited { edited.insert(index) }
        }
        try await openSetupNetwork()
        await behaviors.start()
        // Start them concurrently, because announcing a name takes a second.
        let results = await withTaskGroup { group in
            for (index, server) in servers.enumerated() where !isOffNetwork(index) {
                group.addTask { (index, await Self.start(server)) }
            }
            var results: [Int: Result<Int, AccessoryServerError>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        var running: [RunningAccessory] = []
        for index in servers.indices {
            guard let result = results[index] else {
                try await serveSetup(index)
                running.append(await self.runningAccessory(index, port: 0))
                continue
            }
            running.append(await self.runningAccessory(index, port: try Self.port(result)))
        }
        return running
    }

    /// Returns the descriptions to host: those of the configuration, with their edits, and those that were added.
    private func descriptionsToHost() throws(SimulatorError) -> [(description: AccessoryDescription, isEdited: Bool)] {
        var stored = try folder?.storedAccessories() ?? []
        var hosted: [(AccessoryDescription, Bool)] = []
        for description in descriptions {
            let accessoryFolder = folder?.folder(of: description.serialNumber)
            guard let index = stored.firstIndex(where: { $0.folder == accessoryFolder }) else {
                hosted.append((description, false))
                continue
            }
            if case .edited(let description) = stored.remove(at: index).stored { hosted.append((description, true)) }
        }
        for case (let accessoryFolder, .edited(let description)) in stored {
            guard folder?.folder(of: description.serialNumber) == accessoryFolder else {
                throw SimulatorError(
                    .invalidFile,
                    reason: "\(description.source) describes an accessory whose serial number differs from its folder's"
                )
            }
            hosted.append((description, true))
        }
        // Those of the configuration have been checked together already.
        if hosted.contains(where: \.1) { try Self.check(hosted.map(\.0)) }
        guard !hosted.isEmpty || configuration.canBeEmpty else {
            throw SimulatorError(
                .invalidConfiguration,
                reason: "There is nothing to simulate; specify an accessory file"
            )
        }
        return hosted
    }

    /// The parameters of a server: those of the description, or those before a restart.
    struct Hosting {
        var accessories: [HostedAccessory]
        var port: Int
        var isFactoryReset: Bool
        var structureFault: StructureFault?

        init(_ description: AccessoryDescription, _ index: Int, _ configuration: SimulatorConfiguration) {
            accessories = description.accessories
            port = configuration.port == 0 ? 0 : configuration.port + index
            isFactoryReset = configuration.isFactoryReset
        }
    }

    /// Creates a slot and the server of a description, without starting it.
    func host(_ description: AccessoryDescription, isFactoryReset: Bool) async throws(SimulatorError) -> Int {
        let index = servers.count
        let key = description.serialNumber
        var record: (@Sendable (TrafficEvent) -> Void)?
        if let observe { record = { observe(key, $0) } }
        let plan = FaultPlan(
            generator: SeededGenerator(seed: configuration.seed, for: key),
            activity: activity,
            observe: record
        )
        plans.append(plan)
        slots.withLock { $0.append(description) }
        do {
            var hosting = Hosting(description, index, configuration)
            hosting.isFactoryReset = isFactoryReset
            servers.append(try makeServer(index, hosting))
        } catch {
            plans.removeLast()
            slots.withLock { _ = $0.removeLast() }
            throw SimulatorError(error)
        }
        plan.onPowerCut { [weak self] in self?.restartAfterPowerCut(index) }
        for accessory in description.accessories { serverOfAccessory[accessory.key] = servers[index] }
        await behaviors.host(description, on: servers[index])
        return index
    }

    /// Creates the server of a slot.
    func makeServer(_ index: Int, _ hosting: Hosting) throws(AccessoryServerError) -> AccessoryServer {
        guard let description = description(at: index), let storage = try storage(of: description) else {
            throw AccessoryServerError(.wrongState, reason: "The simulator isn't running")
        }
        var server = AccessoryServerConfiguration(
            category: description.category,
            deviceID: description.deviceID,
            setupCode: description.setupCode,
            setupID: description.setupID,
            bindAddress: configuration.bindAddress,
            port: hosting.port,
            isFactoryReset: hosting.isFactoryReset
        )
        server.faultInjector = plans[index]
        server.timer = serverTimer
        server.structureFault = hosting.structureFault
        server.listener = configuration.entrance
        let made = try AccessoryServer(
            server,
            accessories: hosting.accessories,
            storage: storage,
            handlers: handlers(description.serialNumber),
            advertiser: configuration.advertiser ?? advertiser
        )
        if storages.indices.contains(index) { storages[index] = storage } else { storages.append(storage) }
        // A reset accessory has forgotten its network.
        if hosting.isFactoryReset, configuration.network != nil { try storage.write([], to: .network) }
        return made
    }

    /// Returns the storage of a server, or `nil` if the simulator isn't running.
    private func storage(
        of description: AccessoryDescription
    ) throws(AccessoryServerError) -> (any AccessoryStorage)? {
        if let storage = configuration.storage { return storage(description) }
        return try folder.map { folder throws(AccessoryServerError) in
            try FolderStorage(folder: folder.folder(of: description.serialNumber))
        }
    }

    private func handlers(_ serialNumber: String) -> AccessoryServerHandlers {
        let (broadcaster, behaviors) = (broadcaster, behaviors)
        return AccessoryServerHandlers(event: { [weak self] event in
            switch event {
            case .valueChanged(let change):
                behaviors.record(change)
                broadcaster.send(.valueChanged(change))
            case .identify(let serialNumber):
                broadcaster.send(.identify(serialNumber: serialNumber))
            case .pairingChanged(let isPaired):
                let name = self?.names[serialNumber] ?? serialNumber
                broadcaster.send(.pairingChanged(name: name, isPaired: isPaired))
            }
        })
    }

    /// Starts the server of a slot, unless its accessory isn't on the network. It is then served in its own network.
    func start(_ index: Int) async throws(SimulatorError) -> RunningAccessory {
        guard !isOffNetwork(index) else {
            if unconfigured[index] == nil { try await serveSetup(index) }
            return await runningAccessory(index, port: 0)
        }
        return await runningAccessory(index, port: try Self.port(await Self.start(servers[index])))
    }

    private static func start(_ server: AccessoryServer) async -> Result<Int, AccessoryServerError> {
        do throws(AccessoryServerError) {
            return .success(try await server.start())
        } catch {
            return .failure(error)
        }
    }

    private static func port(_ result: Result<Int, AccessoryServerError>) throws(SimulatorError) -> Int {
        do {
            return try result.get()
        } catch {
            throw SimulatorError(error)
        }
    }

    func runningAccessory(_ index: Int, port: Int) async -> RunningAccessory {
        let server = servers[index]
        return RunningAccessory(
            name: await server.name,
            deviceID: server.deviceID,
            port: port,
            setupCode: server.setupCode,
            setupPayload: server.setupPayload,
            isPaired: await server.isPaired,
            isEdited: edited.contains(index)
        )
    }
}

// MARK: Slots

extension Simulator {
    /// Returns the slot of an accessory's server, by the accessory's serial number.
    nonisolated func slot(of serialNumber: String) -> Int? {
        slots.withLock { slots in
            slots.firstIndex { $0?.accessories.contains { $0.key == serialNumber } == true }
        }
    }

    /// Returns the description that a slot hosts, or `nil` if it was removed.
    nonisolated func description(at index: Int) -> AccessoryDescription? {
        slots.withLock { $0.indices.contains(index) ? $0[index] : nil }
    }
}

extension AccessoryDescription {
    /// The serial number of the standalone accessory or bridge.
    var serialNumber: String { accessories.first?.key ?? "" }
}
