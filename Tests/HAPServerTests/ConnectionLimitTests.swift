import AccessoryCheck
import HAP
import HAPCatalog
import NIOCore
import Synchronization
import Testing

@testable import HAPServer

/// Tests which connections the server closes when there are too many, and what it buffers.
struct ConnectionLimitTests {
    @Test func theNumberOfConnectionsIsBounded() async throws {
        try await TestServer.run { server in
            let silent = try await server.openMany { _ = try await $0.get("/accessories") }
            _ = try await server.connect(as: TestServer.admin)
            #expect(await server.server.connectionCount <= ServerLimits().unverifiedConnections + 1)
            withExtendedLifetime(silent) {}
        }
    }

    @Test func whoBeginsToPairAndStaysSilentKeepsNobodyOutForLong() async throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let now: @Sendable () -> ContinuousClock.Instant = { start + passed.withLock { $0 } }
        try await TestServer.run(storage: MemoryStorage(), now: now) { server in
            let silent = try await server.openMany { _ = try await RawVerify($0) }
            let pairing = try await server.connect()
            #expect(try await pairing.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
            passed.withLock { $0 = .seconds(30) }
            try await server.expectToPairAndServe()
            withExtendedLifetime((silent, pairing)) {}
        }
    }

    @Test func anExchangeIsSparedForThirtySecondsHoweverOftenItBeginsAnew() async throws {
        let start = ContinuousClock.now
        let passed = Mutex(Duration.zero)
        let now: @Sendable () -> ContinuousClock.Instant = { start + passed.withLock { $0 } }
        var limits = ServerLimits()
        limits.unverifiedConnections = 2
        try await TestServer.run(limits: limits, now: now) { server in
            let slow = try await server.connect()
            _ = try await RawVerify(slow)
            passed.withLock { $0 = limits.pairingTime - .nanoseconds(1) }
            _ = try await RawVerify(slow)
            let second = try await server.connect()
            let third = try await server.connect()
            #expect(try await second.untilClosed().isEmpty)
            passed.withLock { $0 = limits.pairingTime }
            let fourth = try await server.connect()
            #expect(try await slow.untilClosed().isEmpty)
            for connection in [third, fourth] {
                #expect(try await connection.get("/accessories").status == .connectionAuthorizationRequired)
            }
        }
    }

    @Test func anExchangeThatHasEndedIsNotSpared() async throws {
        var limits = ServerLimits()
        limits.unverifiedConnections = 2
        for end in [RawMessage.tlv((6, [3]), (5, [1])), [0xFF]] {
            try await TestServer.run(limits: limits) { server in
                let ended = try await server.connect()
                _ = try await RawVerify(ended)
                _ = try await ended.post("/pair-verify", end)
                let (second, third) = (try await server.connect(), try await server.connect())
                #expect(try await ended.untilClosed().isEmpty)
                for connection in [second, third] {
                    #expect(try await connection.get("/accessories").status == .connectionAuthorizationRequired)
                }
            }
        }
    }

    @Test func whatIsSentToABusyConnectionIsKeptUpToALimit() async throws {
        for excess in [0, 1] {
            try await TestServer.run { server in
                let connection = try await server.connect()
                #expect(try await connection.get("/accessories").status == .connectionAuthorizationRequired)
                let count = HTTPLimits.pairing.total + excess
                #expect(await server.server.isClosedByReceivingWhileBusy(count) == (excess == 1))
            }
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
            // One more than the limit, so that the connection that has been idle longest is closed.
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
            // A connection reads only when a response is awaited.
            let request = HTTPRequest(.get, "/accessories", host: "x").encoded()
            // Request more data than any buffer holds.
            let flood = Array(repeating: request, count: 200).flatMap { $0 }
            let sending = try greedy.startSending(flood)
            let honest = try await server.connect(as: TestServer.admin)
            for _ in 0..<20 { #expect(try await honest.get("/accessories").status == .ok) }
            // All requests are answered once the responses are read.
            for _ in 0..<200 { #expect(try await greedy.response().status == .ok) }
            try await sending.get()
        }
    }
}

extension AccessoryServer {
    /// Sends bytes on the only connection while it waits for a response. Returns whether that closes it.
    fileprivate func isClosedByReceivingWhileBusy(_ count: Int) -> Bool {
        guard let connection = connections.values.first else { return false }
        connection.isAwaitingAnswer = true
        received(ByteBuffer(repeating: 0, count: count), on: connection)
        return connection.isClosing
    }
}

extension TestServer {
    /// Opens more connections than the server allows, and starts an operation on each.
    fileprivate func openMany(
        _ begin: (ControllerConnection) async throws -> Void
    ) async throws -> [ControllerConnection] {
        var connections: [ControllerConnection] = []
        for _ in 0..<ServerLimits().unverifiedConnections + 6 {
            let connection = try await connect()
            try await begin(connection)
            connections.append(connection)
        }
        return connections
    }

    /// Expects that an honest controller can pair, verify and read.
    fileprivate func expectToPairAndServe() async throws {
        let honest = TestServer.controller("HONEST")
        let connection = try await connect()
        let accessory = try await connection.pair(honest, code: try SetupCode(TestServer.code))
        try await connection.verify(honest, accessory)
        #expect(try await connection.get("/accessories").status == .ok)
    }
}
