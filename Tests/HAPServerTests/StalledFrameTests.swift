import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct StalledFrameTests {
    /// A session of the user with hand-made frames.
    private struct Session {
        let connection: ControllerConnection
        var sealer: FrameSealer

        /// Verifies without framing by the connection.
        init(_ server: TestServer) async throws {
            connection = try await server.connect()
            var random = SystemRandomNumberGenerator()
            var exchange = PairVerifyController(identity: TestServer.user, accessory: server.accessory)
            let m2 = try await connection.post("/pair-verify", exchange.start(using: &random))
            let m4 = try await connection.post("/pair-verify", try exchange.handleM2(m2.body))
            sealer = FrameSealer(key: try exchange.handleM4(m4.body).controllerToAccessory)
        }
    }

    /// The bytes that were sent before the sender stalled in the middle of a frame.
    enum Stall: CaseIterable {
        case nothing, wholeRequest, partOfRequest
    }

    @Test(arguments: Stall.allCases, [1, 2, 30])
    func aFrameThatNeverEndsIsGivenUpWhateverCameBefore(_ stall: Stall, _ count: Int) async throws {
        var limits = ServerLimits()
        limits.requestTime = .milliseconds(100)
        try await TestServer.run(limits: limits) { server in
            var session = try await Session(server)
            let write = try await server.writeOfPower().encoded()
            var before: [UInt8] = []
            switch stall {
            case .nothing: break
            case .wholeRequest: before = try session.sealer.seal(HTTPRequest(.get, "/nothing", host: "x").encoded())
            case .partOfRequest: before = try session.sealer.seal(Array("GET /acc".utf8))
            }
            let frame = try session.sealer.seal(write)
            try await session.connection.sendPlain(before + frame.prefix(count))
            try await session.connection.untilEnd()
            try await server.expectUnharmed()
        }
    }

}
