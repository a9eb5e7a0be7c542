import AccessoryCheck
import HAP

extension Scenario {
    /// Accessories that lie while they are verified: impostors.
    static let verify: [Scenario] = [
        impostor(
            "impostor",
            "Another accessory answers, with the same device ID and other long-term keys.",
            .otherKeys,
            "An accessory with another long-term key is refused: no M3 of pair-verify is sent."
        ),
        impostor(
            "wrong-signature",
            "The signature in M2 of pair-verify is wrong.",
            .signature,
            "A wrong signature in M2 of pair-verify ends the attempt: no M3 is sent."
        ),
        impostor(
            "low-order-key",
            "M2 of pair-verify has a key of low order, which makes the session's keys known to everybody.",
            .lowOrderKey,
            "A key of low order in M2 of pair-verify ends the attempt: no M3 is sent."
        ),
        impostor(
            "other-identifier",
            "M2 of pair-verify has another identifier than the pairing. Its signature is right.",
            .identifier,
            "Another identifier in M2 of pair-verify ends the attempt: no M3 is sent."
        ),
        impostor(
            "wrong-verify-tag",
            "M2 of pair-verify was altered on the way.",
            .tag,
            "An M2 of pair-verify with a wrong tag ends the attempt: no M3 is sent."
        ),
        Scenario(
            "refused-verify",
            .hostile,
            "Pair-verify answers M3 with the error Authentication.",
            checks: [
                ControllerCheck(
                    "verify.refused",
                    .must,
                    "After an error in M4 of pair-verify, no request is sent on the connection as if it were a session.",
                    "HAP, Pair Verify"
                ) { course in
                    for trap in course.sprung {
                        if let next = course.requests(after: trap).first(where: { $0.isSecured }) {
                            throw CheckFailure("In a session: \(next.line)")
                        }
                        if course.connections[trap.connection]?.frameError != nil {
                            throw CheckFailure("Bytes came that aren't frames of a session")
                        }
                    }
                    _ = try course.firstTrap()
                },
                ControllerCheck(
                    "verify.keeps-pairing",
                    .must,
                    "After an error in M4 of pair-verify, the controller doesn't pair again by itself.",
                    "HAP, Pair Verify"
                ) { course in
                    let trap = try course.firstTrap()
                    let setup = course.exchanges[(trap.exchange + 1)...].first { $0.request.path == "/pair-setup" }
                    if let setup { throw CheckFailure(setup.line) }
                },
            ]
        ) { _ in
            Behavior(
                trap: .at(
                    "/pair-verify",
                    state: 3,
                    .respond { _, _ in
                        HTTPResponse.pairing([6, 1, 4, 7, 1, 2]).encoded()
                    }
                )
            )
        },
    ]

    private static func impostor(
        _ name: String,
        _ summary: String,
        _ lie: ForgedVerify.Lie,
        _ requirement: String
    ) -> Scenario {
        let source = lie == .lowOrderKey ? "RFC 7748, 6.1" : "HAP, Pair Verify"
        let check = ControllerCheck("verify.\(name)", .security, requirement, source) { course in
            for trap in course.sprung {
                if let next = course.requests(after: trap).first(where: { $0.request.pairingState == 3 }) {
                    throw CheckFailure("It went on: \(next.line)")
                }
            }
            _ = try course.firstTrap()
        }
        return Scenario(name, .hostile, summary, checks: [check]) { setting in
            let forged = ForgedVerify(setting, lie)
            return Behavior(trap: .at("/pair-verify", .answer(forged.answer)))
        }
    }
}
