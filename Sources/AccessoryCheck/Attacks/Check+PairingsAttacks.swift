internal import HAP
internal import HAPCatalog
internal import NIOCore

extension Check {
    private static let source = "HAP 5.10 to 5.12 (Pairings)"
    private static let key = [UInt8](repeating: 7, count: 32)

    private static func identifier(_ controller: ControllerIdentity) -> [UInt8] {
        Array(controller.pairingID.description.utf8)
    }

    /// Malformed requests. The identifier is that of a controller that isn't paired.
    private static func malformed(_ id: [UInt8]) -> [[UInt8]] {
        [
            [], [6], [6, 1, 1], [0, 1, 5], [6, 1, 1, 0, 1], [6, 1, 1, 0, 0], [6, 0, 0, 1, 5],
            [6, 1, 0, 0, 1, 5], [6, 1, 2, 0, 1, 5], [6, 1, 3, 0, 1, 5],
            [6, 1, 1, 0, 1, 0], [6, 1, 1, 0, 1, 1], [6, 1, 1, 0, 1, 2], [6, 1, 1, 0, 1, 6], [6, 1, 1, 0, 1, 255],
            [6, 1, 1, 0, 1, 5, 0, 1, 5], [6, 1, 1, 6, 1, 1, 0, 1, 5], [6, 1, 1, 0, 1, 5, 0xFF, 0, 6, 1, 1],
            [6, 1, 1, 0, 1, 4], [6, 1, 1, 0, 1, 4, 1, 0], [6, 1, 1, 0, 1, 4, 1, 1, 0xFF],
            RawMessage.tlv((6, [1]), (0, [4]), (1, [UInt8](repeating: 65, count: 37))),
            RawMessage.tlv((6, [1]), (0, [4]), (1, [UInt8](repeating: 65, count: 300))),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, key)),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (3, key), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, []), (3, key), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, Array(key.dropLast())), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, key + [0]), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, key), (11, [2])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, key), (11, [0x81])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, key), (11, [])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, RawMessage.neutralKey), (11, [1])),
        ]
    }

    /// Attacks on the pairings.
    static let pairingsAttacks: [Check] = [
        attack(
            "pairings-malformed",
            .pairedAttack,
            "A malformed pairings request is refused and changes nothing, whoever sends it.",
            "HAP 5.10 to 5.12 (Pairings); HAP 14.1 (TLVs)"
        ) { context in
            let user = try await context.addController(.user)
            for (name, controller) in [("an admin", try context.controller()), ("a user", user)] {
                let attacker = Attacker(context, as: controller)
                for request in malformed(identifier(context.intruder())) {
                    let answer = try await attacker.post("/pairings", request)
                    try context.expectRefused(answer, as: .http(.badRequest), "\(request.prefix(12)) of \(name)")
                }
                try await attacker.close()
            }
            try await context.removeController(user)
        },
        attack(
            "pairings-user",
            .pairedAttack,
            "A user can't list, add, remove or promote a controller, itself included.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let attacker = Attacker(context, as: user)
            let (own, ownKey) = (identifier(user), user.keyPair.publicKey.bytes)
            let requests: [(name: String, message: [UInt8])] = [
                ("A list", RawMessage.tlv((6, [1]), (0, [5]))),
                ("Removing itself", RawMessage.tlv((6, [1]), (0, [4]), (1, own))),
                ("Removing the admin", RawMessage.tlv((6, [1]), (0, [4]), (1, identifier(try context.controller())))),
                (
                    "Adding an admin",
                    RawMessage.tlv((6, [1]), (0, [3]), (1, identifier(context.intruder())), (3, key), (11, [1]))
                ),
                ("Promoting itself", RawMessage.tlv((6, [1]), (0, [3]), (1, own), (3, ownKey), (11, [1]))),
            ]
            for (name, request) in requests {
                let answer = try await attacker.post("/pairings", request)
                try context.expectRefused(answer, as: .pairing(state: 2, .authentication), "\(name), by a user")
            }
            try await attacker.close()
            try await context.removeController(user)
        },
        attack(
            "pairings-identifiers",
            .pairedAttack,
            "Identifiers are compared by their bytes: one in another case, or with a byte more, is another controller's.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let prefix = String(user.pairingID.description.dropLast())
            let texts = [
                user.pairingID.description.lowercased(), prefix, prefix + "\u{0}", prefix + " ", "\u{C9}", "E\u{301}",
            ]
            let admin = try await context.newSession()
            let before = try await admin.manage(.list)
            var added: [Pairing] = []
            for id in texts.compactMap({ PairingID($0) }) {
                let other = ControllerIdentity(pairingID: id, keyPair: .random())
                let pairing = Pairing(controllerID: id, publicKey: other.keyPair.publicKey, permissions: .user)
                context.addedPairings.insert(id)
                let response = try await admin.post("/pairings", PairingsRequest.add(pairing).encoded())
                let isRefused = AttackAnswer.response(response).isRefusal
                try context.expect(
                    !isRefused || !context.options.requiresExactRefusals,
                    "Adding “\(PrintableText.excerpt("\(id)"))”: \(context.describe(response))"
                )
                if !isRefused { added.append(pairing) }
            }
            if case .list(let before) = before, case .list(let after) = try await admin.manage(.list) {
                try context.expect(Set(after) == Set(before + added), "The list isn't that of the added controllers.")
            }
            // The user's pairing is still its own.
            try await context.session(as: user).close()
            for pairing in added {
                let response = try await admin.manage(.remove(pairing.controllerID))
                try context.expect(response == .done, "Removing “\(pairing.controllerID)”: \(response)")
                context.addedPairings.remove(pairing.controllerID)
            }
            try await context.session(as: user).close()
            try await context.removeController(user)
        },
        attack(
            "removed-controller",
            .pairedAttack,
            "A removed controller's sessions end at once: they get no event of a write that follows the removal.",
            source
        ) { context in
            let subject = try await context.subject()
            let write = try await context.attackWrite()
            let user = try await context.addController(.user)
            let admin = try await context.newSession()
            let victims = [try await context.session(as: user), try await context.session(as: user)]
            for victim in victims {
                let response = try await context.write([(subject.id, #""ev":true"#)], on: victim)
                try context.expect(response.status == .noContent, context.describe(response))
                _ = try await victim.put("/prepare", #"{"ttl":60000,"pid":1}"#)
            }
            // The removal and the write arrive together.
            let removal = context.pairingRequest("/pairings", PairingsRequest.remove(user.pairingID).encoded())
            try await admin.send(removal.encoded() + write.encoded())
            let response = try await admin.response()
            try context.expect(response.body == [6, 1, 2], "The removal: \(context.describe(response))")
            context.addedPairings.remove(user.pairingID)
            _ = try await admin.response()
            for victim in victims {
                do {
                    let message = try await victim.next()
                    try context.expect(message == nil, "The removed controller got a message.")
                } catch is ControllerConnection.Silence {
                    throw CheckFailure("The session of the removed controller stays open.")
                } catch is IOError {
                    // A reset counts as closed.
                }
            }
            try await context.restoreSubject()
        },
        attack(
            "removed-requests",
            .pairedAttack,
            "A request of a controller that removed itself isn't served, though it was received with the removal.",
            source
        ) { context in
            let other = try await context.addController(.admin)
            let session = try await context.session(as: other)
            let removal = context.pairingRequest("/pairings", PairingsRequest.remove(other.pairingID).encoded())
            try await session.send(removal.encoded() + (try await context.attackWrite()).encoded())
            let response = try await session.response()
            try context.expect(response.body == [6, 1, 2], "The removal: \(context.describe(response))")
            context.addedPairings.remove(other.pairingID)
            try await context.expectEnd(session, "A write after the removal")
        },
    ]
}
