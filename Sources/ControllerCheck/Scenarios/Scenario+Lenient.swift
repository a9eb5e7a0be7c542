import AccessoryCheck
import HAP
import HAPCatalog
import HAPServer

extension Scenario {
    /// A good bridge, and those that do what few accessories do.
    static let lenient: [Scenario] = [
        Scenario(
            "plain",
            .lenient,
            "A good bridge with a lamp and a switch.",
            checks: ControllerCheck.pairing + ControllerCheck.messages + ControllerCheck.characteristics
        ),
        Scenario(
            "exact",
            .strict,
            "A good bridge that refuses every request that isn't exactly as HAP says.",
            checks: [
                ControllerCheck(
                    "messages.exact",
                    .should,
                    "Every request has exactly the headers, the form and the body that HAP says.",
                    "HAP, HTTP; RFC 9112"
                ) { course in
                    for exchange in course.exchanges {
                        if let objection = exchange.objection {
                            throw CheckFailure("\(objection): \(exchange.line)")
                        }
                    }
                }
            ]
        ) { _ in
            var behavior = Behavior()
            behavior.objection = Exactness.objection
            return behavior
        },
        tolerant(
            "pieces",
            "Every message arrives in pieces of a few bytes, and in frames of a few bytes.",
            ControllerCheck(
                "frames.pieces",
                .must,
                "Frames that arrive in pieces, and messages in many frames, are read.",
                "HAP, Secure Session; RFC 9293"
            ) { course in
                guard course.exchanges.contains(where: { $0.isSecured && $0.request.path != "/accessories" }) else {
                    throw CheckFailure(
                        course.exchanges.last.map { "The last request was \($0.line)" } ?? "No request came"
                    )
                }
            }
        ) { _ in
            var behavior = Behavior()
            behavior.frameLength = 61
            behavior.pieceLength = 97
            return behavior
        },
        tolerant(
            "chunked",
            "The list of the accessories comes in chunks.",
            ControllerCheck(
                "messages.chunked",
                .must,
                "A response with the transfer coding chunked is read.",
                "RFC 9112, 7.1"
            ) { try $0.expectContinued("a chunked response") }
        ) { _ in
            Behavior(trap: .atAccessories(.respond { response, _ in response.chunked(length: 100) }))
        },
        tolerant(
            "together",
            "Events come before a response and after it, in the same frame.",
            ControllerCheck(
                "events.together",
                .must,
                "Events before and after a response, in the same frame, aren't taken for it.",
                "HAP, Notifications"
            ) { try $0.expectContinued("events around a response") }
        ) { _ in
            Behavior(
                trap: .atSubscriber(
                    .respond { response, request in
                        let event = request.event()
                        return event + event + response.encoded() + event
                    }
                )
            )
        },
        tolerant(
            "statuses",
            "A read or write fails: HTTP 207 with the status -70402 for every characteristic.",
            ControllerCheck(
                "messages.multi-status",
                .must,
                "HTTP 207 with a failed characteristic doesn't end the session.",
                "HAP, Status Codes"
            ) { try $0.expectContinued("HTTP 207") },
            ControllerCheck(
                "messages.patience",
                .should,
                "A request that failed isn't repeated more than twice within a second.",
                "HAP, Status Codes"
            ) { course in
                let trap = try course.firstTrap()
                let request = course.exchanges[trap.exchange].request
                let again = course.exchanges[(trap.exchange + 1)...].count {
                    $0.request == request && $0.time - trap.time < .seconds(1)
                }
                guard again <= 2 else { throw CheckFailure("\(again) times") }
            }
        ) { _ in
            Behavior(trap: .atCharacteristics(.respond { _, request in request.failure().encoded() }))
        },
        tolerant(
            "late",
            "A response to a read or write comes after a second.",
            ControllerCheck(
                "messages.late",
                .must,
                "A response that comes after a second is waited for.",
                "HAP, HTTP"
            ) { try $0.expectContinued("a late response") },
            ControllerCheck(
                "messages.late-repeat",
                .must,
                "While a response is awaited, the request isn't sent again.",
                "HAP, HTTP"
            ) { course in
                let trap = try course.firstTrap()
                let request = course.exchanges[trap.exchange].request
                let again = course.exchanges[(trap.exchange + 1)...].first {
                    $0.request == request && $0.time < trap.time + Self.lateness
                }
                if let again { throw CheckFailure("Again: \(again.line)") }
            }
        ) { _ in
            Behavior(trap: .atCharacteristics(.fault(RequestFault(delay: Self.lateness))))
        },
        tolerant(
            "dropped",
            "The connection is closed in the middle of a response.",
            ControllerCheck(
                "session.again",
                .must,
                "After the connection was lost, the controller comes again and verifies again.",
                "HAP, Secure Session"
            ) { course in
                let trap = try course.firstTrap()
                let later = course.exchanges[(trap.exchange + 1)...]
                guard later.contains(where: { $0.isSecured }) else {
                    throw CheckFailure(
                        later.first.map { "It sent only: \($0.line)" } ?? "It didn't come again"
                    )
                }
            },
            ControllerCheck(
                "session.fresh-key",
                .security,
                "Each pair-verify has another key.",
                "HAP, Pair Verify; RFC 7748, 6.1"
            ) { course in
                let keys = course.messages("/pair-verify", state: 1).map { RawMessage.values($0.request.body)[3] }
                guard keys.count > 1 else { throw CheckNotApplicable("The controller verified only once.") }
                guard Set(keys).count == keys.count else { throw CheckFailure("A key was used twice") }
            },
            ControllerCheck(
                "session.subscribe-again",
                .must,
                "In a new session, the controller subscribes again.",
                "HAP, Notifications"
            ) { course in
                let trap = try course.firstTrap()
                guard course.exchanges[..<trap.exchange].contains(where: { $0.request.subscribes }) else {
                    throw CheckNotApplicable("The controller hadn't subscribed to anything.")
                }
                let later = course.exchanges[(trap.exchange + 1)...].filter(\.isSecured)
                guard later.contains(where: { !$0.request.removesPairing }) else {
                    throw CheckNotApplicable("The controller did nothing in a new session but unpair.")
                }
                guard later.contains(where: \.request.subscribes) else {
                    throw CheckFailure("It sent \(later.count) requests, and no subscription")
                }
            }
        ) { _ in
            Behavior(trap: .atSubscriber(.fault(RequestFault(outcome: .halved))))
        },
        tolerant(
            "unauthorized",
            "A request in a session gets HTTP 470.",
            ControllerCheck(
                "session.unauthorized",
                .should,
                "After HTTP 470, the controller verifies again before its next request.",
                "HAP, HTTP"
            ) { try $0.expectGivenUp("HTTP 470") }
        ) { _ in
            Behavior(
                trap: .atCharacteristics(
                    .respond { _, _ in HTTPResponse(status: .connectionAuthorizationRequired).encoded() }
                )
            )
        },
    ]

