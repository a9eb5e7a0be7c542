import AccessoryCheck
import HAP
import HAPCatalog

extension ControllerCheck {
    /// What a controller does while it pairs and verifies with a good bridge.
    static let pairing: [ControllerCheck] = [
        ControllerCheck(
            "setup.first-message",
            .must,
            "M1 of pair-setup has State 1 and a Method of 0 or 1.",
            "HAP, Pair Setup"
        ) { course in
            for m1 in try course.setupMessages(1) {
                guard m1.request.pairingMethod == 0 || m1.request.pairingMethod == 1 else {
                    throw CheckFailure("Method \(m1.request.pairingMethod.map(String.init) ?? "is absent")")
                }
            }
        },
        ControllerCheck(
            "setup.proof",
            .must,
            "M3 of pair-setup has a public key of at most 384 bytes and the right proof.",
            "HAP, Pair Setup; RFC 5054, 2.5.4"
        ) { course in
            for m3 in try course.setupMessages(3) {
                let values = RawMessage.values(m3.request.body)
                guard let key = values[3], (1...384).contains(key.count), values[4]?.count == 64 else {
                    throw CheckFailure(
                        "A public key of \(values[3]?.count ?? 0) bytes, a proof of \(values[4]?.count ?? 0) bytes"
                    )
                }
                guard m3.pairingError == nil else { throw CheckFailure("The proof is wrong") }
            }
        },
        ControllerCheck(
            "setup.signature",
            .must,
            "M5 of pair-setup has the controller's identifier, key and signature, encrypted.",
            "HAP, Pair Setup"
        ) { course in
            for m5 in try course.setupMessages(5) where m5.pairingError != nil || m5.response?.status != .ok {
                throw CheckFailure("M5 was refused: \(m5.line)")
            }
        },
        ControllerCheck(
            "setup.content-type",
            .must,
            "Pairing messages have the content type application/pairing+tlv8.",
            "HAP, HTTP"
        ) { course in
            let messages = course.exchanges.filter { $0.request.pairingState != nil }
            guard !messages.isEmpty else { throw CheckNotApplicable("The controller sent no pairing message.") }
            for message in messages
            where message.request.headers["Content-Type"]?.lowercased() != HAPContentType.pairing {
                throw CheckFailure("\(message.request.headers["Content-Type"] ?? "None"): \(message.line)")
            }
        },
        ControllerCheck(
            "verify.before-requests",
            .must,
            "Before pair-verify, nothing is sent but pair-setup, pair-verify and identify.",
            "HAP, HTTP"
        ) { course in
            let open = ["/pair-setup", "/pair-verify", "/identify"]
            if let early = course.exchanges.first(where: { !$0.isSecured && !open.contains($0.request.path) }) {
                throw CheckFailure("In the clear: \(early.line)")
            }
        },
        ControllerCheck(
            "verify.accepted",
            .must,
            "M3 of pair-verify has the identifier of the pairing, and the right signature.",
            "HAP, Pair Verify"
        ) { course in
            let messages = course.messages("/pair-verify", state: 3)
            guard !messages.isEmpty else { throw CheckNotApplicable("The controller sent no M3 of pair-verify.") }
            for m3 in messages where m3.pairingError != nil || m3.response?.status != .ok {
                throw CheckFailure("M3 was refused")
            }
        },
        ControllerCheck(
            "pairings.own",
            .should,
            "The controller unpairs by removing its own pairing.",
            "HAP, Pairings"
        ) { course in
            _ = try course.requests("sent no request in a session")
            guard let removal = course.removal else { throw CheckFailure("The pairing is still there") }
            guard removal.pairingError == nil else { throw CheckFailure("The removal was refused") }
        },
    ]
}

extension Course {
    /// Returns the messages of a state of pair-setup.
    func setupMessages(_ state: UInt8) throws -> [Exchange] {
        let messages = messages("/pair-setup", state: state)
        guard messages.isEmpty else { return messages }
        throw CheckNotApplicable(
            wasPaired ? "The controller was paired already." : "The controller sent no M\(state) of pair-setup."
        )
    }

    /// The removal of a pairing.
    var removal: Exchange? { exchanges.first { $0.isSecured && $0.request.removesPairing } }
}

extension Course.Exchange {
    /// The error in the accessory's answer to a pairing message.
    var pairingError: UInt8? { response.flatMap { RawMessage.values($0.body)[7]?.first } }
}
