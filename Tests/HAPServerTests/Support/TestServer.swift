import AccessoryCheck
import HAP
import HAPCatalog
import Synchronization

@testable import HAPServer

/// A server on 127.0.0.1 that records the events that its owner receives.
struct TestServer {
    let server: AccessoryServer
    let port: Int
    private let log: EventLog

    static let admin = controller("ADMIN")
    static let user = controller("USER")
    static let pairings = [Pairing(admin, .admin), Pairing(user, .user)]
    static let code = "314-15-926"

    /// Returns a stopped clock, so that stalled exchanges never time out.
    static func stoppedClock() -> @Sendable () -> ContinuousClock.Instant {
        let now = ContinuousClock.now
        return { now }
    }

    /// Runs a server for the duration of a test. By default, it is paired with an admin and a user.
    static func run<Result>(
        _ accessories: [HostedAccessory] = [TestAccessories.everything],
        storage: any AccessoryStorage = paired(),
        limits: ServerLimits = ServerLimits(),
        advertiser: Advertiser? = nil,
        now: @escaping @Sendable () -> ContinuousClock.Instant = stoppedClock(),
        write: (@Sendable (CharacteristicWrite) -> WriteDecision)? = nil,
        _ body: (TestServer) async throws -> Result
    ) async throws -> Result {
        let log = EventLog()
        var configuration = AccessoryServerConfiguration(
            category: .lightbulb,
            setupCode: try SetupCode(code),
            bindAddress: "127.0.0.1"
        )
        configuration.limits = limits
        configuration.now = now
        let server = try AccessoryServer(
            configuration,
            accessories: accessories,
            storage: storage,
            handlers: AccessoryServerHandlers(write: write) { log.append($0) },
            advertiser: advertiser
        )
        let port = try await server.start()
        do {
            let result = try await body(TestServer(server: server, port: port, log: log))
            await server.stop()
            return result
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Returns the storage of a paired server.
    static func paired(_ controllers: [Pairing] = pairings, failedTries: Int = 0)
        -> MemoryStorage
    {
        let storage = MemoryStorage()
        let credentials = StoredCredentials(
            identity: AccessoryIdentity(deviceID: .random(), keyPair: .random()),
            setupCode: .random(),
            setupID: .random()
        )
        do {
            try storage.save(credentials)
            try storage.save(StoredAttributes())
            try storage.save(StoredPairings(pairings: controllers, failedTries: failedTries))
        } catch {
            preconditionFailure("\(error)")
        }
        return storage
    }

    static func controller(_ id: PairingID) -> ControllerIdentity {
        ControllerIdentity(pairingID: id, keyPair: .random())
    }

    /// The events that the owner has received so far. Those of a request that was answered are among them: the server may
    /// send its response first, and both are one turn of the actor.
    var events: [AccessoryServerEvent] {
        get async {
            _ = await server.port
            return log.events
        }
    }

    /// A controller's record of the accessory after pairing.
    var accessory: PairedAccessory {
        PairedAccessory(deviceID: server.identity.deviceID, publicKey: server.identity.keyPair.publicKey)
    }

    /// Opens a connection.
    func connect() async throws -> ControllerConnection {
        try await ControllerConnection.open(port)
    }

    /// Opens a connection with a verified session.
    func connect(as controller: ControllerIdentity) async throws -> ControllerConnection {
        let connection = try await connect()
        try await connection.verify(controller, accessory)
        return connection
    }

    /// Returns the ID of a characteristic of the first accessory.
    func id(_ service: String, _ type: HAPType) async throws -> CharacteristicID {
        try await id(CharacteristicAddress(accessory: "Lamp", service: service, type: type))
    }

    func id(_ address: CharacteristicAddress) async throws -> CharacteristicID {
        guard let id = await server.database.id(of: address) else { throw NotHosted(address: address) }
        return id
    }

    struct NotHosted: Error {
        let address: CharacteristicAddress
    }
}

extension Pairing {
    init(_ controller: ControllerIdentity, _ permissions: PairingPermissions) {
        self.init(
            controllerID: controller.pairingID,
            publicKey: controller.keyPair.publicKey,
            permissions: permissions
        )
    }
}

extension PairingID: ExpressibleByStringLiteral {
    init(stringLiteral value: String) {
        guard let id = PairingID(value) else { preconditionFailure("\(value) is no pairing id") }
        self = id
    }
}

/// The events that a server's owner received.
private final class EventLog: Sendable {
    private let log = Mutex<[AccessoryServerEvent]>([])

    var events: [AccessoryServerEvent] { log.withLock { $0 } }

    func append(_ event: AccessoryServerEvent) {
        log.withLock { $0.append(event) }
    }
}

extension CharacteristicAddress {
    /// The lamp's power.
    static let on = CharacteristicAddress(
        accessory: "Lamp",
        service: "Lightbulb",
        type: HAPType.Characteristic.on
    )
    /// The lamp's brightness.
    static let brightness = CharacteristicAddress(
        accessory: "Lamp",
        service: "Lightbulb",
        type: HAPType.Characteristic.brightness
    )
    /// The button.
    static let button = CharacteristicAddress(
        accessory: "Lamp",
        service: "StatelessProgrammableSwitch",
        type: HAPType.Characteristic.programmableSwitchEvent
    )
}