    /// The delay of a late response.
    private static let lateness = Duration.seconds(1)

    private static func tolerant(
        _ name: String,
        _ summary: String,
        _ checks: ControllerCheck...,
        behavior: @escaping @Sendable (Setting) -> Behavior
    ) -> Scenario {
        Scenario(name, .lenient, summary, checks: checks, behavior: behavior)
    }
}

extension HTTPResponse {
    /// The message with the transfer coding chunked.
    func chunked(length: Int) -> [UInt8] {
        var headers = "HTTP/1.1 \(status.rawValue) \(status.reasonPhrase)\r\n"
        headers += "Content-Type: \(self.headers["Content-Type"] ?? HAPContentType.json)\r\n"
        headers += "Transfer-Encoding: chunked\r\n\r\n"
        var bytes = Array(headers.utf8)
        for start in stride(from: 0, to: body.count, by: length) {
            let chunk = body[start...].prefix(length)
            bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
        }
        return bytes + Array("0\r\n\r\n".utf8)
    }
}

extension HTTPRequest {
    /// The characteristics that a read or write names.
    var ids: [CharacteristicID] {
        if let writeRequest { return writeRequest.entries.map(\.id) }
        return (try? CharacteristicReadRequest(query: query ?? ""))?.ids ?? []
    }

    /// An event of the first characteristic that a read or write names.
    func event() -> [UInt8] {
        let id = ids.first ?? CharacteristicID(aid: 1, iid: 9)
        let body = #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"value":1}]}"#
        let head =
            "EVENT/1.0 200 OK\r\nContent-Type: \(HAPContentType.json)\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return Array((head + body).utf8)
    }

    /// The response in which every characteristic has failed.
    func failure() -> HTTPResponse {
        let entries = ids.map { #"{"aid":\#($0.aid),"iid":\#($0.iid),"status":-70402}"# }
        return HTTPResponse(
            status: .multiStatus,
            headers: ["Content-Type": HAPContentType.json],
            body: Array(#"{"characteristics":[\#(entries.joined(separator: ","))]}"#.utf8)
        )
    }
}
