import AccessorySimulator
import Foundation
import LocalRPC
import Testing

@testable import hearth

/// A simulator's control socket when a client disconnects.
struct ControlSessionTests {
    /// Runs a simulated lamp, advertised on the loopback interface.
    private func run(_ body: (Simulator) async throws -> Void) async throws {
        try await Fixture.with { fixture in
            let file = fixture.folder.appending(path: "lamp.json")
            let text = #"""
                {"format": 1, "name": "Lamp", "serialNumber": "L-1", "category": "Lightbulb",
                 "deviceID": "\#(Fixture.newDeviceID())", "services": [{"type": "Lightbulb"}]}
                """#
            try Data(text.utf8).write(to: file)
            let simulator = try Simulator(
                SimulatorConfiguration(
                    files: [file.path],
                    dataFolder: fixture.folder.appending(path: "lamp").path,
                    bindAddress: "127.0.0.1",
                    interfaces: ["127.0.0.1"]
                )
            )
            do {
                _ = try await simulator.start()
                try await body(simulator)
                await simulator.stop()
            } catch {
                await simulator.stop()
                throw error
            }
        }
    }

    /// Sends a request, disconnects immediately, and returns the reply that would have been sent.
    private func leave(_ simulator: Simulator, _ method: String, _ parameters: String) async throws -> RPCMessage<
        NoEvents
    > {
        let (replies, reply) = AsyncStream.makeStream(of: RPCMessage<NoEvents>.self)
        let session = ControlAcceptor(simulator: simulator).acceptConnection(on: nil) { reply.yield($0) }
        session.receive(RPCRequest(id: 1, method: method, parameters: Data(parameters.utf8)))
        session.end()
        var iterator = replies.makeAsyncIterator()
        return try #require(await iterator.next())
    }

    @Test(arguments: [
        ("accessory.reset", #"{"accessory": "Lamp"}"#),
        ("accessory.edit", #"{"accessory": "Lamp", "category": "Outlet"}"#),
    ])
    func aChangeRunsOutThoughItsClientHasGone(method: String, parameters: String) async throws {
        try await run { simulator in
            guard case .reply(1, let reply) = try await leave(simulator, method, parameters),
                case .success = reply.result
            else {
                Issue.record("\(method) was not performed")
                return
            }
            let detail = try await simulator.answer("accessory.show", Array(#"{"accessory": "Lamp"}"#.utf8)).bytes
            let lamp = try JSONDecoder().decode(AccessoryDetail.self, from: Data(detail))
            #expect(lamp.summary.port != nil)
        }
    }

    @Test func whatWaitsForAnEventIsGivenUpWithItsClient() async throws {
        try await run { simulator in
            let events = try await simulator.answer("event.next", Array("{}".utf8)).bytes
            let next = try #require(try JSONSerialization.jsonObject(with: Data(events)) as? [String: Any])["next"]
            let parameters = #"{"after": \#(try #require(next as? Int))}"#
            guard case .reply(1, _) = try await leave(simulator, "event.next", parameters) else {
                Issue.record("the request is still waiting")
                return
            }
        }
    }
}
