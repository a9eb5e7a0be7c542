import DNSSD
import HAP
import HAPCatalog
import HAPServer
import Synchronization

/// The accessory of a scenario: a bridge with a lamp.
struct ScenarioAccessory: Sendable {
    let server: AccessoryServer
    let director: Director
    let port: Int

    /// Starts the accessory.
    static func start(
        _ scenario: Scenario,
        _ options: ControllerCheckOptions
    ) async throws(AccessoryServerError) -> ScenarioAccessory {
        let identity = options.identity ?? AccessoryIdentity(deviceID: .random(), keyPair: .random())
        let code = options.code ?? .random()
        let behavior = scenario.behavior(Setting(identity: identity, code: code))
        let change = StructureChange(accessories: behavior.accessoriesWhenSprung)
        let director = Director(
            behavior,
            isAdvertised: options.advertiser != nil,
            wasPaired: !options.pairings.isEmpty,
            sprung: { await change.make() }
        )
        var configuration = AccessoryServerConfiguration(
            name: "Hearth Check \(identity.deviceID.description.suffix(5).replacing(":", with: ""))",
            category: .bridge,
            bindAddress: options.bindAddress,
            port: options.port
        )
        configuration.rewriter = director.rewriter
        configuration.faultInjector = director
        let storage = try MemoryStorage(
            identity: identity,
            setupCode: code,
            setupID: .random(),
            pairings: options.pairings
        )
        let server = try AccessoryServer(
            configuration,
            accessories: behavior.accessories,
            storage: storage,
            advertiser: options.advertiser
        )
        change.server(server)
        let port = try await server.start()
        return ScenarioAccessory(server: server, director: director, port: port)
    }

    // MARK: The bridge

    static let bridge = HostedAccessory(key: "Bridge", information: information("Hearth Check"), services: [])

    /// A lamp, and a switch that takes only timed writes.
    static let lamp = accessory(keys: (lamp: "Lamp", switch: "Switch"))

    /// The lamp with other instance IDs, which the server assigns by the keys of services.
    static let movedLamp = accessory(keys: (lamp: "Lamp 2", switch: "Switch 2"))

    /// The lamp and the switch, each with the instance IDs of the other.
    static let swappedLamp = accessory(keys: (lamp: "Switch", switch: "Lamp"))

    /// The lamp with one characteristic more, which can only be read and subscribed to.
    static let watchedLamp = accessory(
        keys: (lamp: "Lamp", switch: "Switch"),
        [HostedCharacteristic(HAPType.Characteristic.statusActive)].compactMap(\.self)
    )

    /// The bridge, the lamp, and an accessory more.
    static let grown = [bridge, lamp, addition]

    private static func accessory(
        keys: (lamp: String, switch: String),
        _ more: [HostedCharacteristic] = []
    ) -> HostedAccessory {
        HostedAccessory(
            key: "Lamp",
            information: information("Lamp"),
            services: [
                HostedService(
                    HAPType.Service.lightbulb,
                    key: keys.lamp,
                    isPrimary: true,
                    characteristics: [
                        HostedCharacteristic(HAPType.Characteristic.on),
                        HostedCharacteristic(HAPType.Characteristic.brightness, value: .integer(50)),
                    ].compactMap(\.self) + more
                ),
                HostedService(
                    HAPType.Service.switch,
                    key: keys.switch,
                    characteristics: [timedPower]
                ),
            ]
        )
    }

    private static let addition = HostedAccessory(
        key: "Addition",
        information: information("Addition"),
        services: [
            HostedService(
                HAPType.Service.switch,
                characteristics: [HostedCharacteristic(HAPType.Characteristic.on)].compactMap(\.self)
            )
        ]
    )

    /// The power of a switch that takes only timed writes.
    private static let timedPower = HostedCharacteristic(
        type: HAPType.Characteristic.on,
        permissions: [.read, .write, .notify, .timedWrite],
        metadata: CharacteristicMetadata(format: .bool),
        value: .bool(false)
    )

    private static func information(_ name: String) -> AccessoryInformation {
        AccessoryInformation(
            name: name,
            manufacturer: "Hearth",
            model: "Check",
            serialNumber: "CHECK-\(name)",
            firmwareRevision: "1.0"
        )
    }
}

/// Changes the accessories of a server when its trap is sprung. It is a class because the trap and the server come after
/// each other.
private final class StructureChange: Sendable {
    private let accessories: [HostedAccessory]?
    private let server = Mutex<AccessoryServer?>(nil)

    init(accessories: [HostedAccessory]?) {
        self.accessories = accessories
    }

    func server(_ server: AccessoryServer) {
        self.server.withLock { $0 = server }
    }

    func make() async {
        guard let server = server.withLock({ $0 }) else { return }
        if let accessories { try? await server.serve(accessories) }
        await server.announce()
    }
}
