internal import HAP
internal import HAPCatalog
internal import NIOCore

extension CheckContext {
    /// The number of connections of a flood. More than 64 displace others at Hearth's own server.
    static let floodCount = 70

    /// Opens connections until there are as many as asked for, or the accessory accepts no more, and starts an operation
    /// on each. An accessory may refuse each of them.
    func flood(
        _ count: Int = CheckContext.floodCount,
        _ begin: (ControllerConnection) async throws -> Void
    ) async throws -> [ControllerConnection] {
        var connections: [ControllerConnection] = []
        for _ in 0..<count {
            try Task.checkCancellation()
            guard let connection = try? await connect() else { break }
            try? await begin(connection)
            connections.append(connection)
        }
        return connections
    }

    /// Opens connections on which requests arrive a byte at a time, for as long as an operation runs.
    func withTrickles(_ count: Int, _ operation: (_ count: Int) async throws -> Void) async throws {
        var trickles: [Task<Void, Never>] = []
        defer { for trickle in trickles { trickle.cancel() } }
        let connections = try await flood(count) { connection in
            try await connection.send(Array("POST /pair-setup HTTP/1.1\r\nA: ".utf8))
            trickles.append(connection.trickle())
        }
        try await operation(connections.count)
        for connection in connections { try await connection.close() }
    }
}

extension Check {
    private static let source = "HAP (TCP Requirements)"

    /// Returns an attack with many connections, during which an honest controller must be served.
    private static func flood(
        _ name: String,
        _ requirement: String,
        _ begin: @escaping @Sendable (CheckContext, ControllerConnection) async throws -> Void
    ) -> Check {
        attack(name, .pairedAttack, requirement, source) { context in
            let connections = try await context.flood { try await begin(context, $0) }
            try await context.expectServed("During \(connections.count) connections")
            for connection in connections { try await connection.close() }
        }
    }

    /// Floods: bounded numbers of connections and requests.
    static let floodAttacks: [Check] = [
        attack(
            "flood-slow",
            .pairedAttack,
            "Idle connections, and requests that arrive a byte at a time, don't keep a controller out.",
            source
        ) { context in
            let idle = try await context.flood(60) { _ in }
            try await context.withTrickles(20) { count in
                try await context.expectServed("During \(idle.count) idle and \(count) slow connections")
            }
            for connection in idle { try await connection.close() }
        },
        flood("flood-verify-junk", "Connections that sent junk to pair-verify don't keep a controller out.") {
            _ = try await $1.post("/pair-verify", [0xFF])
        },
        flood("flood-setup-junk", "Connections that sent junk to pair-setup don't keep a controller out.") {
            _ = try await $1.post("/pair-setup", [0xFF])
        },
        flood("flood-half-verified", "Connections that began pair-verify don't keep a controller out.") {
            _ = try await RawVerify($1)
        },
        flood("flood-sessions", "One controller's sessions, however many, don't keep it out.") { context, connection in
            guard let pairing = context.pairing else { return }
            try await connection.verify(pairing.controller, pairing.accessory)
        },
        attack(
            "flood-churn",
            .pairedAttack,
            "Connections that come and go in the middle of requests leave nothing behind.",
            source
        ) { context in
            for _ in 0..<300 {
                let connection = try await context.connect()
                try await connection.send(Array("GET /accessories HTTP/1.1\r\n".utf8))
                try await connection.close()
            }
            for _ in 0..<20 { try await context.newSession().close() }
            try await context.expectServed("After 320 connections")
        },
        attack(
            "flood-unread",
            .pairedAttack,
            "A controller that sends requests and reads no responses doesn't hold up another.",
            source
        ) { context in
            let greedy = try await context.newSession()
            // The connection reads only when a response is awaited.
            let request = HTTPRequest(.get, "/accessories", host: context.target.host).encoded()
            let sending = try greedy.startSending(Array(repeating: request, count: 500).flatMap { $0 })
            for _ in 0..<5 { try await context.expectServed("During 500 unread responses") }
            try await greedy.close()
            _ = try? await sending.get()
        },
    ]
}
