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
        let grower = Grower(isNeeded: behavior.growsWhenSprung)
        let director = Director(
            behavior,
            isAdvertised: options.advertiser != nil,
            wasPaired: !options.pairings.isEmpty,
            sprung: { grower.sprung() }
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
            accessories: [bridge, lamp],
            storage: storage,
            advertiser: options.advertiser
        )
        grower.server(server)
        let port = try await server.start()
        return ScenarioAccessory(server: server, director: director, port: port)
    }

    // MARK: The bridge

    static let bridge = HostedAccessory(key: "Bridge", information: information("Hearth Check"), services: [])

    /// A lamp, and a lock that takes only timed writes.
    static let lamp = HostedAccessory(
        key: "Lamp",
        information: information("Lamp"),
        services: [
            HostedService(
                HAPType.Service.lightbulb,
                isPrimary: true,
                characteristics: [
                    HostedCharacteristic(HAPType.Characteristic.on),
                    HostedCharacteristic(HAPType.Characteristic.brightness, value: .integer(50)),
                ].compactMap(\.self)
            ),
            HostedService(
                HAPType.Service.switch,
                characteristics: [timedPower]
            ),
        ]
    )

    /// The accessory that is added when the structure changes.
    static let addition = HostedAccessory(
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

/// Adds an accessory to a server when its trap is sprung. It is a class because the trap and the server come after each
/// other.
private final class Grower: Sendable {
    private let isNeeded: Bool
    private let server = Mutex<AccessoryServer?>(nil)

    init(isNeeded: Bool) {
        self.isNeeded = isNeeded
    }

    func server(_ server: AccessoryServer) {
        self.server.withLock { $0 = server }
    }

    func sprung() {
        guard let server = server.withLock({ $0 }) else { return }
        let isNeeded = isNeeded
        Task {
            if isNeeded {
                try? await server.serve([ScenarioAccessory.bridge, ScenarioAccessory.lamp, ScenarioAccessory.addition])
            }
            await server.announce()
        }
    }
}
