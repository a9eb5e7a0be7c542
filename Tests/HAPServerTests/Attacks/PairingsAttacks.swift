import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct PairingsAttacks {
    private static let key = [UInt8](repeating: 7, count: 32)

    @Test func malformedRequestsAreBadRequestsWhoeverAsks() async throws {
        let requests: [[UInt8]] = [
            [], [6], [6, 1, 1], [0, 1, 5], [6, 1, 1, 0, 1], [6, 1, 1, 0, 0], [6, 0, 0, 1, 5],
            [6, 1, 0, 0, 1, 5], [6, 1, 2, 0, 1, 5], [6, 1, 3, 0, 1, 5],
            [6, 1, 1, 0, 1, 0], [6, 1, 1, 0, 1, 1], [6, 1, 1, 0, 1, 2], [6, 1, 1, 0, 1, 6], [6, 1, 1, 0, 1, 255],
            [6, 1, 1, 0, 1, 5, 0, 1, 5], [6, 1, 1, 6, 1, 1, 0, 1, 5], [6, 1, 1, 0, 1, 5, 0xFF, 0, 6, 1, 1],
            [6, 1, 1, 0, 1, 4], [6, 1, 1, 0, 1, 4, 1, 0], [6, 1, 1, 0, 1, 4, 1, 1, 0xFF],
            RawMessage.tlv((6, [1]), (0, [4]), (1, [UInt8](repeating: 65, count: 37))),
            RawMessage.tlv((6, [1]), (0, [4]), (1, [UInt8](repeating: 65, count: 300))),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key)),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (3, Self.key), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, []), (3, Self.key), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key.dropLast()), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key + [0]), (11, [0])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key), (11, [2])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key), (11, [0x81])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key), (11, [])),
            RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, RawMessage.neutralKey), (11, [1])),
        ]
        try await TestServer.run { server in
            for controller in [TestServer.admin, TestServer.user] {
                let connection = try await server.connect(as: controller)
                for request in requests {
                    #expect(try await connection.post("/pairings", request).status == .badRequest, "\(request)")
                }
                try await connection.close()
            }
            try await server.expectUnharmed()
        }
    }

    @Test func aUserManagesNothing() async throws {
        try await TestServer.run { server in
            let user = try await server.connect(as: TestServer.user)
            let id = Array(TestServer.user.pairingID.description.utf8)
            for request in [
                RawMessage.tlv((6, [1]), (0, [5])),
                RawMessage.tlv((6, [1]), (0, [4]), (1, id)),
                RawMessage.tlv((6, [1]), (0, [4]), (1, Array(TestServer.admin.pairingID.description.utf8))),
                RawMessage.tlv((6, [1]), (0, [3]), (1, [65]), (3, Self.key), (11, [1])),
                // The user tries to become an admin.
                RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, TestServer.user.keyPair.publicKey.bytes), (11, [1])),
            ] {
                let response = try await user.post("/pairings", request)
                #expect(response.status == .ok)
                #expect(response.body == refusal(2, 2))
            }
            try await server.expectUnharmed()
        }
    }

    @Test(arguments: [1, 2, 16])
    func theListHasASeparatorBetweenTwoEntriesOnly(_ count: Int) async throws {
        let others = (1..<count).map { Pairing(TestServer.controller(PairingID(stringLiteral: "C\($0)")), .user) }
        let pairings = [Pairing(TestServer.admin, .admin)] + others
        try await TestServer.run(storage: TestServer.paired(pairings)) { server in
            let admin = try await server.connect(as: TestServer.admin)
            var expected: [UInt8] = [6, 1, 2]
            for (index, pairing) in pairings.enumerated() {
                if index > 0 { expected += [0xFF, 0] }
                let id = Array(pairing.controllerID.description.utf8)
                expected += [1, UInt8(id.count)] + id
                expected += [3, 32] + pairing.publicKey.bytes + [11, 1, index == 0 ? 1 : 0]
            }
            let response = try await admin.post("/pairings", [6, 1, 1, 0, 1, 5])
            #expect(response.body == expected)
            #expect(response.headers[HTTPHeaderName.contentType] == HAPContentType.pairing)
        }
    }

    @Test func theLastAdminThatMakesItselfAUserClearsThePairings() async throws {
        let storage = TestServer.paired()
        try await TestServer.run(storage: storage) { server in
            let admin = try await server.connect(as: TestServer.admin)
            let user = try await server.connect(as: TestServer.user)
            #expect(try await admin.manage(.add(Pairing(TestServer.admin, .user))) == .done)
            #expect(try await admin.untilClosed().isEmpty)
            #expect(try await user.untilClosed().isEmpty)
            #expect(server.events == [.pairingChanged(isPaired: false)])
            #expect(try storage.load(StoredPairings.self)?.pairings == [])
            let next = try await server.connect()
            #expect(try await next.post("/pair-setup", RawSetup.m1).body.starts(with: [6, 1, 2, 3]))
        }
    }

    @Test func identifiersAreComparedByTheirBytes() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            let others = ["admin", "ADMIN ", "ADMIN\u{0}", "\u{C9}", "E\u{301}"].compactMap { PairingID($0) }
            for id in others {
                let pairing = Pairing(
                    controllerID: id,
                    publicKey: TestServer.user.keyPair.publicKey,
                    permissions: .user
                )
                #expect(try await admin.manage(.add(pairing)) == .done)
            }
            guard case .list(let pairings) = try await admin.manage(.list) else { return }
            #expect(pairings.map(\.controllerID) == TestServer.pairings.map(\.controllerID) + others)
            for id in others { #expect(try await admin.manage(.remove(id)) == .done) }
            try await server.expectUnharmed()
        }
    }

    @Test func aKnownControllerKeepsItsKey() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            for controller in [TestServer.user, TestServer.admin] {
                let id = Array(controller.pairingID.description.utf8)
                let request = RawMessage.tlv((6, [1]), (0, [3]), (1, id), (3, Self.key), (11, [1]))
                #expect(try await admin.post("/pairings", request).body == refusal(2, 1))
            }
            #expect(try await admin.post("/pairings", RawMessage.tlv((6, [1]), (0, [4]), (1, [90]))).body == [6, 1, 2])
            try await server.expectUnharmed()
        }
    }

    @Test func whatCannotBeStoredIsNotDone() async throws {
        let storage = FullDiskStorage(TestServer.paired())
        try await TestServer.run(storage: storage) { server in
            storage.isFull = true
            let admin = try await server.connect(as: TestServer.admin)
            let user = try await server.connect(as: TestServer.user)
            for request in [
                PairingsRequest.remove(TestServer.user.pairingID), .remove(TestServer.admin.pairingID),
                .add(Pairing(TestServer.user, .admin)), .add(Pairing(TestServer.controller("NEW"), .user)),
            ] {
                #expect(try await admin.post("/pairings", request.encoded()).body == refusal(2, 1))
            }
            #expect(try await user.get("/accessories").status == .ok)
            try await server.expectUnharmed()
        }
    }

    @Test func aRemovedControllerHearsNothingMore() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            let id = try await server.id(.brightness)
            let users = [
                try await server.connect(as: TestServer.user), try await server.connect(as: TestServer.user),
            ]
            let subscription = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"ev":true}]}"#
            for user in users {
                #expect(try await user.put("/characteristics", subscription).status == .noContent)
                #expect(try await user.put("/prepare", #"{"ttl":60000,"pid":1}"#).status == .ok)
            }
            // The removal of the pairing and the write arrive together.
            let removal = PairingsRequest.remove(TestServer.user.pairingID).encoded()
            let write = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":3}]}"#
            try await admin.send(
                HTTPRequest(.post, "/pairings", host: "x", body: removal).encoded()
                    + HTTPRequest(.put, "/characteristics", host: "x", body: Array(write.utf8)).encoded()
            )
            #expect(try await admin.response().body == [6, 1, 2])
            #expect(try await admin.response().status == .noContent)
            for user in users { #expect(try await user.untilClosed().isEmpty) }
        }
    }
}

