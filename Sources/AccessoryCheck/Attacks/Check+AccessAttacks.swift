internal import HAP
internal import HAPCatalog

extension Check {
    private static let methods = ["GET", "PUT", "POST", "DELETE", "PATCH", "OPTIONS", "TRACE", "get", "X-1"]

    /// Requests of endpoints by those who may not make them.
    static let accessAttacks: [Check] = [
        attack(
            "unverified",
            .pairedAttack,
            "Without pair-verify, no method of any path does anything but pair.",
            "HAP 6.7 (HTTP)"
        ) { context in
            let attacker = Attacker(context)
            let body = (try? await context.attackWrite().body) ?? []
            let paths =
                HAPEndpoint.allCases.map(\.path) + ["/", "/nothing", "/accessories/", "/ACCESSORIES", "/../pairings"]
            for path in paths {
                let isOpen = HAPEndpoint(rawValue: path)?.isOpenBeforeVerify ?? false
                for method in methods {
                    let request = HTTPRequest(
                        HTTPMethod(rawValue: method),
                        path,
                        host: context.target.host,
                        body: body
                    )
                    // A paired accessory doesn't identify itself, and there is no TLV8 here.
                    let refusal: AttackRefusal =
                        isOpen
                        ? .http(method == "POST" ? .badRequest : .methodNotAllowed)
                        : .http(.connectionAuthorizationRequired, text: #"{"status":-70411}"#)
                    try context.expectRefused(try await attacker.ask(request), as: refusal, "\(method) \(path)")
                }
            }
        },
        attack(
            "methods",
            .pairedAttack,
            "A verified controller gets no path by a method that it doesn't have, and no path that doesn't exist.",
            "HAP 6.7 (HTTP)"
        ) { context in
            let attacker = Attacker(context, as: try context.controller())
            let expected: [(path: String, methods: [String])] = [
                ("/identify", ["POST"]), ("/pair-setup", ["POST"]), ("/pair-verify", ["POST"]),
                ("/pairings", ["POST"]), ("/accessories", ["GET"]), ("/prepare", ["PUT"]),
                ("/secure-message", ["POST"]), ("/characteristics", ["GET", "PUT"]),
            ]
            for (path, right) in expected {
                for method in methods where !right.contains(method) {
                    let request = HTTPRequest(HTTPMethod(rawValue: method), path, host: context.target.host)
                    let answer = try await attacker.ask(request)
                    try context.expectRefused(answer, as: .http(.methodNotAllowed), "\(method) \(path)")
                }
            }
            for path in ["/", "/nothing", "/accessories/", "/Accessories", "//accessories", "/resource"] {
                try context.expectRefused(try await attacker.get(path), as: .http(.notFound), "GET \(path)")
            }
        },
        attack(
            "secure-message",
            .pairedAttack,
            "A malformed HAP PDU in POST /secure-message is refused.",
            "HAP 6.7 (HTTP)"
        ) { context in
            let attacker = Attacker(context, as: try context.controller())
            func post(_ body: [UInt8], _ type: String) async throws -> AttackAnswer {
                let host = context.target.host
                return try await attacker.ask(
                    HTTPRequest(.post, "/secure-message", host: host, contentType: type, body: body)
                )
            }
            let malformed: [[UInt8]] = [
                [], [0, 1, 2, 0], [2, 1, 2, 0, 0], [0, 1, 2, 0, 0, 1], [0, 1, 2, 0, 0, 2, 0, 1],
            ]
            for body in malformed {
                let answer = try await post(body, HAPContentType.octets)
                try context.expectRefused(answer, as: .http(.badRequest), "\(body)")
            }
            let answer = try await post([0, 1, 2, 0, 0], HAPContentType.json)
            try context.expectRefused(answer, as: .http(.badRequest), "A PDU as JSON")
        },
    ]
}
