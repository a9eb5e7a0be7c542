import Testing

@testable import HAP

@Suite struct PairingsTests {
    @Test func theListIsEncodedAsTheVectorSays() throws {
        let vector = try #require(HAPVectors.all.tlv8.first { $0.name == "list pairings reply, two pairings" })
        let pairings = [
            Pairing(
                controllerID: try #require(PairingID("AA")),
                publicKey: try #require(LongTermPublicKey([UInt8](repeating: 0, count: 32))),
                permissions: .admin
            ),
            Pairing(
                controllerID: try #require(PairingID("BB")),
                publicKey: try #require(LongTermPublicKey([UInt8](repeating: 1, count: 32))),
                permissions: .user
            ),
        ]
        #expect(PairingsResponse.list(pairings).encoded() == vector.encoded.bytes)
        #expect(try PairingsResponse(decoding: vector.encoded.bytes, to: .list) == .list(pairings))
    }

    @Test(arguments: [0, 1, 2, 16])
    func listsOfEveryLengthComeBack(_ count: Int) throws {
        let pairings = try (0..<count).map { try Self.pairing("controller \($0)", $0 == 0 ? .admin : .user) }
        let encoded = PairingsResponse.list(pairings).encoded()
        #expect(encoded.prefix(3) == [6, 1, 2])
        #expect(try PairingsResponse(decoding: encoded, to: .list) == .list(pairings))
    }

    @Test func requestsHaveTheirBytesAndComeBack() throws {
        let pairing = try Self.pairing("AA", .admin)
        let id = pairing.controllerID
        let add = [6, 1, 1, 0, 1, 3, 1, 2, 65, 65, 3, 32] + pairing.publicKey.bytes + [11, 1, 1]
        let cases: [(PairingsRequest, [UInt8])] = [
            (.add(pairing), add),
            (.remove(id), [6, 1, 1, 0, 1, 4, 1, 2, 65, 65]),
            (.list, [6, 1, 1, 0, 1, 5]),
        ]
        for (request, bytes) in cases {
            #expect(request.encoded() == bytes)
            #expect(try PairingsRequest(decoding: bytes) == request)
        }
    }

    @Test func malformedRequestsAreRefused() throws {
        let key = [UInt8](repeating: 1, count: 32)
        let state: (TLVType, [UInt8]) = (.state, [1])
        let add: (TLVType, [UInt8]) = (.method, [3])
        let id: (TLVType, [UInt8]) = (.identifier, [65])
        for bytes in [
            [],
            [6],
            message(state),
            message((.method, [5])),
            message((.state, [2]), (.method, [5])),
            message(state, (.method, [0])),
            message(state, (.method, [6])),
            message(state, (.method, [])),
            message(state, (.method, [5]), (.method, [5])),
            message(state, (.method, [4])),
            message(state, (.method, [4]), (.identifier, [])),
            message(state, (.method, [4]), (.identifier, [0xFF])),
            message(state, (.method, [4]), (.identifier, [UInt8](repeating: 65, count: 37))),
            message(state, add, id, (.publicKey, key)),
            message(state, add, id, (.permissions, [1])),
            message(state, add, id, (.publicKey, Array(key.dropLast())), (.permissions, [1])),
            message(state, add, id, (.publicKey, key), (.permissions, [2])),
            message(state, add, id, (.publicKey, key), (.permissions, [1, 1])),
            message(state, add, id, (.publicKey, key), (.permissions, [])),
            message(state, add, (.publicKey, key), (.permissions, [1])),
            // A key of small order, for which anyone could sign.
            message(state, add, id, (.publicKey, [1] + [UInt8](repeating: 0, count: 31)), (.permissions, [0])),
        ] {
            #expect(throws: MalformedMessage.self) { try PairingsRequest(decoding: bytes) }
        }
    }

