import AccessoryCheck
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests that users can't exceed their permissions.
@Suite struct PrivilegeTests {
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
