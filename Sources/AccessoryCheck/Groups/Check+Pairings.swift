internal import HAP
internal import HAPCatalog

extension Check {
    private static let source = "HAP 5.10 to 5.12 (Pairings)"
    private static let capacity = 16

    private static func expectDone(
        _ response: HTTPResponse,
        _ context: CheckContext,
        _ what: String
    ) throws(CheckFailure) {
        let values = RawMessage.values(response.body)
        try context.expect(
            response.status == .ok && values[6] == [2] && values[7] == nil,
            "\(what): \(context.describe(response))"
        )
    }

    private static func list(_ context: CheckContext) async throws -> [Pairing] {
        guard case .list(let pairings) = try await context.session().manage(.list) else {
            throw CheckFailure("The pairings can't be listed.")
        }
        return pairings
    }

    static let pairings: [Check] = [
        Check(
            "pairings.admin",
            .must,
            .paired,
            "The controller that paired is listed as an admin, with its identifier and key.",
            source
        ) { context in
            let controller = try context.controller()
            let own = try await list(context).first { $0.controllerID == controller.pairingID }
            try context.expect(own != nil, "The list lacks the controller.")
            try context.expect(own?.permissions == .admin, "The controller is listed as a user.")
            try context.expect(own?.publicKey == controller.keyPair.publicKey, "The list has another key.")
        },
        Check(
            "pairings.add",
            .must,
            .paired,
            "An admin adds a controller, which is then listed and verified.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let entry = try await list(context).first { $0.controllerID == user.pairingID }
            try context.expect(entry?.permissions == .user, "The list lacks the added user.")
            let session = try await context.session(as: user)
            let response = try await session.get("/accessories")
            try context.expect(response.status == .ok, "The user's GET /accessories: \(context.describe(response))")
            try await context.removeController(user)
        },
        Check(
            "pairings.separator",
            .must,
            .paired,
            "Between two listed pairings, and only there, is a separator (FF 00).",
            source
        ) { context in
            let user = try await context.addController(.user)
            let body = try await context.session().post("/pairings", PairingsRequest.list.encoded()).body
            try await context.removeController(user)
            var types: [UInt8] = []
            var rest = body[...]
            while let type = rest.popFirst(), let length = rest.popFirst() {
                types.append(type)
                rest = rest.dropFirst(Int(length))
            }
            let (entries, separators) = (types.count { $0 == 1 }, types.count { $0 == 0xFF })
            try context.expect(
                entries >= 2 && separators == entries - 1 && types.last != 0xFF,
                "\(entries) entries with \(separators) separators"
            )
        },
        Check(
            "pairings.user",
            .security,
            .paired,
            "A user that isn't an admin gets the error Authentication for each pairings request.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let session = try await context.session(as: user)
            let newcomer = CheckContext.newController()
            context.addedPairings.insert(newcomer.pairingID)
            let added = Pairing(
                controllerID: newcomer.pairingID,
                publicKey: newcomer.keyPair.publicKey,
                permissions: .admin
            )
            let requests: [(String, PairingsRequest)] = [
                ("listing", .list), ("adding", .add(added)), ("removing", .remove(newcomer.pairingID)),
            ]
            for (name, request) in requests {
                let response = try await session.post("/pairings", request.encoded())
                try context.expectError(response, state: 2, error: .authentication, "A user's \(name)")
            }
            context.addedPairings.remove(newcomer.pairingID)
            try await context.removeController(user)
        },
        Check(
            "pairings.update",
            .must,
            .paired,
            "Adding a known controller with its key changes its permissions.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let admin = Pairing(
                controllerID: user.pairingID,
                publicKey: user.keyPair.publicKey,
                permissions: .admin
            )
            try expectDone(
                try await context.session().post("/pairings", PairingsRequest.add(admin).encoded()),
                context,
                "Adding a known controller"
            )
            let entries = try await list(context).filter { $0.controllerID == user.pairingID }
            try context.expect(
                entries.map(\.permissions) == [.admin],
                "The list has \(entries.count) entries of it, the first \(entries.first?.permissions == .admin ? "an admin" : "a user")"
            )
            try await context.removeController(user)
        },
        Check(
            "pairings.other-key",
            .security,
            .paired,
            "Adding a known controller with another key gets the error Unknown, and changes nothing.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let other = Pairing(
                controllerID: user.pairingID,
                publicKey: LongTermKeyPair.random().publicKey,
                permissions: .admin
            )
            let response = try await context.session().post("/pairings", PairingsRequest.add(other).encoded())
            try context.expectError(response, state: 2, error: .unknown, "Adding it with another key")
            let entry = try await list(context).first { $0.controllerID == user.pairingID }
            try context.expect(entry?.publicKey == user.keyPair.publicKey, "The key was replaced.")
            try await context.removeController(user)
        },
        Check(
            "pairings.remove",
            .security,
            .paired,
            "A controller that was removed isn't verified any more.",
            source
        ) { context in
            let user = try await context.addController(.user)
            try await context.removeController(user)
            let connection = try await context.connect()
            let exchange = try await RawVerify(connection)
            let m4 = try await connection.post("/pair-verify", exchange.m3(exchange.payload(user)))
            try context.expectRefusal(m4, "M3 of a removed controller")
        },
        Check(
            "pairings.remove-closes",
            .security,
            .paired,
            "Removing a controller closes its connections.",
            source
        ) { context in
            let user = try await context.addController(.user)
            let session = try await context.session(as: user)
            _ = try await session.get("/accessories")
            try await context.removeController(user)
            // An accessory may close it only when it hears from it.
            do {
                let response = try await session.get("/accessories")
                try context.expect(
                    response.status.rawValue >= 400,
                    "A removed controller's request was answered: HTTP \(response.status.rawValue)"
                )
            } catch let failure as CheckFailure {
                throw failure
            } catch is ControllerConnection.Silence {
                throw CheckFailure("A removed controller's connection stays open.")
            } catch {
                // It is closed.
            }
        },
        Check(
            "pairings.remove-unknown",
            .must,
            .paired,
            "Removing an unknown controller succeeds.",
            source
        ) { context in
            let unknown = CheckContext.newController().pairingID
            try expectDone(
                try await context.session().post("/pairings", PairingsRequest.remove(unknown).encoded()),
                context,
                "Removing an unknown controller"
            )
        },
        Check(
            "pairings.method",
            .must,
            .paired,
            "A method that doesn't exist is refused.",
            source
        ) { context in
            let response = try await context.session().post("/pairings", RawMessage.tlv((6, [1]), (0, [9])))
            try context.expectRefusal(response, "Method 9")
        },
        Check(
            "pairings.permissions",
            .should,
            .paired,
            "Adding a controller with permissions other than 0 and 1 is refused.",
            source
        ) { context in
            let newcomer = CheckContext.newController()
            context.addedPairings.insert(newcomer.pairingID)
            let request = RawMessage.tlv(
                (6, [1]),
                (0, [3]),
                (1, Array(newcomer.pairingID.description.utf8)),
                (3, newcomer.keyPair.publicKey.bytes),
                (11, [2])
            )
            let response = try await context.session().post("/pairings", request)
            try context.expectRefusal(response, "Permissions 2")
        },
        Check(
            "pairings.capacity",
            .must,
            .paired,
            "At least 16 controllers can be paired.",
            source
        ) { context in
            var added: [ControllerIdentity] = []
            for count in try await list(context).count..<capacity {
                do {
                    added.append(try await context.addController(.user))
                } catch let failure as CheckFailure {
                    throw CheckFailure("With \(count) pairings: \(failure.seen)")
                } catch let failure as PairingFailure {
                    throw CheckFailure("With \(count) pairings: \(failure)")
                }
            }
            let count = try await list(context).count
            try context.expect(count >= capacity, "The list has \(count) pairings.")
            for controller in added { try await context.removeController(controller) }
        },
    ]
}