    @Test func aControllerReadsRepliesAndRefusals() throws {
        let remove = PairingsRequest.remove(try #require(PairingID("x")))
        #expect(try PairingsResponse(decoding: [6, 1, 2], to: remove) == .done)
        #expect(PairingsResponse.done.encoded() == [6, 1, 2])
        #expect(PairingsResponse.refused(.maxPeers).encoded() == [6, 1, 2, 7, 1, 4])
        func code(_ bytes: [UInt8], to request: PairingsRequest) -> PairingFailure.Code? {
            let failure = #expect(throws: PairingFailure.self) {
                try PairingsResponse(decoding: bytes, to: request)
            }
            return failure?.code
        }
        for request in [remove, .list] {
            #expect(code([6, 1, 2, 7, 1, 2], to: request) == .notAuthorized)
            #expect(code([6, 1, 2, 7, 1, 4], to: request) == .noRoom)
            #expect(code([6, 1, 3], to: request) == .malformedReply)
            #expect(code([], to: request) == .malformedReply)
            #expect(code([6, 1], to: request) == .malformedReply)
        }
        // An entry without a key, and an empty entry after a separator.
        #expect(code([6, 1, 2, 1, 1, 65], to: .list) == .malformedReply)
        #expect(code([6, 1, 2, 255, 0, 11, 1, 1], to: .list) == .malformedReply)
    }

    @Test func aListIsReadWithoutSeparatorsAndWithItsStateAtTheEnd() throws {
        let pairings = [try Self.pairing("A", .user), try Self.pairing("B", .admin)]
        var bytes: [UInt8] = []
        for (pairing, permissions) in zip(pairings, [UInt8(0), 1]) {
            bytes += [1, 1] + Array(pairing.controllerID.description.utf8) + [3, 32] + pairing.publicKey.bytes
            bytes += [11, 1, permissions]
        }
        #expect(try PairingsResponse(decoding: bytes + [6, 1, 2], to: .list) == .list(pairings))
    }

    @Test func itemsOfAnEntryComeInAnyOrder() throws {
        let pairing = try Self.pairing("A", .user)
        let bytes = message(
            (.permissions, [0]),
            (.state, [2]),
            (.publicKey, pairing.publicKey.bytes),
            (.identifier, [65])
        )
        #expect(try PairingsResponse(decoding: bytes, to: .list) == .list([pairing]))
    }
}

@Suite struct PairingListTests {
    @Test func onlyAdminsMayAsk() throws {
        let admin = try Self.pairing("admin", .admin)
        let user = try Self.pairing("user", .user)
        let stranger = try Self.pairing("stranger", .admin)
        for request in [PairingsRequest.list, .add(stranger), .remove(user.controllerID)] {
            for controller in [user, stranger] {
                var list = PairingList([admin, user])
                let outcome = list.handle(request, from: controller.controllerID)
                #expect(outcome.response == .refused(.authentication))
                #expect(!outcome.isChanged && outcome.removed.isEmpty)
                #expect(list == PairingList([admin, user]))
            }
        }
    }

    @Test func aControllerIsAddedAndListed() throws {
        let admin = try Self.pairing("admin", .admin)
        let user = try Self.pairing("user", .user)
        var list = PairingList([admin])
        let added = list.handle(.add(user), from: admin.controllerID)
        #expect(added.response == .done && added.isChanged && added.removed.isEmpty)
        #expect(list[user.controllerID] == user)
        let listed = list.handle(.list, from: admin.controllerID)
        #expect(listed.response == .list([admin, user]))
        #expect(!listed.isChanged)
    }

    @Test func aKnownControllersPermissionsChange() throws {
        let admin = try Self.pairing("admin", .admin)
        var user = try Self.pairing("user", .user)
        var list = PairingList([admin, user])
        user.permissions = .admin
        let outcome = list.handle(.add(user), from: admin.controllerID)
        #expect(outcome.response == .done && outcome.isChanged && outcome.removed.isEmpty)
        #expect(list.pairings == [admin, user])
        // Adding the same pairing again changes nothing.
        #expect(!list.handle(.add(user), from: admin.controllerID).isChanged)
        // Now the first admin may give up its own permission.
        var demoted = admin
        demoted.permissions = .user
        #expect(list.handle(.add(demoted), from: admin.controllerID).removed.isEmpty)
        #expect(list.handle(.list, from: admin.controllerID).response == .refused(.authentication))
    }

