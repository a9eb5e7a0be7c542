import AccessoryPeers
import HAP
import HAPCatalog
import HAPClient
import HAPServer
import PeerProcess
import Synchronization
import Testing

@testable import AccessorySimulator

/// A simulated lamp with a battery, and controllers for it.
final class FaultFixture: Sendable {
    static let file = """
        {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb", "setupCode": "314-15-926",
         "services": [
          {"type": "Lightbulb", "characteristics": {"On": false, "Brightness": 40}},
          {"type": "Battery", "characteristics": {"BatteryLevel": 90, "StatusLowBattery": 0, "ChargingState": 2}}]}
        """

    let simulator: Simulator
    let ready: RunningAccessory
    private let host: String
    private let identity: ControllerIdentity

    private init(_ simulator: Simulator, _ ready: RunningAccessory, _ host: String) throws {
        self.simulator = simulator
        self.ready = ready
        self.host = host
        identity = ControllerIdentity(pairingID: try #require(PairingID("FAULTS")), keyPair: .random())
    }

    /// Runs the lamp during a test.
    static func run(
        clock: any Clock<Duration> = ContinuousClock(),
        host: String = "127.0.0.1",
        interfaces: [String]? = nil,
        name: String = "Lamp",
        seed: UInt64 = 0,
        _ body: (FaultFixture) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(file.replacing(#""name": "Lamp""#, with: #""name": "\#(name)""#), "lamp.json")
        let simulator = try Simulator(
            SimulatorConfiguration(
                files: [folder.path + "lamp.json"],
                dataFolder: folder.path + "data",
                bindAddress: host,
                interfaces: interfaces,
                seed: seed
            ),
            clock: clock
        )
        do {
            let ready = try #require(try await simulator.start().first)
            try await body(try FaultFixture(simulator, ready, host))
            await simulator.stop()
        } catch {
            await simulator.stop()
            throw error
        }
    }

    /// The address on which the lamp is listening.
    var address: AccessoryAddress {
        get async throws {
            AccessoryAddress(host: host, port: try #require(await simulator.servers[0].port))
        }
    }

    func id(_ characteristic: String) async throws -> CharacteristicID {
        let address = try simulator.find("Lamp", characteristic)
        return try #require(await simulator.servers[0].identifier(of: address))
    }

    /// Opens an unverified connection.
    func connect() async throws -> Line {
        try await Line(to: address)
    }

    /// Pairs with the lamp.
    func pair() async throws -> AccessoryPairing {
        let line = try await connect()
        let pairing = try await line.connection.pair(code: ready.setupCode, controller: identity)
        await line.connection.close()
        return pairing
    }

    /// Opens a connection with a verified session.
    func session(_ pairing: AccessoryPairing) async throws -> Line {
        let line = try await connect()
        try await line.connection.verify(pairing)
        return line
    }
}

/// A connection and the events received on it.
final class Line: Sendable {
    let connection: DirectConnection
    private let events: AsyncStream<String>
    private let closing: AsyncStream<UnreachableCause>

    init(to address: AccessoryAddress) async throws {
        let (events, event) = AsyncStream.makeStream(of: String.self)
        let (closing, close) = AsyncStream.makeStream(of: UnreachableCause.self)
        self.events = events
        self.closing = closing
        connection = try await DirectConnection.open(to: address, timeout: Wait.limit) { message in
            event.yield(String(decoding: message.body, as: UTF8.self))
        } onClose: { cause in
            close.yield(cause)
            event.finish()
        }
    }

    func get(_ ids: [CharacteristicID]) async throws -> HTTPResponse {
        let target = CharacteristicReadRequest(ids: ids).target
        return try await connection.ask(HTTPRequest(.get, target, host: connection.host))
    }

    func put(_ entry: CharacteristicWriteRequest.Entry) async throws -> HTTPResponse {
        try await connection.ask(CharacteristicWriteRequest(entries: [entry]).request(host: connection.host))
    }

    func write(_ id: CharacteristicID, _ value: CharacteristicValue) async throws -> HTTPResponse {
        try await put(CharacteristicWriteRequest.Entry(id: id, value: value))
    }

    func subscribe(_ id: CharacteristicID) async throws {
        let response = try await put(CharacteristicWriteRequest.Entry(id: id, events: true))
        #expect(response.status == .noContent)
    }

    /// Returns the next events.
    func events(_ count: Int) async -> [String] {
        var iterator = events.makeAsyncIterator()
        var bodies: [String] = []
        while bodies.count < count, let body = await iterator.next() { bodies.append(body) }
        return bodies
    }

    /// Waits until the accessory has closed the connection.
    func end() async -> UnreachableCause? {
        var iterator = closing.makeAsyncIterator()
        return await iterator.next()
    }
}

extension HTTPResponse {
    /// The body as text.
    var text: String { String(decoding: body, as: UTF8.self) }
}
