import HAP
import HAPCatalog
import NIOCore
import Testing

@testable import HAPServer

@Suite struct FloodAttacks {
    @Test func slowAndIdleConnectionsKeepNobodyFromPairingAndBeingServed() async throws {
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage) { server in
            var idle: [ControllerConnection] = []
            for _ in 0..<60 { idle.append(try await server.connect()) }
            var slow: [(connection: ControllerConnection, trickle: Task<Void, Never>)] = []
            for _ in 0..<20 {
                let connection = try await server.connect()
                try await connection.send(Array("POST /pair-setup HTTP/1.1\r\nA: ".utf8))
                slow.append((connection, connection.trickle()))
            }
            defer { for (_, trickle) in slow { trickle.cancel() } }
            let honest = TestServer.controller("HONEST")
            let connection = try await server.connect()
            let accessory = try await connection.pair(honest, code: try SetupCode(TestServer.code))
            try await connection.verify(honest, accessory)
            let id = try await server.id(.brightness)
            for value in 0...100 {
                let body = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":\#(value),"ev":true}]}"#
                #expect(try await connection.put("/characteristics", body).status == .noContent)
            }
            try await server.server.update(.integer(1), of: .brightness)
            #expect(try await connection.event().contains(#""value":1"#))
            #expect(try await connection.manage(.list) == .list([Pairing(honest, .admin)]))
            #expect(await server.server.connectionCount <= ServerLimits().unverifiedConnections + 1)
        }
    }

    @Test func aFloodDoesNotCutOffWhoIsInTheMiddleOfPairing() async throws {
        var limits = ServerLimits()
        limits.unverifiedConnections = 3
        let storage = MemoryStorage()
        try await TestServer.run(storage: storage, limits: limits) { server in
            let honest = TestServer.controller("HONEST")
            let connection = try await server.connect()
            var random = SystemRandomNumberGenerator()
            var setup = PairSetupController(
                identity: honest,
                setupCode: try SetupCode(TestServer.code),
                expecting: server.server.deviceID
            )
            let m3 = try setup.handleM2(try await connection.post("/pair-setup", setup.start()).body, using: &random)
            var flood = try await server.flood(10)
            let m5 = try setup.handleM4(try await connection.post("/pair-setup", m3).body)
            flood += try await server.flood(10)
            let accessory = try setup.handleM6(try await connection.post("/pair-setup", m5).body)
            var verification = PairVerifyController(identity: honest, accessory: accessory)
            let m2 = try await connection.post("/pair-verify", verification.start(using: &random))
            flood += try await server.flood(10)
            let m4 = try await connection.post("/pair-verify", try verification.handleM2(m2.body))
            _ = try verification.handleM4(m4.body)
            withExtendedLifetime(flood) {}
        }
    }

    @Test func connectionsThatComeAndGoLeaveNothingBehind() async throws {
        try await TestServer.run { server in
            for _ in 0..<300 {
                let connection = try await server.connect()
                try await connection.send(Array("GET /accessories HTTP/1.1\r\n".utf8))
                try await connection.close()
            }
            for _ in 0..<20 { try await server.connect(as: TestServer.user).close() }
            while await server.server.connectionCount > 0 { await Task.yield() }
            try await server.expectUnharmed()
        }
    }

    @Test func theNewestOfTooManyVerifiedConnectionsIsServed() async throws {
        var limits = ServerLimits()
        limits.verifiedConnections = 3
        try await TestServer.run(limits: limits) { server in
            var connections: [ControllerConnection] = []
            for _ in 0..<limits.verifiedConnections {
                connections.append(try await server.connect(as: TestServer.user))
            }
            for connection in connections { #expect(try await connection.get("/accessories").status == .ok) }
            // One past the limit: the one that was silent longest makes room.
            let last = try await server.connect(as: TestServer.admin)
            #expect(try await connections[0].untilClosed().isEmpty)
            for connection in connections.dropFirst() + [last] {
                #expect(try await connection.get("/accessories").status == .ok)
            }
        }
    }

    @Test func whoDoesNotReadIsNotReadFromAndHoldsUpNobody() async throws {
        var bridge = [HostedAccessory(key: "Lamp", information: TestAccessories.information("Lamp"), services: [])]
        bridge[0].services = [TestAccessories.lightbulb()]
        bridge += (1..<HAPLimits.accessories).map { TestAccessories.lamp("Lamp \($0)") }
        try await TestServer.run(bridge) { server in
            let greedy = try await server.connect(as: TestServer.user)
            try await greedy.pauseReading()
            let request = HTTPRequest(.get, "/accessories", host: "x").encoded()
            // Far more answers than any buffer takes.
            let flood = Array(repeating: request, count: 200).flatMap { $0 }
            let sending = try greedy.startSending(flood)
            let honest = try await server.connect(as: TestServer.admin)
            for _ in 0..<20 { #expect(try await honest.get("/accessories").status == .ok) }
            // What was asked for is answered to the end, once it is read.
            try await greedy.resumeReading()
            for _ in 0..<200 { #expect(try await greedy.response().status == .ok) }
            try await sending.get()
        }
    }
}

extension TestServer {
    /// Opens connections, each with a request, and keeps them open as long as the server does.
    fileprivate func flood(_ count: Int) async throws -> [ControllerConnection] {
        var connections: [ControllerConnection] = []
        for _ in 0..<count {
            let connection = try await connect()
            _ = try await connection.get("/accessories")
            connections.append(connection)
        }
        return connections
    }
}

extension AccessoryServer {
    fileprivate var connectionCount: Int { connections.count }
}
