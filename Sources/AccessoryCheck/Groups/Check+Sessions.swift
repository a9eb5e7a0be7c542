internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.5.2 (Session Security)"

    static let sessions: [Check] = [
        Check(
            "sessions.again",
            .must,
            .paired,
            "A controller that disconnected is verified again at once.",
            source
        ) { context in
            for _ in 0..<3 {
                let connection = try await context.newSession()
                let response = try await connection.get("/accessories")
                try context.expect(response.status == .ok, context.describe(response))
                try await connection.close()
            }
        },
        Check(
            "sessions.parallel",
            .must,
            .paired,
            "One controller can have several sessions, each with its own keys.",
            source
        ) { context in
            let sessions = [try await context.newSession(), try await context.newSession()]
            for _ in 0..<2 {
                for session in sessions {
                    let response = try await session.get("/accessories")
                    try context.expect(response.status == .ok, context.describe(response))
                }
            }
        },
        Check(
            "sessions.users",
            .must,
            .paired,
            "A user can read and write characteristics.",
            source
        ) { context in
            let subject = try await context.subject()
            let user = try await context.addController(.user)
            let session = try await context.session(as: user)
            try await context.change(subject, on: session)
            try await context.removeController(user)
        },
        Check(
            "sessions.half-verified",
            .security,
            .paired,
            "Between M2 and M3 of pair-verify, a connection is not verified.",
            "HAP 5.7 (Pair Verify)"
        ) { context in
            let connection = try await context.connect()
            _ = try await RawVerify(connection)
            try await context.expectUnverified(connection, "Between M2 and M3")
        },
    ]

    static let load: [Check] = [
        Check(
            "load.sessions",
            .must,
            .paired,
            "Eight controllers can be connected at once.",
            "HAP (TCP Requirements)"
        ) { context in
            var sessions: [ControllerConnection] = []
            for _ in 0..<8 { sessions.append(try await context.newSession()) }
            for (index, session) in sessions.enumerated() {
                let response: HTTPResponse
                do {
                    response = try await session.get("/characteristics?id=1.1")
                } catch {
                    throw CheckFailure("Session \(index + 1) of 8: \(CheckContext.describe(error))")
                }
                try context.expect(
                    response.status.rawValue < 400,
                    "Session \(index + 1) of 8: \(context.describe(response))"
                )
            }
        },
        Check(
            "load.idle",
            .security,
            .paired,
            "Idle connections without pair-verify don't keep a controller out.",
            "HAP (TCP Requirements)"
        ) { context in
            var idle: [ControllerConnection] = []
            for _ in 0..<16 {
                guard let connection = try? await context.connect() else { break }
                idle.append(connection)
            }
            let response = try await context.newSession().get("/accessories")
            try context.expect(response.status == .ok, context.describe(response))
            withExtendedLifetime(idle) {}
        },
        Check(
            "load.churn",
            .must,
            .paired,
            "Connections that come and go leave the accessory working.",
            "HAP (TCP Requirements)"
        ) { context in
            for _ in 0..<20 {
                let connection = try await context.connect()
                try await connection.sendPlain(Array("GET /acc".utf8))
                try await connection.close()
            }
            let response = try await context.newSession().get("/accessories")
            try context.expect(response.status == .ok, context.describe(response))
        },
        Check(
            "load.requests",
            .must,
            .paired,
            "Fifty reads in succession are answered.",
            "HAP (TCP Requirements)"
        ) { context in
            let connection = try await context.newSession()
            let id = try await context.readable()[0].id
            for number in 1...50 {
                let response = try await connection.get("/characteristics?id=\(id)")
                try context.expect(response.status == .ok, "Read \(number): \(context.describe(response))")
            }
        },
    ]
}
