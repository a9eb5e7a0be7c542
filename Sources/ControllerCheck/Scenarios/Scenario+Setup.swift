import AccessoryCheck
import HAP

extension Scenario {
    /// Accessories that lie while they are paired.
    static let setup: [Scenario] = [
        lie(
            "zero-key",
            "M2 of pair-setup has the public key 0, which SRP forbids.",
            .zeroKey,
            "A public key of 0 in M2 of pair-setup ends the attempt: no M3 is sent.",
            "RFC 5054, 2.5.3"
        ) { $0 == 3 },
        lie(
            "wrong-proof",
            "The proof in M4 of pair-setup is wrong: the accessory doesn't know the setup code.",
            .proof,
            "A wrong proof in M4 ends the attempt: no M5 is sent.",
            "HAP, Pair Setup; RFC 2945, 3"
        ) { $0 == 5 },
        forgedM6(
            "wrong-setup-tag",
            "M6 of pair-setup was altered on the way.",
            .tag,
            "An M6 of pair-setup with a wrong tag doesn't pair: the controller doesn't verify."
        ),
        forgedM6(
            "wrong-setup-signature",
            "The signature in M6 of pair-setup is wrong.",
            .signature,
            "A wrong signature in M6 doesn't pair: the controller doesn't verify."
        ),
        forgedM6(
            "other-device-id",
            "M6 of pair-setup has another device ID than is advertised.",
            .deviceID,
            "An identifier in M6 that isn't the advertised device ID doesn't pair: the controller doesn't verify."
        ),
        refusal(
            "busy",
            "Pair-setup answers Busy: another controller is pairing.",
            error: 7,
            "After Busy, pair-setup isn't started again within a second."
        ) { course, trap in
            course.exchanges[(trap.exchange + 1)...].first {
                $0.request.path == "/pair-setup" && $0.time - trap.time < .seconds(1)
            }
        },
        refusal(
            "max-tries",
            "Pair-setup answers MaxTries: it takes no more attempts until it is reset.",
            error: 5,
            "After MaxTries, pair-setup isn't started again."
        ) { course, trap in
            course.exchanges[(trap.exchange + 1)...].first { $0.request.path == "/pair-setup" }
        },
        refusal(
            "backoff",
            "Pair-setup answers Backoff with a delay of two seconds.",
            error: 3,
            delay: 2,
            "After Backoff, pair-setup isn't started again before the delay is over."
        ) { course, trap in
            course.exchanges[(trap.exchange + 1)...].first {
                $0.request.path == "/pair-setup" && $0.time - trap.time < .seconds(2)
            }
        },
        refusal(
            "unavailable",
            "Pair-setup answers Unavailable: another controller has paired.",
            error: 6,
            "After Unavailable, pair-setup isn't continued."
        ) { course, trap in
            course.requests(after: trap).first { $0.request.path == "/pair-setup" && $0.request.pairingState != 1 }
        },
    ]

    private static func lie(
        _ name: String,
        _ summary: String,
        _ lie: ForgedSetup.Lie,
        _ requirement: String,
        _ source: String,
        isAcceptance: @escaping @Sendable (UInt8) -> Bool
    ) -> Scenario {
        let check = ControllerCheck("setup.\(name)", .security, requirement, source) { course in
            for trap in course.sprung {
                let next = course.requests(after: trap).first {
                    $0.request.path == "/pair-setup" && isAcceptance($0.request.pairingState ?? 0)
                }
                if let next { throw CheckFailure("It went on: \(next.line)") }
            }
            _ = try course.firstTrap()
        }
        return Scenario(name, .hostile, summary, refusesPairing: true, checks: [check]) { setting in
            let forged = ForgedSetup(setting, lie)
            return Behavior(trap: .at("/pair-setup", .answer(forged.answer)))
        }
    }

    private static func forgedM6(
        _ name: String,
        _ summary: String,
        _ lie: ForgedSetup.Lie,
        _ requirement: String
    ) -> Scenario {
        let check = ControllerCheck("setup.\(name)", .security, requirement, "HAP, Pair Setup") { course in
            let trap = try course.firstTrap()
            let next = course.exchanges[(trap.exchange + 1)...].first { $0.request.path == "/pair-verify" }
            if let next { throw CheckFailure("It took the pairing for a good one: \(next.line)") }
        }
        return Scenario(name, .hostile, summary, refusesPairing: true, checks: [check]) { setting in
            let forged = ForgedSetup(setting, lie)
            return Behavior(trap: .at("/pair-setup", .answer(forged.answer)))
        }
    }

    private static func refusal(
        _ name: String,
        _ summary: String,
        error: UInt8,
        delay: UInt8? = nil,
        _ requirement: String,
        offence: @escaping @Sendable (Course, Course.Sprung) -> Course.Exchange?
    ) -> Scenario {
        let check = ControllerCheck("setup.\(name)", .should, requirement, "HAP, Pair Setup") { course in
            let trap = try course.firstTrap()
            if let next = offence(course, trap) {
                let time = Int((next.time - trap.time) / .milliseconds(1))
                throw CheckFailure("After \(time) ms: \(next.line)")
            }
        }
        return Scenario(name, .hostile, summary, refusesPairing: true, checks: [check]) { _ in
            let message = [6, 1, 2, 7, 1, error] + (delay.map { [8, 1, $0] } ?? [])
            return Behavior(
                trap: .at(
                    "/pair-setup",
                    state: 1,
                    .answer { _, _ in
                        Trap.Answer(bytes: HTTPResponse.pairing(message).encoded(), springs: true)
                    }
                )
            )
        }
    }
}
