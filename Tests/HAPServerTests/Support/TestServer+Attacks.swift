import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

extension TestServer {
    /// Expects that a paired server's pairings and values are unchanged, and that it serves an honest controller.
    func expectUnharmed(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let honest = try await connect(as: TestServer.admin)
        #expect(try await honest.get("/accessories").status == .ok, sourceLocation: sourceLocation)
        let pairings = try await honest.manage(.list)
        #expect(pairings == .list(TestServer.pairings), sourceLocation: sourceLocation)
        #expect(try await server.value(of: .on) == .bool(false), sourceLocation: sourceLocation)
        #expect(try await server.value(of: .brightness) == .integer(50), sourceLocation: sourceLocation)
        #expect(await events.isEmpty, sourceLocation: sourceLocation)
        try await honest.close()
    }

    /// Expects that no controller is paired, and that an honest one can pair.
    func expectUnpaired(
        _ storage: MemoryStorage,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try storage.load(StoredPairings.self)?.pairings == [], sourceLocation: sourceLocation)
        #expect(await events.isEmpty, sourceLocation: sourceLocation)
        let honest = TestServer.controller("HONEST")
        let connection = try await connect()
        try await connection.waitForSetUp(sourceLocation: sourceLocation)
        let accessory = try await connection.pair(honest, code: try SetupCode(TestServer.code))
        try await connection.verify(honest, accessory)
        let pairings = try await connection.manage(.list)
        #expect(pairings == .list([Pairing(honest, .admin)]), sourceLocation: sourceLocation)
    }

    /// Waits until the server has received part of a request.
    func waitForPartialRequest() async throws {
        while await !server.hasPartialRequest {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Waits until the server has no connections.
    func waitForNoConnections() async throws {
        while await server.connectionCount > 0 {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    /// Returns a complete request that writes `true` to the lamp's power.
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
    /// Sends M1 until the answer isn't Busy, because the server takes a while to notice that another connection closed.
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

/// Returns a refusal of pair-setup, pair-verify or a pairings request.
func refusal(_ state: UInt8, _ error: UInt8) -> [UInt8] {
    [6, 1, state, 7, 1, error]
}
