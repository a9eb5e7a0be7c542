import HAP
import HAPCatalog
import Testing

@testable import HAPServer

extension TestServer {
    /// Expects that a paired server is as it was: its pairings and values, and that it serves an honest controller.
    func expectUnharmed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let honest = try await connect(as: TestServer.admin)
        #expect(try await honest.get("/accessories").status == .ok, sourceLocation: sourceLocation)
        let pairings = try await honest.manage(.list)
        #expect(pairings == .list(TestServer.pairings), sourceLocation: sourceLocation)
        #expect(try await server.value(of: .on) == .bool(false), sourceLocation: sourceLocation)
        #expect(try await server.value(of: .brightness) == .integer(50), sourceLocation: sourceLocation)
        #expect(events.isEmpty, sourceLocation: sourceLocation)
        try await honest.close()
    }

    /// Expects that nobody is paired, and that an honest controller can be.
    func expectUnpaired(
        _ storage: MemoryStorage,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try storage.load(StoredPairings.self)?.pairings == [], sourceLocation: sourceLocation)
        #expect(events.isEmpty, sourceLocation: sourceLocation)
        let honest = TestServer.controller("HONEST")
        let connection = try await connect()
        try await connection.waitForSetUp(sourceLocation: sourceLocation)
        let accessory = try await connection.pair(honest, code: try SetupCode(TestServer.code))
        try await connection.verify(honest, accessory)
        let pairings = try await connection.manage(.list)
        #expect(pairings == .list([Pairing(honest, .admin)]), sourceLocation: sourceLocation)
    }

    /// Waits until a connection has sent a part of a request.
    func waitForPartialRequest() async throws {
        while await !server.hasPartialRequest {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until the server knows of no connection any more.
    func waitForNoConnections() async throws {
        while await server.connectionCount > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// A write of `true` to the lamp's power, as a whole request.
    func writeOfPower() async throws -> HTTPRequest {
        let id = try await id(.on)
        let body = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":true}]}"#
        return HTTPRequest(
            .put,
            "/characteristics",
            host: "127.0.0.1",
            contentType: HAPContentType.json,
            body: Array(body.utf8)
        )
    }
}

extension ControllerConnection {
    /// Sends M1s until one is not answered with Busy: the end of another connection reaches the server in its own time,
    /// but before many answers.
    func waitForSetUp(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<1_000 where try await post("/pair-setup", RawSetup.m1).body != refusal(2, 7) { return }
        Issue.record("pair-setup stays busy", sourceLocation: sourceLocation)
    }
}

extension AccessoryServer {
    var connectionCount: Int { connections.count }

    fileprivate var hasPartialRequest: Bool {
        connections.values.contains { $0.controller != nil && $0.isReady && !$0.isBetweenRequests }
    }
}

/// A reply of pair-setup, pair-verify or the management of pairings that refuses.
func refusal(_ state: UInt8, _ error: UInt8) -> [UInt8] {
    [6, 1, state, 7, 1, error]
}
