internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 6.7 (HTTP)"

    /// Returns a check that a request in the clear is refused.
    private static func unverified(_ name: String, _ request: @escaping @Sendable (CheckContext) -> HTTPRequest)
        -> Check
    {
        Check(
            "http.unverified-\(name)",
            .security,
            .paired,
            "Without pair-verify, \(title(name)) is refused.",
            source
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.ask(request(context))
            try context.expect(response.status.rawValue >= 400, context.describe(response))
        }
    }

    private static func title(_ name: String) -> String {
        switch name {
        case "accessories": "GET /accessories"
        case "read": "GET /characteristics"
        case "write": "PUT /characteristics"
        case "prepare": "PUT /prepare"
        default: "POST /pairings"
        }
    }

    private static func request(
        _ context: CheckContext,
        _ method: HTTPMethod,
        _ target: String,
        _ body: String = ""
    ) -> HTTPRequest {
        HTTPRequest(
            method,
            target,
            host: context.target.host,
            contentType: body.isEmpty ? nil : HAPContentType.json,
            body: Array(body.utf8)
        )
    }

    static let http: [Check] = [
        Check(
            "http.identify",
            .must,
            .unpaired,
            "While no controller is paired, POST /identify returns HTTP 204.",
            "HAP 6.7.6 (Identify Routine)"
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.ask(request(context, .post, "/identify"))
            try context.expect(response.status == .noContent, context.describe(response))
        },
        Check(
            "http.identify-paired",
            .must,
            .paired,
            "While a controller is paired, POST /identify returns HTTP 400 with the status -70401.",
            "HAP 6.7.6 (Identify Routine)"
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.ask(request(context, .post, "/identify"))
            try context.expect(response.status == .badRequest, context.describe(response))
            let status = try context.json(response).object?["status"]?.integer
            try context.expect(
                status == Int64(HAPStatus.insufficientPrivileges.rawValue),
                context.describe(response)
            )
        },
        unverified("accessories") { request($0, .get, "/accessories") },
        unverified("read") { request($0, .get, "/characteristics?id=1.1") },
        unverified("write") {
            request($0, .put, "/characteristics", #"{"characteristics":[{"aid":1,"iid":2,"value":true}]}"#)
        },
        unverified("prepare") { request($0, .put, "/prepare", #"{"ttl":1000,"pid":1}"#) },
        unverified("pairings") { request($0, .post, "/pairings") },
        Check(
            "http.authorization-required",
            .must,
            .paired,
            "Without pair-verify, requests get HTTP 470.",
            source
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.ask(request(context, .get, "/accessories"))
            try context.expect(
                response.status == .connectionAuthorizationRequired,
                context.describe(response)
            )
        },
        Check(
            "http.unknown-unverified",
            .must,
            .paired,
            "Without pair-verify, a path that doesn't exist gets HTTP 470 or 404.",
            source
        ) { context in
            let connection = try await context.connect()
            let response = try await connection.ask(request(context, .get, "/nothing"))
            try context.expect([470, 404].contains(response.status.rawValue), context.describe(response))
        },
        Check(
            "http.not-found",
            .must,
            .paired,
            "A path that doesn't exist gets HTTP 404.",
            source
        ) { context in
            let response = try await context.newSession().get("/nothing")
            try context.expect(response.status == .notFound, context.describe(response))
        },
        Check(
            "http.method",
            .should,
            .paired,
            "A method that a path doesn't have gets HTTP 405.",
            source
        ) { context in
            let connection = try await context.newSession()
            let response = try await connection.ask(request(context, HTTPMethod(rawValue: "DELETE"), "/accessories"))
            try context.expect(response.status == .methodNotAllowed, context.describe(response))
        },
        Check(
            "http.persistent",
            .must,
            .paired,
            "A connection stays open for many requests.",
            "RFC 9112, 9.3"
        ) { context in
            let connection = try await context.newSession()
            for number in 1...10 {
                let response = try await connection.get("/characteristics?id=1.1")
                try context.expect(
                    response.status.rawValue < 500,
                    "Request \(number): \(context.describe(response))"
                )
            }
        },
        Check(
            "http.pieces",
            .must,
            .paired,
            "A request that arrives in pieces is read.",
            "RFC 9112, 2.2"
        ) { context in
            let connection = try await context.connect()
            let bytes = request(context, .get, "/accessories").encoded()
            let pieces = [bytes.prefix(1), bytes[1..<9], bytes.dropFirst(9).dropLast(1), bytes.suffix(1)]
            try await context.sendPieces(pieces.map(Array.init), on: connection)
            let response = try await connection.response()
            try context.expect(response.status.rawValue >= 400, context.describe(response))
        },
        Check(
            "http.header-names",
            .must,
            .paired,
            "Header names are read without regard to case, and values without the spaces around them.",
            "RFC 9110, 5.1 and 5.5"
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let body = #"{"characteristics":[{"aid":\#(subject.id.aid),"iid":\#(subject.id.iid),"value":\#(value)}]}"#
            let text =
                "PUT /characteristics HTTP/1.1\r\nhOsT: x\r\ncontent-type: \(HAPContentType.json)\r\n"
                + "CONTENT-LENGTH:  \(body.utf8.count) \t\r\n\r\n\(body)"
            try await connection.send(Array(text.utf8))
            let response = try await connection.response()
            try context.expect(response.status == .noContent, context.describe(response))
        },
        Check(
            "http.host",
            .must,
            .paired,
            "A Host with an escaped service name, an address or nothing is accepted.",
            source
        ) { context in
            let connection = try await context.newSession()
            for host in [#"Living\032Room._hap._tcp.local"#, "lamp.local:80", "[::1]:80", ""] {
                let response = try await connection.ask(HTTPRequest(.get, "/accessories", host: host))
                try context.expect(response.status == .ok, "Host “\(host)”: \(context.describe(response))")
            }
        },
        Check(
            "http.separate-body",
            .must,
            .paired,
            "A body that arrives after its header is read.",
            "RFC 9112, 6.3"
        ) { context in
            let subject = try await context.subject()
            let connection = try await context.newSession()
            let value = subject.other(than: try await context.willChange(subject, on: connection))
            let body = #"{"characteristics":[{"aid":\#(subject.id.aid),"iid":\#(subject.id.iid),"value":\#(value)}]}"#
            let bytes = request(context, .put, "/characteristics", body).encoded()
            let header = bytes.count - body.utf8.count
            let pieces = try [bytes.prefix(header), bytes.dropFirst(header)].map { try connection.sealed(Array($0)) }
            try await context.sendPieces(pieces, on: connection)
            let response = try await connection.response()
            try context.expect(response.status == .noContent, context.describe(response))
        },
        Check(
            "http.malformed",
            .must,
            .paired,
            "A malformed request line gets HTTP 400, or ends the connection.",
            "RFC 9112, 3"
        ) { context in
            let connection = try await context.connect()
            try await connection.sendPlain(Array("GET\r\n\r\n".utf8))
            switch try await connection.next() {
            case .response(let response)?:
                try context.expect(response.status.rawValue >= 400, context.describe(response))
            case .event?:
                throw CheckFailure("An event came.")
            case nil:
                break
            }
        },
    ]
}
