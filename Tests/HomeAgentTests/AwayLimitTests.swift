import AccessorySimulator
import Foundation
import HAPServer
import HomeHub
import HomeKitTesting
import HomeModel
import HubAPI
import HubClient
import LocalRPC
import LocalRPCSockets
import PeerProcess
import RelayAPI
import Testing

@testable import HomeAgent
@testable import Relay

/// The sizes of what an app sends and gets, at the limit and one past it: through the agent's socket to the hub, on the
/// hub's network and through the relay's pipe.
@Suite struct AwayLimitTests {
    /// An app's session at an agent's socket, in which the test counts bytes.
    private final class App: Sendable {
        // This is a class because it is one connection.

        private let transport: HubSocketTransport
        private let messages = AwaitableValue([HubMessage]())
        private let last = AwaitableValue(0)

        init(at path: String) async throws {
            transport = HubSocketTransport(path: path)
            let messages = messages
            transport.open { message in messages.change { $0.append(message) } }
            let hello = Hello(app: "com.example.lights", purpose: "Tests.")
            _ = try await result(of: send(HubMethods.hello.name, try MessageJSON.encode(hello)))
        }

        deinit { transport.close() }

        /// Sends a request with a key, as large as is wanted. Returns its number.
        func send(_ method: String, _ parameters: Data, bytes: Int? = nil) -> Int {
            last.change { $0 += 1 }
            var request = HubRequest(id: last.value, method: method, parameters: parameters, key: UUID())
            if let bytes {
                let count = bytes - (WireFormat<HubEvent>.line(request).count - 1)
                let padding = Data(repeating: UInt8(ascii: " "), count: count)
                request.parameters = Data(parameters.dropLast()) + padding + Data("}".utf8)
            }
            transport.send(request)
            return request.id
        }

        /// Waits for the reply to a request.
        ///
        /// - Throws: The error of the reply, or of the connection if it has ended.
        func result(of id: Int) async throws -> Data {
            let found = try await messages.until { Self.outcome(of: id, in: $0) != nil }
            return try #require(Self.outcome(of: id, in: found)).get()
        }

        /// Returns the code of the error that a request gets; `nil` if it succeeds.
        func refusal(of id: Int) async throws -> HubError.Code? {
            do {
                _ = try await result(of: id)
                return nil
            } catch let error as HubError {
                return error.code
            }
        }

        private static func outcome(of id: Int, in messages: [HubMessage]) -> Result<Data, HubError>? {
            for message in messages {
                switch message {
                case .reply(id, let reply): return reply.result
                case .closed(let error): return .failure(error)
                default: break
                }
            }
            return nil
        }
    }

    /// Runs a test at an agent's socket: on the hub's network, then through its relay.
    private static func nearAndAway(
        _ body: (String, AwayTests.Lamp, AwayLab) async throws -> Void
    ) async throws {
        try await AwayLab.run { lab in
            let accessory = try await lab.home.add(.lamp("Desk Lamp"))
            let device = try await lab.join()
            let watcher = device.app()
            defer { watcher.close() }
            try await watcher.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
            let lamp = try AwayTests.Lamp(accessory, watcher.state)
            let path = "/tmp/hearth-\(UUID().uuidString.prefix(8))/agent.sock"
            defer { try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent()) }
            let listener = try await UnixSocketListener.start(
                path: path,
                of: "agent",
                acceptor: device.agent,
                logger: AgentLab.log
            )
            do {
                #expect(device.ways.current(device.hub) == .near)
                try await body(path, lamp, lab)
                await lab.leaveNetwork()
                try await Wait.until("the device is away") { device.ways.current(device.hub) == .away }
                try await watcher.until { !$0.homes.isEmpty && $0.awayHomes.isEmpty }
                try await body(path, lamp, lab)
                #expect(lab.relay.pipes > 0)
            } catch {
                await listener.stop()
                throw error
            }
            await listener.stop()
        }
    }

    @Test func aRequestAtTheLimitIsCarriedOutAndOneByteMoreIsRefusedFromAwayAsNear() async throws {
        try await Self.nearAndAway { path, lamp, lab in
            let app = try await App(at: path)
            let (on, off) = (try MessageJSON.encode(lamp.write(true)), try MessageJSON.encode(lamp.write(false)))
            _ = try await app.result(of: app.send(HubMethods.write.name, on, bytes: HubProtocol.requestLimit))
            try await lab.home.until("the lamp is on") { try await lamp.accessory[\.on] == .bool(true) }
            let long = app.send(HubMethods.write.name, off, bytes: HubProtocol.requestLimit + 1)
            #expect(try await app.refusal(of: long) == .malformedMessage)
            #expect(try await lamp.accessory[\.on] == .bool(true))
            // The session goes on.
            _ = try await app.result(of: app.send(HubMethods.write.name, off))
            try await lab.home.until("the lamp is off") { try await lamp.accessory[\.on] == .bool(false) }
        }
    }

    @Test func theLongestReadsComeBackWholeAlsoSeveralAtOnceBeyondThePipesWindow() async throws {
        try await Self.nearAndAway { path, lamp, _ in
            let app = try await App(at: path)
            func read(_ count: Int) throws -> Int {
                let read = ReadCharacteristics(
                    home: lamp.home,
                    characteristics: Array(repeating: lamp.on, count: count)
                )
                return app.send(HubMethods.read.name, try MessageJSON.encode(read))
            }
            let limit = HubProtocol.characteristicsPerCall
            for id in try (0..<3).map({ _ in try read(limit) }) {
                let bytes = try await app.result(of: id)
                #expect(bytes.count > RelayLimits.pipeCredit)
                let outcomes = try MessageJSON.decode(CharacteristicResults.self, from: bytes).outcomes
                #expect(outcomes.count == limit && outcomes.allSatisfy { $0.error == nil })
            }
            #expect(try await app.refusal(of: try read(limit + 1)) == .malformedMessage)
            _ = try await app.result(of: try read(1))
        }
    }
}
