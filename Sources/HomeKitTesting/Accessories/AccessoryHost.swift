import AccessorySimulator
import HAP
import HAPCatalog
import HAPServer
import HomeHub
import Synchronization

/// The accessory server of a test home's accessory. It runs while the accessory is on, and keeps the accessory's state
/// while it is off.
actor AccessoryHost {
    nonisolated let setupCode: SetupCode
    private nonisolated let connector: HubConnector
    private nonisolated let network: TestNetwork
    private nonisolated let clock: ManualClock
    private nonisolated let storage: MemoryStorage
    private nonisolated let codes: SetupCodeResponder
    private var description: AccessoryDescription
    private var deviceID: DeviceID
    private var simulator: Simulator?
    private var listening: Task<Void, Never>?
    private(set) var identifications = 0

    /// Creates an accessory that is off.
    ///
    /// - Parameter storage: The storage, with the identity for the device ID and, if the accessory is paired, the
    ///   pairings.
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
        connector = home.connector
        network = home.network
        clock = home.clock
        codes = home.codes
        self.description = description
    }

    /// Turns the accessory on. Has no effect if it is on.
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
            for await event in events { await self?.handle(event) }
        }
        do {
            // A factory reset gives the accessory another device ID.
            for running in try await simulator.start() { deviceID = running.deviceID }
            codes.register(setupCode, on: deviceID)
        } catch {
            self.simulator = nil
            throw error
        }
    }

    /// Turns the accessory off. It keeps its values and its pairings.
    func stop() async {
        guard let simulator = simulator.take() else { return }
        await storeValues(of: simulator)
        await simulator.stop()
        await listening.take()?.value
    }

    /// The running simulator.
    ///
    /// - Throws: ``TestHomeError`` if the accessory is off.
    func running() throws(TestHomeError) -> Simulator {
        guard let simulator else { throw TestHomeError("\(description.name) is off.") }
        return simulator
    }

    /// Whether a hub receives the accessory's events, or has no reason to because the accessory isn't in the home or is
    /// off.
    func isObserved(by hub: HomeHub) async -> Bool {
        guard simulator != nil else { return true }
        return await hub.hasAnswered(deviceID) ?? true
    }

    /// Whether the home's hub receives the accessory's events or has no reason to, also if there is no hub.
    var isObserved: Bool {
        get async {
            guard let hub = connector.hub else { return true }
            return await isObserved(by: hub)
        }
    }

    /// The accessories on this server.
    var accessories: [HostedAccessory] { description.accessories }

    /// The values, as `accessory/service/characteristic = value`.
    func values() async -> [String] {
        guard let simulator else { return ["\(description.name) is off"] }
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

    private func storeValues(of simulator: Simulator) async {
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

    private func handle(_ event: SimulatorEvent) {
        if case .identify = event { identifications += 1 }
    }
}
