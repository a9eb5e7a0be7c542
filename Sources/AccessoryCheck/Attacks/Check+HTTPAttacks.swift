internal import HAP
internal import HAPCatalog

/// A request that can be read in two ways.
private struct AmbiguousRequest: Sendable {
    /// What an accessory must do.
    enum Rule {
        /// It refuses the request, by RFC 9112.
        case refused
        /// It serves no request that follows.
        case last
        /// RFC 9112 allows that it serves the request. Hearth's own server refuses it.
        case strict
    }

    let text: String
    let status: HTTPStatus
    let rule: Rule

    init(_ text: String, _ status: HTTPStatus = .badRequest, _ rule: Rule = .refused) {
        self.text = text
        self.status = status
        self.rule = rule
    }

    /// Creates a request with headers and a body.
    init(headers: String, body: String = "", _ status: HTTPStatus = .badRequest, _ rule: Rule = .refused) {
        self.init("POST /pairings HTTP/1.1\r\nHost: x\r\n\(headers)\r\n\r\n\(body)", status, rule)
    }
}

extension Check {
    /// Returns an attack with requests that end in a write. Wherever a reader believes the first request to end, the
    /// write must not be served, and after an answer the connection must be closed.
    private static func smuggling(
        _ name: String,
        _ requirement: String,
        _ source: String,
        _ requests: [AmbiguousRequest]
    ) -> Check {
        attack(name, .pairedAttack, requirement, source) { context in
            let write = try await context.attackWrite().encoded()
            for request in requests where request.rule != .strict || context.options.requiresExactRefusals {
                for controller in [nil, try context.controller()] {
                    let attacker = Attacker(context, as: controller)
                    let connection = try await attacker.reconnect()
                    let answer = try await attacker.exchange(Array(request.text.utf8) + write, on: connection)
                    let name = PrintableText.excerpt(request.text)
                    if request.rule != .last || context.options.requiresExactRefusals {
                        try context.expectRefused(answer, as: .http(request.status), name)
                    }
                    if context.options.requiresExactRefusals { try await context.expectEnd(connection, name) }
                    try await attacker.close()
                }
            }
        }
    }

