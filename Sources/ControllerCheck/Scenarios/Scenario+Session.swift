import AccessoryCheck
import HAP
import HAPCatalog
import HAPServer

extension Scenario {
    /// Accessories that break a session, or attackers between the controller and the accessory.
    static let session: [Scenario] = [
        broken(
            "wrong-tag",
            "A response was altered on the way.",
            ControllerCheck(
                "frames.wrong-tag",
                .security,
                "A frame with a wrong tag ends the connection.",
                "HAP, Secure Session"
            ) { try $0.expectGivenUp("a wrong tag") },
            .fault(RequestFault(outcome: .wrongTag))
        ),
        broken(
            "replayed",
            "A response is sent twice, with the same bytes.",
            ControllerCheck(
                "frames.replayed",
                .security,
                "A frame that is received twice ends the connection.",
                "HAP, Secure Session"
            ) { course in
                // The first copy is good, so that one request more may have been on its way.
                for trap in course.sprung where course.requests(after: trap).count > 1 {
                    throw CheckFailure("Afterwards: \(course.requests(after: trap)[1].line)")
                }
                _ = try course.firstTrap()
            },
            .output { wire, _ in TrafficRewriter.Output([wire + wire]) }
        ),
        broken(
            "in-the-clear",
            "A response in a session comes in the clear.",
            ControllerCheck(
                "frames.in-the-clear",
                .security,
                "A message in the clear on a secured connection ends the connection.",
                "HAP, Secure Session"
            ) { try $0.expectGivenUp("a response in the clear") },
            .output { _, plain in TrafficRewriter.Output([plain]) }
        ),
        broken(
            "long-frame",
            "A frame announces 65535 bytes.",
            ControllerCheck(
                "frames.too-long",
                .must,
                "A frame of more than 1024 bytes ends the connection.",
                "HAP, Secure Session"
            ) { try $0.expectGivenUp("a frame of 65535 bytes") },
            .output { _, _ in TrafficRewriter.Output([[0xFF, 0xFF] + [UInt8](repeating: 0, count: 1040)]) }
        ),
        broken(
            "not-http",
            "A response isn't HTTP.",
            ControllerCheck(
                "messages.malformed",
                .must,
                "A response that isn't HTTP ends the connection.",
                "RFC 9112, 2.2"
            ) { try $0.expectGivenUp("a response that isn't HTTP") },
            .respond { _, _ in Array("This is not HTTP\r\nat all\r\n\r\n".utf8) }
        ),
        broken(
            "too-large",
            "A response announces a terabyte.",
            ControllerCheck(
                "messages.too-large",
                .must,
                "A response of a length that nobody can keep isn't waited for: the connection is given up.",
                "RFC 9112, 6.3"
            ) { try $0.expectGivenUp("a response of a terabyte") },
            .respond { _, _ in
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: \(HAPContentType.json)\r\nContent-Length: 1099511627776\r\n\r\n"
                return Array((head + "{").utf8)
            }
        ),
        broken(
            "two-lengths",
            "A response has two different values of Content-Length.",
            ControllerCheck(
                "messages.two-lengths",
                .must,
                "A response with two different lengths ends the connection.",
                "RFC 9112, 6.3"
            ) { try $0.expectGivenUp("two lengths") },
            .respond { response, _ in
                let body = #"{"characteristics":[]}"#
                let head =
                    "HTTP/1.1 200 OK\r\nContent-Type: \(HAPContentType.json)\r\nContent-Length: \(body.utf8.count)\r\n"
                return Array((head + "Content-Length: 5\r\n\r\n" + body).utf8)
            }
        ),
        Scenario(
            "not-json",
            .hostile,
            "The list of the accessories isn't JSON.",
            checks: [
                ControllerCheck(
                    "database.malformed",
                    .must,
                    "While the list of the accessories can't be read, nothing is written.",
                    "HAP, Attribute Database"
                ) { course in
                    let trap = try course.firstTrap()
                    guard course.exchanges[..<trap.exchange].allSatisfy({ $0.request.path != "/accessories" }) else {
                        return
                    }
                    for exchange in course.exchanges[(trap.exchange + 1)...] {
                        if exchange.request.path == "/accessories" { return }
                        if exchange.request.writesValue { throw CheckFailure(exchange.line) }
                    }
                }
            ]
        ) { _ in
            Behavior(
                trap: .atAccessories(
                    .respond { _, _ in
                        HTTPResponse(
                            status: .ok,
                            headers: ["Content-Type": HAPContentType.json],
                            body: Array(#"{"accessories":[{"aid":1,"services":[{"#.utf8)
                        ).encoded()
                    }
                )
            )
        },
        Scenario(
            "flood",
            .hostile,
            "Five thousand events follow a response at once.",
            checks: [
                ControllerCheck(
                    "events.flood",
                    .must,
                    "A flood of events doesn't keep the controller from its next request, in this session or another.",
                    "HAP, Notifications"
                ) { course in
                    let trap = try course.firstTrap()
                    guard course.exchanges[(trap.exchange + 1)...].contains(where: \.isSecured) else {
                        throw CheckFailure("Nothing came after it")
                    }
                }
            ]
        ) { _ in
            Behavior(
                trap: .atSubscriber(
                    .respond { response, request in
                        let event = request.event()
                        return response.encoded() + (0..<5000).flatMap { _ in event }
                    }
                )
            )
        },
        Scenario(
            "foreign-event",
            .hostile,
            "An event tells of characteristics that don't exist, with values of other kinds.",
            checks: [
                ControllerCheck(
                    "events.foreign",
                    .must,
                    "An event of a characteristic that doesn't exist doesn't keep the controller from its next request.",
                    "HAP, Notifications"
                ) { course in
                    let trap = try course.firstTrap()
                    guard course.exchanges[(trap.exchange + 1)...].contains(where: \.isSecured) else {
                        throw CheckFailure("Nothing came after it")
                    }
                }
            ]
        ) { _ in
            Behavior(
                trap: .atSubscriber(
                    .respond { response, _ in
                        let body = #"{"characteristics":[{"aid":99,"iid":99,"value":{}},{"aid":1,"iid":"x"},7]}"#
                        let head = "EVENT/1.0 200 OK\r\nContent-Type: \(HAPContentType.json)\r\n"
                        let event = head + "Content-Length: \(body.utf8.count)\r\n\r\n" + body
                        return response.encoded() + Array(event.utf8)
                    }
                )
            )
        },
    ]

    /// An accessory that breaks a session once, at the first read or write.
    private static func broken(
        _ name: String,
        _ summary: String,
        _ check: ControllerCheck,
        _ act: Trap.Act
    ) -> Scenario {
        Scenario(name, .hostile, summary, checks: [check]) { _ in Behavior(trap: .atCharacteristics(act)) }
    }
}