/// Tests that users can't exceed their permissions.
@Suite struct PrivilegeAttacks {
    private static func entry(_ id: CharacteristicID, _ members: String) -> String {
        #"{"characteristics":[{"aid":1,"iid":\#(id.iid),\#(members)}]}"#
    }

    @Test func whatIsForAdminsIsNotForUsersWhateverTheyTry() async throws {
        try await TestServer.run { server in
            let user = try await server.connect(as: TestServer.user)
            let id = try await server.id("Special", TestAccessories.adminOnly)
            for members in [
                #""value":3"#, #""ev":true"#, #""ev":false"#, #""value":3,"ev":true"#, #""value":3,"r":true"#,
                #""value":99"#, #""value":3,"remote":true,"authData":"AQID""#,
            ] {
                let response = try await user.put("/characteristics", Self.entry(id, members))
                let expected = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":-70401}]}"#
                #expect(response.text == expected, "\(members)")
            }
            #expect(try await user.put("/prepare", #"{"ttl":60000,"pid":1}"#).status == .ok)
            let timed = #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"value":3}],"pid":1}"#
            #expect(try await user.put("/characteristics", timed).text.contains("-70401"))
            let read = try await user.get("/characteristics?id=\(id)&meta=1&perms=1&type=1&ev=1")
            #expect(read.status == .multiStatus)
            #expect(read.text.contains(#""status":-70401"#) && !read.text.contains(#""value""#))
            try await server.expectUnharmed()
        }
    }

