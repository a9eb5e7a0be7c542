internal import HAP
internal import HAPCatalog

extension CheckContext {
    /// Sends M1 of pair-setup until the answer isn't Busy: an accessory takes a moment to notice that the connection of
    /// the former attempt is closed.
    func beginSetup(
        _ connection: ControllerConnection,
        _ m1: [UInt8] = RawSetup.m1
    ) async throws -> HTTPResponse {
        let end = ContinuousClock.now + options.responseTime
        while true {
            let response = try await connection.post("/pair-setup", m1)
            guard RawMessage.values(response.body)[7] == [7], ContinuousClock.now < end else { return response }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    /// Throws unless a response is an M2 with a salt and a public key.
    func expectM2(_ response: HTTPResponse, _ what: String) throws(CheckFailure) {
        let values = RawMessage.values(response.body)
        let isM2 =
            response.status == .ok && values[6] == [2] && values[7] == nil && values[2]?.count == 16
            && (1...384).contains(values[3]?.count ?? 0)
        try expect(isM2, "\(what): \(describe(response))")
    }
}

extension Check {
    private static let source = "HAP 5.6 (Pair Setup)"
    private static let noProof = [UInt8](repeating: 0, count: 64)
    private static let wrongM3 = RawMessage.tlv((6, [3]), (3, [2]), (4, noProof))

    private static func observed(
        _ context: CheckContext,
        _ message: KeyPath<ObservedSetup, HTTPResponse?>
    ) throws(CheckNotApplicable) -> HTTPResponse {
        guard let response = context.setup?[keyPath: message] else {
            throw CheckNotApplicable("Pairing didn't get that far.")
        }
        return response
    }

    static let pairSetup: [Check] = [
        Check(
            "pair-setup.m2",
            .must,
            .unpaired,
            "M2 has State 2, a salt of 16 bytes and a public key of at most 384 bytes.",
            source
        ) { context in
            let connection = try await context.connect()
            try context.expectM2(try await context.beginSetup(connection), "M1")
        },
        Check(
            "pair-setup.content-type",
            .must,
            .unpaired,
            "Answers to pairing messages have the content type application/pairing+tlv8.",
            source
        ) { context in
            let connection = try await context.connect()
            let type = try await context.beginSetup(connection).headers["Content-Type"]
            try context.expect(
                type?.lowercased() == HAPContentType.pairing,
                "Content-Type: \(PrintableText.excerpt(type ?? "(none)"))"
            )
        },
        Check(
            "pair-setup.fresh-key",
            .security,
            .unpaired,
            "Each attempt has another SRP public key.",
            "RFC 5054, 2.5.3"
        ) { context in
            let connection = try await context.connect()
            let keys = [
                RawMessage.values(try await context.beginSetup(connection).body)[3],
                RawMessage.values(try await context.beginSetup(connection).body)[3],
            ]
            try context.expect(keys[0] != nil && keys[0] != keys[1], "The same public key in two attempts")
        },
        Check(
            "pair-setup.restart",
            .must,
            .unpaired,
            "Another M1 on the same connection begins a new attempt.",
            source
        ) { context in
            let connection = try await context.connect()
            _ = try await context.beginSetup(connection)
            try context.expectM2(try await connection.post("/pair-setup", RawSetup.m1), "The second M1")
        },
        Check(
            "pair-setup.busy",
            .must,
            .unpaired,
            "While an attempt is in progress, another connection gets the error Busy.",
            source
        ) { context in
            let first = try await context.connect()
            try context.expectM2(try await context.beginSetup(first), "M1")
            let second = try await context.connect()
            let response = try await second.post("/pair-setup", RawSetup.m1)
            try context.expectError(response, state: 2, error: .busy, "M1 on a second connection")
            withExtendedLifetime(first) {}
        },
        Check(
            "pair-setup.abandoned",
            .must,
            .unpaired,
            "Closing the connection of an attempt lets another connection begin.",
            source
        ) { context in
            let first = try await context.connect()
            _ = try await context.beginSetup(first)
            try await first.close()
            let second = try await context.connect()
            try context.expectM2(try await context.beginSetup(second), "M1 after the first connection was closed")
        },
        Check(
            "pair-setup.method",
            .should,
            .unpaired,
            "Without Apple's authentication chip, the method 1 (with authentication) is taken as 0.",
            source
        ) { context in
            let connection = try await context.connect()
            let m1 = RawMessage.tlv((6, [1]), (0, [1]))
            try context.expectM2(try await context.beginSetup(connection, m1), "M1 with method 1")
        },
        Check(
            "pair-setup.unknown-types",
            .must,
            .unpaired,
            "Unknown TLV types are ignored.",
            "HAP 14.1 (TLVs)"
        ) { context in
            let connection = try await context.connect()
            let m1 = RawMessage.tlv((0x99, [1, 2, 3]), (0, [0]), (6, [1]))
            try context.expectM2(try await context.beginSetup(connection, m1), "M1 with type 0x99")
        },
        Check(
            "pair-setup.malformed",
            .must,
            .unpaired,
            "An M1 that ends within a value is refused.",
            "HAP 14.1 (TLVs)"
        ) { context in
            let connection = try await context.connect()
            try context.expectRefusal(try await connection.post("/pair-setup", [6, 1, 1, 0, 5, 0]), "A cut M1")
        },
        Check(
            "pair-setup.order",
            .security,
            .unpaired,
            "M3 and M5 without the message before them are refused.",
            source
        ) { context in
            let connection = try await context.connect()
            for message in [wrongM3, RawMessage.tlv((6, [5]), (5, noProof))] {
                try context.expectRefusal(
                    try await connection.post("/pair-setup", message),
                    "M\(message[2]) as the first message"
                )
            }
        },
        Check(
            "pair-setup.proof",
            .must,
            .pairing,
            "M4 has State 4 and a proof that the accessory knows the setup code.",
            source
        ) { context in
            let m4 = try observed(context, \.m4)
            try context.expect(
                context.setup?.isProven == true,
                "\(context.describe(m4)); \(context.setup?.failure?.reason ?? "")"
            )
        },
        Check(
            "pair-setup.exchange",
            .must,
            .pairing,
            "M6 has State 6 and, encrypted, the accessory's identifier, public key and signature.",
            source
        ) { context in
            if let failure = context.setup?.failure { throw CheckFailure(CheckContext.describe(failure)) }
        },
        Check(
            "pair-setup.paired",
            .security,
            .paired,
            "While a controller is paired, M1 gets the error Unavailable.",
            source
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.post("/pair-setup", RawSetup.m1)
            try context.expectError(response, state: 2, error: .unavailable, "M1 at a paired accessory")
        },
        Check(
            "pair-setup.secured",
            .should,
            .paired,
            "On a secured connection, pair-setup gets HTTP 400.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.post("/pair-setup", RawSetup.m1)
            try context.expect(response.status == .badRequest, "M1 in a session: \(context.describe(response))")
        },
        Check(
            "pair-setup.again",
            .must,
            .removed,
            "Once the last admin is removed, pairing is possible again.",
            source
        ) { context in
            let connection = try await context.connect()
            try context.expectM2(try await context.beginSetup(connection), "M1 after the pairing was removed")
        },
        Check(
            "pair-setup.wrong-proof",
            .security,
            .removed,
            "A wrong proof in M3 gets the error Authentication, and ends the attempt.",
            source
        ) { context in
            let connection = try await context.connect()
            _ = try await context.beginSetup(connection)
            context.failedTries += 1
            let response = try await connection.post("/pair-setup", wrongM3)
            try context.expectError(response, state: 4, error: .authentication, "M3 with a wrong proof")
            let m5 = RawMessage.tlv((6, [5]), (5, noProof))
            try context.expectRefusal(try await connection.post("/pair-setup", m5), "M5 after a wrong proof")
        },
    ]
}
