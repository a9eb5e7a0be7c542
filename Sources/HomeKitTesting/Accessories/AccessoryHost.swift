import AccessorySimulator
import HAP
import HAPCatalog
import HAPServer
import HomeHub
import Synchronization

/// One accessory server of a test home: runs while the accessory is switched on, and keeps what outlives that.
actor AccessoryHost {
    nonisolated let setupCode: SetupCode
    private nonisolated let door: HubConnector
    private nonisolated let network: TestNetwork
    private nonisolated let clock: ManualClock
    private nonisolated let storage: MemoryStorage
    private nonisolated let codes: SetupCodeResponder
    private var description: AccessoryDescription
    private var deviceID: DeviceID
    private var simulator: Simulator?
    private var listening: Task<Void, Never>?
    private(set) var identifications = 0

    /// Creates an accessory that is switched off.
    ///
    /// - Parameter storage: With the identity of the device ID and, if it was paired before, the pairings.
    init(
        _ description: AccessoryDescription,
        deviceID: DeviceID,
        setupCode: SetupCode,
        storage: MemoryStorage,
        in home: TestHome
    ) {
        self.deviceID = deviceID
        self.setupCode = setupCode
        self.storage = storage
        door = home.door
        network = home.network
        clock = home.clock
        codes = home.codes
        self.description = description
    }

    /// Switches it on. Does nothing if it is.
    func start(isFactoryReset: Bool = false) async throws {
        guard simulator == nil else { return }
        var configuration = SimulatorConfiguration(
            accessories: [description],
            dataFolder: "",
            bindAddress: network.address,
            interfaces: nil,
            isFactoryReset: isFactoryReset
        )
        configuration.storage = { [storage] _ in storage }
        configuration.advertiser = Advertiser(by: network.board)
        configuration.entrance = network.entrance
        let simulator = try Simulator(configuration, clock: clock)
        self.simulator = simulator
        let events = simulator.events()
        listening = Task { [weak self] in
            for await event in events { await self?.note(event) }
        }
        do {
            // After a factory reset it has another id.
            for ready in try await simulator.start() { deviceID = ready.deviceID }
            codes.note(setupCode, on: deviceID)
        } catch {
            self.simulator = nil
            throw error
        }
    }

    /// Switches it off. It keeps its values, as its pairings.
    func stop() async {
        guard let simulator = simulator.take() else { return }
        await keepValues(of: simulator)
        await simulator.stop()
        await listening.take()?.value
    }

    /// What runs now.
    ///
    /// - Throws: ``TestHomeError`` while it is switched off.
    func running() throws(TestHomeError) -> Simulator {
        guard let simulator else { throw TestHomeError("\(description.name) is switched off.") }
        return simulator
    }

    /// Whether a hub hears of its events, or has no reason to: it is not in the home, or switched off.
    func isHeard(by hub: HomeHub) async -> Bool {
        guard simulator != nil else { return true }
        return await hub.hasAnswered(deviceID) ?? true
    }

    /// Whether the home's hub hears of its events, or has no reason to; also if there is no hub.
    var isHeard: Bool {
        get async {
            guard let hub = door.hub else { return true }
            return await isHeard(by: hub)
        }
    }

    /// What is on this server.
    var accessories: [HostedAccessory] { description.accessories }

    /// Each value, as `accessory/service/characteristic = value`.
    func values() async -> [String] {
        guard let simulator else { return ["\(description.name) is switched off"] }
        var lines: [String] = []
        for accessory in description.accessories {
            for service in accessory.services {
                for characteristic in service.characteristics {
                    let address = CharacteristicAddress(
                        accessory: accessory.key,
                        service: service.key,
                        type: characteristic.type
                    )
                    guard let value = (try? await simulator.value(of: address)) ?? nil else { continue }
                    let name = CharacteristicDefinition.of(characteristic.type)?.identifier ?? "\(characteristic.type)"
                    lines.append("\(accessory.information.name)/\(service.key)/\(name) = \(value)")
                }
            }
        }
        return lines
    }

    private func keepValues(of simulator: Simulator) async {
        for a in description.accessories.indices {
            for s in description.accessories[a].services.indices {
                let service = description.accessories[a].services[s]
                for c in service.characteristics.indices {
                    let address = CharacteristicAddress(
                        accessory: description.accessories[a].key,
                        service: service.key,
                        type: service.characteristics[c].type
                    )
                    guard let value = (try? await simulator.value(of: address)) ?? nil else { continue }
                    description.accessories[a].services[s].characteristics[c].value = value
                }
            }
        }
    }

    private func note(_ event: SimulatorEvent) {
        if case .identify = event { identifications += 1 }
    }
}
