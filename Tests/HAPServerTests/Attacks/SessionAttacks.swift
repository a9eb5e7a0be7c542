import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct SessionAttacks {
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

    @Test(arguments: [0, 1025, 2048, 0x8000, 0xFFFF])
    func aFrameOfAnotherLengthEndsTheConnection(_ length: Int) async throws {
        try await TestServer.run { server in
            let session = try await Session(server)
            let header = [UInt8(truncatingIfNeeded: length), UInt8(length >> 8)]
            try await session.connection.sendPlain(header + [UInt8](repeating: 0, count: length + 16))
            #expect(try await session.connection.untilClosed().isEmpty)
            try await server.expectUnharmed()
        }
    }

    @Test func framesThatAreAlteredRepeatedOrSwappedEndTheConnection() async throws {
        try await TestServer.run { server in
            let write = try await server.writeOfPower().encoded()
            let read = HTTPRequest(.get, "/accessories", host: "x").encoded()
            /// The bytes to send instead of a read and a write, which are one frame each.
            let attacks: [(name: String, bytes: (_ read: [UInt8], _ write: [UInt8]) -> [UInt8])] = [
                ("an altered tag", { _, write in write.dropLast() + [write[write.count - 1] ^ 1] }),
                ("an altered byte", { _, write in write.prefix(9) + [write[9] ^ 1] + write.dropFirst(10) }),
                ("another length", { _, write in [write[0] - 1] + write.dropFirst() }),
                ("a repeated frame", { read, write in read + read + write }),
                ("swapped frames", { read, write in write + read }),
                ("a missing frame", { _, write in write }),
            ]
            for attack in attacks {
                var session = try await Session(server)
                let frames = (try session.sealer.seal(read), try session.sealer.seal(write))
                try await session.connection.sendPlain(attack.bytes(frames.0, frames.1))
                try await session.connection.untilEnd()
                #expect(try await server.server.value(of: .on) == .bool(false), "\(attack.name)")
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aFrameOfAnotherSessionEndsTheConnection() async throws {
        try await TestServer.run { server in
            var first = try await Session(server)
            let second = try await Session(server)
            let frame = try first.sealer.seal(try await server.writeOfPower().encoded())
            try await second.connection.sendPlain(frame)
            #expect(try await second.connection.untilClosed().isEmpty)
            try await server.expectUnharmed()
        }
    }

    @Test func whatIsInTheClearAfterVerifyIsNotServed() async throws {
        try await TestServer.run { server in
            let session = try await Session(server)
            try await session.connection.sendPlain(try await server.writeOfPower().encoded())
            #expect(try await session.connection.untilClosed().isEmpty)
            try await server.expectUnharmed()
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

    @Test func requestsOfARemovedControllerAreNotServedThoughTheyWereReceived() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            let removal = HTTPRequest(
                .post,
                "/pairings",
                host: "x",
                body: PairingsRequest.remove(TestServer.admin.pairingID).encoded()
            )
            // Send both together, so that the write follows the removal of its permission.
            try await admin.send(removal.encoded() + (try await server.writeOfPower()).encoded())
            #expect(try await admin.response().body == [6, 1, 2])
            #expect(try await admin.untilClosed().isEmpty)
            #expect(try await server.server.value(of: .on) == .bool(false))
        }
    }
}
