import AccessoryCheck
import Crypto
import HAP
import HAPCatalog

@testable import ControllerCheck

/// A controller that is wrong in one way, so that a check fails.
struct Twin: Sendable {
    /// Whether it is paired before the scenario.
    var isPaired = true
    let run: @Sendable (ScriptedController) async throws -> DriveOutcome

    init(isPaired: Bool = true, _ run: @escaping @Sendable (ScriptedController) async throws -> Void) {
        self.isPaired = isPaired
        self.run = { controller in
            try await run(controller)
            return .exited(0)
        }
    }

    init(ending outcome: DriveOutcome, _ run: @escaping @Sendable (ScriptedController) async throws -> Void) {
        self.run = { controller in
            try await run(controller)
            return outcome
        }
    }
}

/// For each check, a controller at which it fails.
enum Twins {
    static let all: [String: Twin] = {
        var all: [String: Twin] = [:]
        for table in [pairing, messages, characteristics, tolerance, discovery, database, setup, verify, session] {
            all.merge(table) { first, _ in first }
        }
        return all
    }()
}

// MARK: A good bridge

extension Twins {
    private static let pairing: [String: Twin] = [
        "setup.first-message": Twin(isPaired: false) { controller in
            _ = try await controller.connect().post("/pair-setup", [6, 1, 1, 0, 1, 9])
        },
        "setup.proof": Twin(isPaired: false) { controller in
            let connection = try await controller.connect()
            _ = try await connection.post("/pair-setup", RawSetup.m1)
            let key = [UInt8](repeating: 9, count: 384)
            _ = try await connection.post("/pair-setup", RawMessage.tlv((6, [3]), (3, key), (4, [1, 2, 3])))
        },
        "setup.signature": Twin(isPaired: false) { controller in
            let connection = try await controller.connect()
            let setup = try await RawSetup(connection, code: controller.place.code)
            let key = Curve25519.Signing.PrivateKey()
            let payload = RawMessage.tlv(
                (1, Array("twin".utf8)),
                (3, Array(key.publicKey.rawRepresentation)),
                (10, [UInt8](repeating: 1, count: 64))
            )
            _ = try await connection.post("/pair-setup", try setup.m5(payload))
        },
        "setup.content-type": Twin(isPaired: false) { controller in
            let host = controller.place.host
            let request = HTTPRequest(.post, "/pair-setup", host: host, contentType: "text/plain", body: RawSetup.m1)
            _ = try await controller.connect().ask(request)
        },
        "verify.before-requests": Twin { controller in
            _ = try await controller.connect().get("/accessories")
        },
        "verify.accepted": Twin { controller in
            let connection = try await controller.connect()
            let verify = try await RawVerify(connection)
            let identifier = Array(TestRun.admin.pairingID.description.utf8)
            let payload = RawMessage.tlv((1, identifier), (10, [UInt8](repeating: 1, count: 64)))
            _ = try await connection.post("/pair-verify", try verify.m3(payload))
        },
        "pairings.own": Twin { controller in
            _ = try await controller.session().get("/accessories")
        },
    ]