    /// Attacks on the reading of HTTP.
    static let httpAttacks: [Check] = [
        smuggling(
            "http-lengths",
            "A request whose Content-Length is malformed, or differs from another one, is refused.",
            "RFC 9112, 6.3",
            [
                AmbiguousRequest(headers: "Content-Length: 5\r\nContent-Length: 0", body: "hello"),
                AmbiguousRequest(headers: "Content-Length: 0\r\ncontent-length: 0", .badRequest, .strict),
                AmbiguousRequest(headers: "Content-Length: 0, 0", .badRequest, .strict),
                AmbiguousRequest(headers: "Content-Length: -1"),
                AmbiguousRequest(headers: "Content-Length: +5", body: "hello"),
                AmbiguousRequest(headers: "Content-Length: 0x0"), AmbiguousRequest(headers: "Content-Length: 1e1"),
                AmbiguousRequest(headers: "Content-Length: five"), AmbiguousRequest(headers: "Content-Length:"),
                AmbiguousRequest(headers: "Content-Length : 0"),
                AmbiguousRequest(headers: "Content-Length: 18446744073709551616", .contentTooLarge),
                AmbiguousRequest(headers: "Content-Length: 9223372036854775807", .contentTooLarge),
                AmbiguousRequest(headers: "Content-Length: 1048577", .contentTooLarge, .last),
                AmbiguousRequest(
                    headers: "Content-Length: 1048576\r\nExpect: 100-continue",
                    .expectationFailed,
                    .strict
                ),
            ]
        ),
        smuggling(
            "http-encodings",
            "A request with both Content-Length and Transfer-Encoding is the last one of its connection.",
            "RFC 9112, 6.1 and 6.3",
            [
                AmbiguousRequest(
                    headers: "Content-Length: 0\r\nTransfer-Encoding: chunked",
                    body: "0\r\n\r\n",
                    .badRequest,
                    .last
                ),
                AmbiguousRequest(
                    headers: "Transfer-Encoding: chunked\r\nContent-Length: 0",
                    body: "0\r\n\r\n",
                    .badRequest,
                    .last
                ),
                AmbiguousRequest(headers: "Content-Length: 0\r\n Transfer-Encoding: chunked"),
                AmbiguousRequest(headers: "Transfer-Encoding: identity", .lengthRequired),
                AmbiguousRequest(
                    headers: "Transfer-Encoding: chunked",
                    body: "0\r\n\r\n",
                    .lengthRequired,
                    .strict
                ),
                AmbiguousRequest(
                    headers: "Transfer-Encoding: gzip, chunked",
                    body: "0\r\n\r\n",
                    .lengthRequired,
                    .strict
                ),
            ]
        ),
        smuggling(
            "http-lines",
            "A request line or header line that isn't one is refused.",
            "RFC 9112, 2 to 5",
            [
                AmbiguousRequest("POST /pairings HTTP/1.1\r\nno colon\r\n\r\n"),
                AmbiguousRequest("POST /pairings\r\n\r\n"),
                AmbiguousRequest("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), AmbiguousRequest("\u{16}\u{3}\u{1}\u{2}\r\n\r\n"),
                AmbiguousRequest("POST /pairings HTTP/1.1\nHost: x\nContent-Length: 0\n\n", .badRequest, .strict),
                AmbiguousRequest("POST /pairings HTTP/1.1\r\nHost: x\nContent-Length: 0\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("POST /pairings HTTP/1.1\r\nHost: x\rContent-Length: 5\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("POST /pairings HTTP/1.1\r\nHost: x\u{0}\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("POST /pairings HTTP/1.0\r\n\r\n", .versionNotSupported, .strict),
                AmbiguousRequest("POST /pairings HTTP/2\r\n\r\n", .versionNotSupported, .strict),
                AmbiguousRequest("POST http://x/pairings HTTP/1.1\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("POST  /pairings HTTP/1.1\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("POST\t/pairings HTTP/1.1\r\n\r\n", .badRequest, .strict),
                AmbiguousRequest("\r\n\r\n\r\n\r\nPOST /pairings HTTP/1.1\r\n\r\n", .badRequest, .strict),
            ]
        ),
        attack(
            "http-oversize",
            .pairedAttack,
            "A request line, a header or headers beyond every use are refused, though they never end.",
            "RFC 9112, 3; RFC 6585, 5"
        ) { context in
            let requests: [(name: String, text: String, status: HTTPStatus)] = [
                ("A long path", "GET /\(String(repeating: "a", count: 65_536)) HTTP/1.1\r\n\r\n", .uriTooLong),
                (
                    "A long header", "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 16_384))\r\n\r\n",
                    .headerFieldsTooLarge
                ),
                (
                    "Many headers", "GET / HTTP/1.1\r\n\(String(repeating: "A: b\r\n", count: 2_732))\r\n",
                    .headerFieldsTooLarge
                ),
                ("An endless path", "GET /\(String(repeating: "a", count: 70_000))", .uriTooLong),
                (
                    "Endless headers", "GET / HTTP/1.1\r\n\(String(repeating: "a", count: 20_000))",
                    .headerFieldsTooLarge
                ),
            ]
            for (name, text, status) in requests {
                for controller in [nil, try context.controller()] {
                    let attacker = Attacker(context, as: controller)
                    let connection = try await attacker.reconnect()
                    let answer = try await attacker.exchange(Array(text.utf8), on: connection)
                    try context.expectRefused(answer, as: .http(status), name)
                    if context.options.requiresExactRefusals { try await context.expectEnd(connection, name) }
                    try await attacker.close()
                }
            }
        },
    ]
}
