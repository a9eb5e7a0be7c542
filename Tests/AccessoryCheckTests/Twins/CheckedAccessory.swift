import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import Synchronization

@testable import HAPServer

/// An accessory server on 127.0.0.1 for the checks: as it should be, or broken by a twin.
actor CheckedAccessory {
    static let code = "314-15-926"
    static let admin = ControllerIdentity(pairingID: PairingID("ADMIN") ?? CheckedAccessory.none, keyPair: .random())
    private static let none = PairingID("-").unsafelyUnwrapped

    private static let timed = HAPType(short: 0xF001)

    /// A lamp with all that the checks look for: bounds, a press, a timed characteristic.
    static let lamp = lamp("Lamp")

    static func lamp(_ name: String) -> HostedAccessory {
        let information = AccessoryInformation(
            name: name,
            manufacturer: "Maker",
            model: "Model 1",
            serialNumber: "S-\(name)",
            firmwareRevision: "1.0"
        )
        let light = HostedService(
            HAPType.Service.lightbulb,
            characteristics: [
                HostedCharacteristic(HAPType.Characteristic.on),
                HostedCharacteristic(HAPType.Characteristic.brightness, value: .integer(50)),
            ].compactMap(\.self)
        )
        let button = HostedService(
            HAPType.Service.statelessProgrammableSwitch,
            characteristics: [HostedCharacteristic(HAPType.Characteristic.programmableSwitchEvent)].compactMap(\.self)
        )
        let special = HostedService(
            HAPType(short: 0xF000),
            key: "Special",
            characteristics: [
                HostedCharacteristic(
                    type: timed,
                    permissions: [.read, .write, .timedWrite],
                    metadata: CharacteristicMetadata(format: .uint8, minValue: .integer(0), maxValue: .integer(9)),
                    value: .integer(1)
                )
            ]
        )
        return HostedAccessory(key: name, information: information, services: [light, button, special])
    }

    private let twin: Twin
    private let storage: MemoryStorage
    private let identity = AccessoryIdentity(deviceID: .random(), keyPair: .random())
    private var server: AccessoryServer
    private var port = 0
    private var isStopped = false
    private let counter: InputCounter

    /// Starts the accessory.
    ///
    /// - Parameter isPaired: Whether it is paired with ``admin``.
    init(_ twin: Twin = Twin(), isPaired: Bool) async throws {
        self.twin = twin
        storage = try MemoryStorage(
            identity: identity,
            setupCode: try SetupCode(Self.code),
            setupID: .random(),
            pairings: isPaired
                ? [
                    Pairing(
                        controllerID: Self.admin.pairingID,
                        publicKey: Self.admin.keyPair.publicKey,
                        permissions: .admin
                    )
                ] : []
        )
        let counter = InputCounter()
        self.counter = counter
        server = try Self.server(twin, storage, counter)
        port = try await server.start()
    }

    private static func server(
        _ twin: Twin,
        _ storage: MemoryStorage,
        _ counter: InputCounter
    ) throws -> AccessoryServer {
        var configuration = AccessoryServerConfiguration(category: .lightbulb, bindAddress: "127.0.0.1")
        twin.limits(&configuration.limits)
        var rewriter = twin.rewriter
        let input = rewriter.input
        rewriter.input = { bytes, connection, isSecured in
            counter.increase()
            return input(bytes, connection, isSecured)
        }
        configuration.rewriter = rewriter
        return try AccessoryServer(configuration, accessories: twin.accessories, storage: storage)
    }

    /// The options to check the accessory.
    func options(isPaired: Bool) throws -> CheckOptions {
        let access: CheckOptions.Access =
            isPaired
            ? .pairing(
                ExistingPairing(
                    controller: Self.admin,
                    accessory: PairedAccessory(deviceID: identity.deviceID, publicKey: identity.keyPair.publicKey)
                )
            ) : .code(try SetupCode(Self.code))
        var options = CheckOptions(access: access)
        options.responseTime = .seconds(120)
        options.quietTime = .zero
        options.advertisements = AdvertisementSource(
            current: { _ in await self.advertisement },
            isWithdrawn: { await self.isWithdrawn }
        )
        options.stop = { await self.stop() }
        options.restart = { try await self.restart() }
        let counter = counter
        let last = Mutex(0)
        options.betweenPieces = {
            // Wait until the accessory has read the last piece.
            await counter.waitForMore(than: last.withLock { $0 })
            last.withLock { $0 = counter.count }
        }
        options.willSendPieces = { last.withLock { $0 = counter.count } }
        return options
    }

    var target: CheckTarget { CheckTarget(host: "127.0.0.1", port: port) }

    var isPaired: Bool {
        get async { await server.isPaired }
    }

    var pairingCount: Int {
        get async { await server.pairings.pairings.count }
    }

    func value(of type: HAPType) async throws -> CharacteristicValue? {
        let address = CharacteristicAddress(accessory: "Lamp", service: "Lightbulb", type: type)
        return try await server.value(of: address)
    }

    private var isWithdrawn: Bool { isStopped && !twin.staysAdvertised }

    private var advertisement: AccessoryAdvertisement? {
        get async {
            let record = await server.announcement
            var txt: [String: String] = [:]
            for entry in record.entries { txt[entry.key] = record[entry.key] ?? "" }
            return twin.advertise(AccessoryAdvertisement(name: "Lamp", port: port, txt: txt))
        }
    }

    private func restart() async throws -> CheckTarget {
        await server.stop()
        server = try Self.server(twin, twin.forgets ? MemoryStorage() : storage, counter)
        port = try await server.start()
        isStopped = false
        twin.restarted()
        return target
    }

    func stop() async {
        isStopped = true
        await server.stop()
    }

    /// Runs a closure with an accessory.
    static func run<Result: Sendable>(
        _ twin: Twin = Twin(),
        isPaired: Bool,
        _ body: (CheckedAccessory) async throws -> Result
    ) async throws -> Result {
        let accessory = try await CheckedAccessory(twin, isPaired: isPaired)
        do {
            let result = try await body(accessory)
            await accessory.stop()
            return result
        } catch {
            await accessory.stop()
            throw error
        }
    }
}

/// The number of times at which an accessory received bytes. It is a class because the accessory's closures share it.
final class InputCounter: Sendable {
    private let inputs = Mutex(0)

    var count: Int { inputs.withLock { $0 } }

    func increase() {
        inputs.withLock { $0 += 1 }
    }

    /// Waits until bytes were received after a count.
    func waitForMore(than count: Int) async {
        while self.count <= count, !Task.isCancelled { await Task.yield() }
    }
}