    @Test func aResponseToAWriteDoesNotTellWhatMayNotBeRead() async throws {
        var lamp = TestAccessories.lamp()
        let characteristic = HostedCharacteristic(
            type: HAPType(short: 0xE000),
            permissions: [.read, .write, .writeResponse],
            adminOnly: [.read],
            metadata: CharacteristicMetadata(format: .uint8),
            value: .integer(1)
        )
        lamp.services.append(HostedService(HAPType(short: 0xF000), key: "Secret", characteristics: [characteristic]))
        try await TestServer.run([lamp]) { server in
            let user = try await server.connect(as: TestServer.user)
            let id = try await server.id("Secret", HAPType(short: 0xE000))
            let refused = try await user.put("/characteristics", Self.entry(id, #""value":3,"r":true"#))
            #expect(refused.text == #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":-70401}]}"#)
            #expect(try await user.put("/characteristics", Self.entry(id, #""value":4"#)).status == .noContent)
            let admin = try await server.connect(as: TestServer.admin)
            let reply = try await admin.put("/characteristics", Self.entry(id, #""value":4,"r":1"#))
            #expect(reply.text == #"{"characteristics":[{"aid":1,"iid":\#(id.iid),"status":0,"value":4}]}"#)
        }
    }

    @Test func anAdminThatBecomesAUserHearsNoMoreOfWhatIsForAdmins() async throws {
        try await TestServer.run { server in
            let admin = try await server.connect(as: TestServer.admin)
            #expect(try await admin.manage(.add(Pairing(TestServer.user, .admin))) == .done)
            let other = try await server.connect(as: TestServer.user)
            let secret = try await server.id("Special", TestAccessories.adminOnly)
            let open = try await server.id(.brightness)
            for id in [secret, open] {
                #expect(try await other.put("/characteristics", Self.entry(id, #""ev":true"#)).status == .noContent)
            }
            #expect(try await admin.manage(.add(Pairing(TestServer.user, .user))) == .done)
            #expect(try await admin.put("/characteristics", Self.entry(secret, #""value":7"#)).status == .noContent)
            #expect(try await admin.put("/characteristics", Self.entry(open, #""value":7"#)).status == .noContent)
            #expect(try await other.event() == Self.entry(open, #""value":7"#))
            #expect(try await other.get("/characteristics?id=\(secret)&ev=1").text.contains(#""ev":false"#))
        }
    }
}