    @Test func aKnownControllerWithAnotherKeyIsRefused() throws {
        let admin = try Self.pairing("admin", .admin)
        let user = try Self.pairing("user", .user)
        var list = PairingList([admin, user])
        let outcome = list.handle(.add(try Self.pairing("user", .admin)), from: admin.controllerID)
        #expect(outcome.response == .refused(.unknown))
        #expect(list == PairingList([admin, user]))
    }

    @Test func theSeventeenthPairingIsRefused() throws {
        let admin = try Self.pairing("admin", .admin)
        var list = PairingList([admin])
        for number in 2...16 {
            let outcome = list.handle(.add(try Self.pairing("\(number)", .user)), from: admin.controllerID)
            #expect(outcome.response == .done)
        }
        let full = list
        #expect(
            list.handle(.add(try Self.pairing("17", .user)), from: admin.controllerID).response == .refused(.maxPeers)
        )
        #expect(list == full && list.pairings.count == 16)
        // Existing pairings can still change, and a removal makes room.
        #expect(list.handle(.add(admin), from: admin.controllerID).response == .done)
        _ = list.handle(.remove(try #require(PairingID("2"))), from: admin.controllerID)
        #expect(list.handle(.add(try Self.pairing("17", .user)), from: admin.controllerID).response == .done)
    }

    @Test func removingAnUnknownControllerIsASuccess() throws {
        let admin = try Self.pairing("admin", .admin)
        var list = PairingList([admin])
        let outcome = list.handle(.remove(try #require(PairingID("nobody"))), from: admin.controllerID)
        #expect(outcome.response == .done && !outcome.isChanged && outcome.removed.isEmpty)
    }

    @Test func aRemovedControllerIsNamed() throws {
        let admin = try Self.pairing("admin", .admin)
        let other = try Self.pairing("other", .admin)
        let user = try Self.pairing("user", .user)
        var list = PairingList([admin, other, user])
        #expect(list.handle(.remove(user.controllerID), from: admin.controllerID).removed == [user.controllerID])
        #expect(list.handle(.remove(admin.controllerID), from: admin.controllerID).removed == [admin.controllerID])
        #expect(list.pairings == [other] && !list.isEmpty)
    }

    @Test func withTheLastAdminEveryPairingGoes() throws {
        let admin = try Self.pairing("admin", .admin)
        let user = try Self.pairing("user", .user)
        var demoted = admin
        demoted.permissions = .user
        for request in [PairingsRequest.remove(admin.controllerID), .add(demoted)] {
            var list = PairingList([admin, user])
            let outcome = list.handle(request, from: admin.controllerID)
            #expect(outcome.response == .done && outcome.isChanged)
            #expect(outcome.removed == [admin.controllerID, user.controllerID])
            #expect(list.isEmpty)
        }
    }

    @Test func storedPairingsWithoutAnAdminAreDropped() throws {
        #expect(PairingList([try Self.pairing("user", .user)]).isEmpty)
        #expect(PairingList().isEmpty)
        // No pairing is lost if the capacity is reduced.
        let stored = try (0..<3).map { try Self.pairing("\($0)", .admin) }
        #expect(PairingList(stored, capacity: 2).pairings == stored)
    }

    @Test func theFirstPairingIsInserted() throws {
        var list = PairingList(capacity: 1)
        let admin = try Self.pairing("admin", .admin)
        try list.insert(admin)
        #expect(list.pairings == [admin])
        #expect(throws: PairingError.maxPeers) { try list.insert(try Self.pairing("other", .admin)) }
    }
}

extension PairingsTests {
    fileprivate static func pairing(_ id: String, _ permissions: PairingPermissions) throws -> Pairing {
        Pairing(
            controllerID: try #require(PairingID(id)),
            publicKey: LongTermKeyPair.random().publicKey,
            permissions: permissions
        )
    }
}

extension PairingListTests {
    fileprivate static func pairing(_ id: String, _ permissions: PairingPermissions) throws -> Pairing {
        try PairingsTests.pairing(id, permissions)
    }
}
