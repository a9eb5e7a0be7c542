internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.5.2 (Session Security)"

    /// Returns a check of bytes at which the accessory must close the connection without an answer.
    private static func closes(
        _ name: String,
        _ requirement: String,
        _ bytes: @escaping @Sendable (_ request: [UInt8], _ connection: ControllerConnection) throws -> [UInt8]
    ) -> Check {
        Check("framing.\(name)", .security, .paired, requirement, source) { context in
            let connection = try await context.newSession()
            let request = HTTPRequest(.get, "/accessories", host: context.target.host).encoded()
            try await connection.sendPlain(try bytes(request, connection))
            try await context.expectEnd(connection, "A bad frame")
        }
    }

    static let framing: [Check] = [
        Check(
            "framing.pieces",
            .must,
            .paired,
            "A frame that arrives in pieces is read.",
            "HAP 6.5.2 (Session Security); RFC 9293"
        ) { context in
            let connection = try await context.newSession()
            let request = HTTPRequest(.get, "/accessories", host: context.target.host).encoded()
            let frame = try connection.sealed(request)
            let pieces = [frame.prefix(1), frame[1..<2], frame[2..<9], frame.dropFirst(9).dropLast(1), frame.suffix(1)]
            try await context.sendPieces(pieces.map(Array.init), on: connection)
            let response = try await connection.response()
            try context.expect(response.status.rawValue < 400, context.describe(response))
        },
        Check(
            "framing.several",
            .must,
            .paired,
            "A request in several frames is read.",
            source
        ) { context in
            let connection = try await context.newSession()
            let request = HTTPRequest(.get, "/accessories", host: context.target.host).encoded()
            let parts = try [request.prefix(10), request[10..<20], request.dropFirst(20)].map {
                try connection.sealed(Array($0))
            }
            try await context.sendPieces(parts, on: connection)
            let response = try await connection.response()
            try context.expect(response.status.rawValue < 400, context.describe(response))
        },
        Check(
            "framing.one-segment",
            .must,
            .paired,
            "Several frames that arrive at once are read.",
            source
        ) { context in
            let connection = try await context.newSession()
            let request = HTTPRequest(.get, "/accessories", host: context.target.host).encoded()
            let frames =
                try connection.sealed(Array(request.prefix(10))) + connection.sealed(Array(request.dropFirst(10)))
            try await connection.sendPlain(frames)
            let response = try await connection.response()
            try context.expect(response.status.rawValue < 400, context.describe(response))
        },
        Check(
            "framing.long",
            .must,
            .paired,
            "A request of more than 1024 bytes, in frames of at most 1024, is read.",
            source
        ) { context in
            let connection = try await context.newSession()
            var request = HTTPRequest(.get, "/accessories", host: context.target.host)
            request.headers.add("X-Long", String(repeating: "x", count: 2000))
            let response = try await connection.ask(request)
            try context.expect(response.status.rawValue < 400, context.describe(response))
        },
        Check(
            "framing.responses",
            .must,
            .paired,
            "Each frame of a response has at most 1024 bytes, and its counter follows the last one's.",
            source
        ) { context in
            let connection = try await context.newSession()
            for _ in 0..<3 {
                // The connection refuses longer frames and other counters.
                _ = try await connection.get("/accessories")
            }
        },
        closes("tag", "A frame with a wrong tag ends the connection.") { request, connection in
            var frames = try connection.sealed(request)
            frames[frames.count - 1] ^= 1
            return frames
        },
        closes("altered-length", "A frame with an altered length ends the connection.") { request, connection in
            var frames = try connection.sealed(request)
            frames[0] -= 1
            return frames
        },
        closes("too-long", "A frame of more than 1024 bytes ends the connection.") { _, _ in
            [0x01, 0x04] + [UInt8](repeating: 0, count: 1025 + 16)
        },
        closes("in-the-clear", "A request in the clear on a secured connection ends the connection.") { request, _ in
            // Its first bytes are a length above 1024.
            request
        },
        closes("repeated", "A frame that is sent twice ends the connection.") { request, connection in
            let frame = try connection.sealed(Array(request.prefix(10)))
            return frame + frame
        },
        closes("counter", "A frame with another counter than the next ends the connection.") { request, connection in
            _ = try connection.sealed(request)
            return try connection.sealed(request)
        },
    ]
}