    private static let messages: [String: Twin] = [
        "messages.host": Twin { controller in
            _ = try await controller.session().ask(HTTPRequest(method: .get, target: "/accessories"))
        },
        "messages.content-type": Twin { controller in
            let connection = try await controller.session()
            let on = try await controller.ids(connection).on
            let body = Array(#"{"characteristics":[{"aid":\#(on.aid),"iid":\#(on.iid),"value":1}]}"#.utf8)
            let host = controller.place.host
            _ = try await connection.ask(
                HTTPRequest(.put, "/characteristics", host: host, contentType: "text/plain", body: body)
            )
        },
        "messages.one-at-a-time": Twin { controller in
            let connection = try await controller.session()
            let request = HTTPRequest(.get, "/accessories", host: controller.place.host).encoded()
            try await connection.send(request + request)
            for _ in 0..<2 { _ = try await connection.response() }
        },
        "messages.exact": Twin { controller in
            _ = try await controller.session().get("/accessories?all=1")
        },
        "frames.length": Twin { controller in
            let connection = try await controller.session()
            _ = try await connection.get("/accessories")
            try await connection.sendPlain([0x00, 0x05] + [UInt8](repeating: 0, count: 1280 + 16))
            try await connection.untilEnd()
        },
        "frames.counter": Twin { controller in
            let connection = try await controller.session()
            _ = try await connection.get("/accessories")
            let request = HTTPRequest(.get, "/accessories", host: controller.place.host).encoded()
            let frame = try connection.sealed(request)
            try await connection.sendPlain(frame)
            _ = try await connection.response()
            try await connection.sendPlain(frame)
            try await connection.untilEnd()
        },
        "session.persistent": Twin { controller in
            for _ in 0..<3 {
                let connection = try await controller.session()
                _ = try await connection.get("/accessories")
                try await connection.close()
            }
        },
    ]

    private static let characteristics: [String: Twin] = [
        "database.listed": Twin(isPaired: false) { controller in
            let connection = try await controller.connect()
            let accessory = try await connection.pair(TestRun.admin, code: controller.place.code)
            try await connection.verify(TestRun.admin, accessory)
            try await controller.read(CharacteristicID(aid: 1, iid: 3), on: connection)
        },
        "reads.readable": Twin { controller in
            let connection = try await controller.session()
            try await controller.read(CharacteristicID(aid: 1, iid: 2), on: connection)
        },
        "writes.existing": Twin { controller in
            let connection = try await controller.session()
            try await controller.write(CharacteristicID(aid: 9, iid: 9), #""value":1"#, on: connection)
        },
        "writes.writable": Twin { controller in
            let connection = try await controller.session()
            let id = try await controller.ids(connection).manufacturer
            try await controller.write(id, #""value":"x""#, on: connection)
        },
        "writes.value": Twin { controller in
            let connection = try await controller.session()
            let id = try await controller.ids(connection).brightness
            try await controller.write(id, #""value":500"#, on: connection)
        },
        "timed-writes.used": Twin { controller in
            let connection = try await controller.session()
            let id = try await controller.ids(connection).timed
            try await controller.write(id, #""value":true"#, on: connection)
        },
        "timed-writes.fresh": Twin { controller in
            let connection = try await controller.session()
            let id = try await controller.ids(connection).timed
            for value in ["true", "false"] {
                _ = try await connection.put("/prepare", #"{"ttl":60000,"pid":7}"#)
                try await controller.write(id, #""value":\#(value)"#, #","pid":7"#, on: connection)
            }
        },
        "events.supported": Twin { controller in
            let connection = try await controller.session()
            let id = try await controller.ids(connection).manufacturer
            try await controller.write(id, #""ev":true"#, on: connection)
        },
        "events.batch": Twin { controller in
            let connection = try await controller.session()
            let ids = try await controller.ids(connection)
            for id in [ids.on, ids.brightness, ids.timed] {
                try await controller.write(id, #""ev":true"#, on: connection)
            }
        },
    ]
}

// MARK: What few accessories do

extension Twins {
    /// A controller that lists the accessories, subscribes and does something, after which it is gone.
    private static func subscriber(
        _ body: @escaping @Sendable (ScriptedController, ControllerConnection, CharacteristicID) async throws -> Void
    ) -> Twin {
        Twin { controller in
            let connection = try await controller.session()
            let on = try await controller.ids(connection).on
            try await controller.write(on, #""ev":true"#, on: connection)
            try await body(controller, connection, on)
        }
    }

    private static let tolerance: [String: Twin] = [
        "frames.pieces": Twin { controller in
            _ = try await controller.session().get("/accessories")
        },
        "messages.chunked": Twin { controller in
            _ = try await controller.session().get("/accessories")
        },
        "events.together": subscriber { controller, connection, on in
            try await controller.read(on, on: connection)
        },
        "messages.multi-status": Twin { controller in
            let connection = try await controller.session()
            try await controller.read(try await controller.ids(connection).on, on: connection)
        },
        "messages.patience": Twin { controller in
            let connection = try await controller.session()
            let on = try await controller.ids(connection).on
            try await controller.send(controller.readRequest(on), times: 9, on: connection)
            for _ in 0..<9 { _ = try await connection.response() }
        },
        "messages.late": Twin { controller in
            let connection = try await controller.session()
            let on = try await controller.ids(connection).on
            try await controller.send(controller.readRequest(on), on: connection)
        },
        "messages.late-repeat": Twin { controller in
            let connection = try await controller.session()
            let other = try await controller.session()
            let on = try await controller.ids(connection).on
            try await controller.send(controller.readRequest(on), on: connection)
            try await controller.read(on, on: other)
            _ = try await connection.response()
        },
        "session.again": subscriber { controller, connection, on in
            _ = try? await controller.read(on, on: connection)
            try await connection.close()
            _ = try await RawVerify(try await controller.connect())
        },
        "session.fresh-key": Twin { controller in
            let key = Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
            for _ in 0..<2 {
                _ = try await controller.connect().post("/pair-verify", RawMessage.tlv((6, [1]), (3, key)))
            }
        },
        "session.subscribe-again": subscriber { controller, connection, on in
            _ = try? await controller.read(on, on: connection)
            try await controller.read(on, on: try await controller.session())
        },
        "session.unauthorized": Twin { controller in
            let connection = try await controller.session()
            let on = try await controller.ids(connection).on
            for _ in 0..<2 { try await controller.read(on, on: connection) }
        },
    ]

    private static let discovery: [String: Twin] = [
        "discovery.unfamiliar": Twin { controller in
            _ = try await RawVerify(try await controller.connect())
        },
        "discovery.grown": deaf,
        "discovery.other-number": deaf,
        "discovery.wrong-status": Twin { controller in
            let connection = try await controller.session()
            _ = try await connection.get("/accessories")
            _ = try await controller.connect().post("/pair-setup", RawSetup.m1)
        },
    ]

    private static let database: [String: Twin] = [
        "database.repeated-aid": confused,
        "database.repeated-iid": confused,
        "database.repeated-type": Twin { controller in
            let connection = try await controller.session()
            // The last of the type.
            let on = try await controller.ids(connection).on
            try await controller.write(on, #""value":true"#, on: connection)
        },
        "discovery.moved-ids": subscriber { controller, connection, on in
            _ = try? await controller.read(on, on: connection)
            let again = try await controller.sessionAfterRestart()
            try await Task.sleep(for: .milliseconds(3100))
            try await controller.read(on, on: again)
        },
        "writes.moved-ids": persistent,
        "writes.swapped-ids": persistent,
    ]

    /// A controller that takes an ID that occurs twice for two characteristics.
    private static let confused = Twin { controller in
        let connection = try await controller.session()
        let ids = try await controller.ids(connection)
        try await controller.write(ids.on, #""value":true"#, on: connection)
        try await controller.write(ids.brightness, #""value":50"#, on: connection)
    }

    /// A controller that lists the accessories again, and goes on with the IDs that it had.
    private static let persistent = subscriber { controller, connection, on in
        _ = try? await controller.read(on, on: connection)
        let again = try await controller.sessionAfterRestart()
        _ = try await again.get("/accessories")
        try await controller.write(on, #""value":true"#, on: again)
    }

    /// A controller that doesn't hear of changes.
    private static let deaf = Twin { controller in
        let connection = try await controller.session()
        let on = try await controller.ids(connection).on
        try await Task.sleep(for: .milliseconds(3100))
        try await controller.read(on, on: connection)
    }
}

// MARK: Lies

extension Twins {
    /// A controller that goes on with pair-setup whatever comes, up to a message.
    private static func credulous(upTo state: UInt8) -> Twin {
        Twin(isPaired: false) { controller in
            let connection = try await controller.connect()
            let m2 = RawMessage.values(try await connection.post("/pair-setup", RawSetup.m1).body)
            var random = SystemRandomNumberGenerator()
            let m3: [UInt8]
            if state > 3 {
                let client = try SRPClient(
                    setupCode: controller.place.code,
                    salt: m2[2] ?? [],
                    serverKey: m2[3] ?? [],
                    using: &random
                )
                m3 = RawMessage.tlv((6, [3]), (3, client.publicKey), (4, client.proof))
            } else {
                let bytes = [UInt8](repeating: 9, count: 384)
                m3 = RawMessage.tlv((6, [3]), (3, bytes), (4, Array(bytes.prefix(64))))
            }
            _ = try await connection.post("/pair-setup", m3)
            if state > 3 { _ = try await connection.post("/pair-setup", RawMessage.tlv((6, [5]), (5, [1, 2, 3]))) }
        }
    }

    /// A controller that believes any M6.
    private static let pairsAnyway = Twin(isPaired: false) { controller in
        let connection = try await controller.connect()
        let setup = try await RawSetup(connection, code: controller.place.code)
        let key = Curve25519.Signing.PrivateKey()
        _ = try await connection.post("/pair-setup", try setup.m5(try setup.payload(Array("twin".utf8), key)))
        _ = try await connection.post("/pair-verify", [6, 1, 1, 3, 1, 9])
    }

    /// A controller that starts pair-setup again and again.
    private static let impatient = Twin(isPaired: false) { controller in
        let connection = try await controller.connect()
        let type = HAPContentType.pairing
        let host = controller.place.host
        let m1 = HTTPRequest(.post, "/pair-setup", host: host, contentType: type, body: RawSetup.m1)
        try await controller.send(m1, times: 9, on: connection)
        for _ in 0..<9 { _ = try await connection.response() }
    }

    private static let setup: [String: Twin] = [
        "setup.zero-key": credulous(upTo: 3),
        "setup.wrong-proof": credulous(upTo: 5),
        "setup.wrong-setup-tag": pairsAnyway,
        "setup.wrong-setup-signature": pairsAnyway,
        "setup.other-device-id": pairsAnyway,
        "setup.busy": impatient,
        "setup.max-tries": impatient,
        "setup.backoff": impatient,
        "setup.unavailable": credulous(upTo: 3),
    ]

    /// A controller that goes on with pair-verify whatever M2 is.
    private static let trusting = Twin { controller in
        let connection = try await controller.connect()
        let key = Array(Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation)
        _ = try await connection.post("/pair-verify", RawMessage.tlv((6, [1]), (3, key)))
        _ = try await connection.post("/pair-verify", RawMessage.tlv((6, [3]), (5, [1, 2, 3])))
    }

    private static let verify: [String: Twin] = [
        "verify.impostor": trusting,
        "verify.wrong-signature": trusting,
        "verify.low-order-key": trusting,
        "verify.other-identifier": trusting,
        "verify.wrong-verify-tag": trusting,
        "verify.refused": Twin { controller in
            let connection = try await controller.connect()
            var random = SystemRandomNumberGenerator()
            var exchange = PairVerifyController(identity: TestRun.admin, accessory: controller.accessory)
            let m2 = try await connection.post("/pair-verify", exchange.start(using: &random)).body
            _ = try await connection.post("/pair-verify", try exchange.handleM2(m2))
            // It doesn't look at M4.
            let keys = try exchange.handleM4([6, 1, 4])
            connection.secure(
                accessoryToController: keys.accessoryToController,
                controllerToAccessory: keys.controllerToAccessory
            )
            _ = try await connection.get("/accessories")
        },
        "verify.keeps-pairing": Twin { controller in
            let connection = try await controller.connect()
            try? await connection.verify(TestRun.admin, controller.accessory)
            _ = try await controller.connect().post("/pair-setup", RawSetup.m1)
        },
    ]

    /// A controller that goes on with a session whatever comes.
    private static let carefree = Twin { controller in
        let connection = try await controller.session()
        let on = try await controller.ids(connection).on
        let count = controller.place.course().exchanges.count
        try await controller.send(controller.readRequest(on), times: 3, on: connection)
        // Closing the connection earlier could keep the accessory from handling all.
        while controller.place.course().exchanges.count < count + 3 { try await Task.sleep(for: .milliseconds(2)) }
        try await connection.close()
    }

    private static let session: [String: Twin] = [
        "frames.wrong-tag": carefree,
        "frames.replayed": carefree,
        "frames.in-the-clear": carefree,
        "frames.too-long": carefree,
        "messages.malformed": carefree,
        "messages.too-large": carefree,
        "messages.two-lengths": carefree,
        "database.malformed": Twin { controller in
            let connection = try await controller.session()
            _ = try await connection.get("/accessories")
            try await controller.write(CharacteristicID(aid: 2, iid: 9), #""value":true"#, on: connection)
        },
        "events.flood": subscriber { controller, connection, on in
            try await controller.send(controller.readRequest(on), on: connection)
        },
        "events.foreign": subscriber { controller, connection, on in
            try await controller.send(controller.readRequest(on), on: connection)
        },
        "program.alive": Twin(ending: .signaled(11)) { controller in
            _ = try await controller.session().get("/accessories")
        },
    ]
}
