internal import Crypto
internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// The suite's controller, an admin.
    func controller() throws -> ControllerIdentity {
        guard let pairing else { throw CheckNotApplicable("There is no pairing.") }
        return pairing.controller
    }

    /// Throws unless a connection in the clear is refused the database.
    func expectUnverified(_ connection: ControllerConnection, _ what: String) async throws {
        do {
            let response = try await connection.get("/accessories")
            try expect(response.status.rawValue >= 400, "\(what), GET /accessories: \(describe(response))")
        } catch is ControllerConnection.Closed {
            // A closed connection tells nothing.
        }
    }
}

extension Check {
    private static let source = "HAP 5.7 (Pair Verify)"

    static let pairVerify: [Check] = [
        Check(
            "pair-verify.exchange",
            .must,
            .paired,
            "A paired controller is verified, and the accessory proves its identity in M2.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.get("/accessories")
            try context.expect(response.status == .ok, "GET /accessories after M4: \(context.describe(response))")
        },
        Check(
            "pair-verify.m4",
            .must,
            .paired,
            "M4 has State 4 and nothing else.",
            source
        ) { context in
            let connection = try await context.connect()
            let exchange = try await RawVerify(connection)
            let m4 = try await connection.post("/pair-verify", exchange.m3(exchange.payload(context.controller())))
            try context.expect(m4.status == .ok && m4.body == [6, 1, 4], "M4: \(context.describe(m4))")
        },
        Check(
            "pair-verify.fresh-key",
            .security,
            .paired,
            "Each exchange has another ephemeral key.",
            source
        ) { context in
            let connection = try await context.connect()
            let keys = [try await RawVerify(connection).accessoryKey, try await RawVerify(connection).accessoryKey]
            try context.expect(keys[0] != keys[1], "The same public key in two exchanges")
        },
        Check(
            "pair-verify.restart",
            .must,
            .paired,
            "Another M1 on the same connection begins a new exchange.",
            source
        ) { context in
            let connection = try await context.connect()
            _ = try await RawVerify(connection)
            let exchange = try await RawVerify(connection)
            let m4 = try await connection.post("/pair-verify", exchange.m3(exchange.payload(context.controller())))
            try context.expect(
                RawMessage.values(m4.body)[7] == nil && m4.status == .ok,
                "M3 of the second exchange: \(context.describe(m4))"
            )
        },
        Check(
            "pair-verify.unknown-controller",
            .security,
            .paired,
            "A controller that isn't paired gets the error Authentication, and stays unverified.",
            source
        ) { context in
            let connection = try await context.connect()
            let exchange = try await RawVerify(connection)
            let m4 = try await connection.post(
                "/pair-verify",
                exchange.m3(exchange.payload(CheckContext.newController()))
            )
            try context.expectError(m4, state: 4, error: .authentication, "M3 of an unknown controller")
            try await context.expectUnverified(connection, "After a refused M3")
        },
        Check(
            "pair-verify.signature",
            .security,
            .paired,
            "A wrong signature gets the error Authentication.",
            source
        ) { context in
            let controller = try context.controller()
            let impostor = ControllerIdentity(pairingID: controller.pairingID, keyPair: .random())
            let connection = try await context.connect()
            let exchange = try await RawVerify(connection)
            let m4 = try await connection.post("/pair-verify", exchange.m3(exchange.payload(impostor)))
            try context.expectError(m4, state: 4, error: .authentication, "M3 signed with another key")
        },
        Check(
            "pair-verify.tag",
            .security,
            .paired,
            "An M3 that was altered gets the error Authentication.",
            source
        ) { context in
            let connection = try await context.connect()
            let exchange = try await RawVerify(connection)
            var m3 = try exchange.m3(exchange.payload(context.controller()))
            m3[m3.count - 1] ^= 1
            let m4 = try await connection.post("/pair-verify", m3)
            try context.expectError(m4, state: 4, error: .authentication, "M3 with an altered tag")
        },
        Check(
            "pair-verify.order",
            .security,
            .paired,
            "M3 without M1 is refused.",
            source
        ) { context in
            let connection = try await context.connect()
            let m3 = RawMessage.tlv((6, [3]), (5, [UInt8](repeating: 0, count: 120)))
            try context.expectRefusal(try await connection.post("/pair-verify", m3), "M3 as the first message")
        },
        Check(
            "pair-verify.key-length",
            .must,
            .paired,
            "A public key that doesn't have 32 bytes is refused.",
            source
        ) { context in
            for count in [0, 31, 33] {
                let connection = try await context.connect()
                let m1 = RawMessage.tlv((6, [1]), (3, [UInt8](repeating: 9, count: count)))
                try context.expectRefusal(
                    try await connection.post("/pair-verify", m1),
                    "M1 with a key of \(count) bytes"
                )
            }
        },
        Check(
            "pair-verify.low-order",
            .security,
            .paired,
            "A public key of low order, which makes the shared secret zero, is refused.",
            "RFC 7748, 6.1"
        ) { context in
            let connection = try await context.connect()
            let m1 = RawMessage.tlv((6, [1]), (3, [UInt8](repeating: 0, count: 32)))
            try context.expectRefusal(try await connection.post("/pair-verify", m1), "M1 with a key of zeros")
        },
        Check(
            "pair-verify.malformed",
            .must,
            .paired,
            "An M1 that ends within a value is refused.",
            "HAP 14.1 (TLVs)"
        ) { context in
            let connection = try await context.connect()
            let m1: [UInt8] = [6, 1, 1, 3, 32, 9, 9]
            try context.expectRefusal(try await connection.post("/pair-verify", m1), "A cut M1")
        },
        Check(
            "pair-verify.secured",
            .should,
            .paired,
            "On a secured connection, pair-verify gets HTTP 400.",
            source
        ) { context in
            let connection = try await context.newSession()
            let key = Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation
            let response = try await connection.post("/pair-verify", RawMessage.tlv((6, [1]), (3, Array(key))))
            try context.expect(response.status == .badRequest, "M1 in a session: \(context.describe(response))")
        },
        Check(
            "pair-verify.removed",
            .security,
            .removed,
            "A controller whose pairing was removed isn't verified.",
            source
        ) { context in
            let connection = try await context.connect()
            let key = Curve25519.KeyAgreement.PrivateKey().publicKey.rawRepresentation
            let m1 = RawMessage.tlv((6, [1]), (3, Array(key)))
            let m2 = try await connection.post("/pair-verify", m1)
            if m2.status.rawValue >= 400 || RawMessage.values(m2.body)[7] != nil { return }
            let exchange = try await RawVerify(connection)
            let m3 = try exchange.m3(exchange.payload(CheckContext.newController()))
            try context.expectRefusal(try await connection.post("/pair-verify", m3), "M3 at an unpaired accessory")
        },
    ]
}
