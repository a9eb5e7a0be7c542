import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct LifecycleTests {
    @Test func aPortThatIsTakenIsNamed() async throws {
        try await TestServer.run { server in
            let second = try AccessoryServer(
                AccessoryServerConfiguration(category: .lightbulb, bindAddress: "127.0.0.1", port: server.port),
                accessories: [TestAccessories.lamp()],
                storage: MemoryStorage()
            )
            let error = await #expect(throws: AccessoryServerError.self) { _ = try await second.start() }
            #expect(error?.code == .portRefused)
            #expect(error?.reason.contains("\(server.port)") == true)
        }
    }

    @Test(arguments: [("127.0.0.1", -1), ("127.0.0.1", 65_536), ("localhost", 0), ("", 0)])
    func whatCannotBeListenedOnIsRefusedAtOnce(_ address: String, _ port: Int) {
        let error = #expect(throws: AccessoryServerError.self) {
            _ = try AccessoryServer(
                AccessoryServerConfiguration(category: .lightbulb, bindAddress: address, port: port),
                accessories: [TestAccessories.lamp()],
                storage: MemoryStorage()
            )
        }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test(arguments: [("0.0.0.0", nil), ("::", nil), ("0::0", nil), (nil, nil), ("127.0.0.1", "127.0.0.1")])
    func whatListensEverywhereIsAdvertisedEverywhere(_ bound: String?, _ advertised: String?) throws {
        let server = try AccessoryServer(
            AccessoryServerConfiguration(category: .lightbulb, bindAddress: bound),
            accessories: [TestAccessories.lamp()],
            storage: MemoryStorage()
        )
        #expect(server.advertisedAddresses?.map(\.description) == advertised.map { [$0] })
    }

    @Test(arguments: [
        (String(repeating: "a", count: 63), String(repeating: "a", count: 63)),
        (String(repeating: "a", count: 64), String(repeating: "a", count: 63)),
        (String(repeating: "a", count: 61) + "é", String(repeating: "a", count: 61) + "é"),
        (String(repeating: "a", count: 62) + "é", String(repeating: "a", count: 62)),
    ])
    func aNameIsAdvertisedUpToSixtyThreeBytes(_ name: String, _ advertised: String) async throws {
        var lamp = TestAccessories.lamp()
        lamp.information.name = name
        let server = try AccessoryServer(
            AccessoryServerConfiguration(category: .lightbulb),
            accessories: [lamp],
            storage: MemoryStorage()
        )
        #expect(await server.name == advertised)
        #expect(throws: Never.self) { try AccessoryServer.check([lamp]) }
    }

    @Test(arguments: ["", String(repeating: "a", count: 64), "a\nb"])
    func aNameThatCannotBeAdvertisedIsRefusedBeforeAnythingIsStored(_ name: String) throws {
        let storage = MemoryStorage()
        var configuration = AccessoryServerConfiguration(category: .lightbulb)
        configuration.name = name
        let error = #expect(throws: AccessoryServerError.self) {
            _ = try AccessoryServer(configuration, accessories: [TestAccessories.lamp()], storage: storage)
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(try storage.load(StoredCredentials.self) == nil)
        configuration.name = String(repeating: "a", count: 63)
        _ = try AccessoryServer(configuration, accessories: [TestAccessories.lamp()], storage: storage)
    }

    @Test func anAccessoryWhoseNameCannotBeAdvertisedIsRefused() throws {
        var lamp = TestAccessories.lamp()
        // The second name is one character of 64 bytes, which can't be truncated.
        for name in ["a\u{7}b", "\u{1F4A1}" + String(repeating: "\u{301}", count: 30)] {
            lamp.information.name = name
            let storage = MemoryStorage()
            let configuration = AccessoryServerConfiguration(category: .lightbulb)
            let error = #expect(throws: AccessoryServerError.self) { try AccessoryServer.check([lamp]) }
            #expect(error?.code == .invalidAccessory)
            #expect(throws: AccessoryServerError.self) {
                _ = try AccessoryServer(configuration, accessories: [lamp], storage: storage)
            }
            #expect(try storage.load(StoredCredentials.self) == nil)
        }
    }

    @Test func aServerStartsOnce() async throws {
        try await TestServer.run { server in
            let error = await #expect(throws: AccessoryServerError.self) { _ = try await server.server.start() }
            #expect(error?.code == .wrongState)
            // The running server is unaffected.
            _ = try await server.connect(as: TestServer.user)
        }
    }

    @Test func stoppingClosesEveryConnection() async throws {
        try await TestServer.run { server in
            let connections = [try await server.connect(as: TestServer.user), try await server.connect()]
            await server.server.stop()
            for connection in connections { #expect(try await connection.untilClosed().isEmpty) }
            await server.server.stop()
        }
    }

    @Test func theOldestOfTooManySilentConnectionsMakesRoom() async throws {
        var limits = ServerLimits()
        limits.unverifiedConnections = 3
        try await TestServer.run(limits: limits) { server in
            let silent = try await server.connect()
            // Make sure that the server accepts it before the others.
            _ = try await silent.get("/accessories")
            var others: [ControllerConnection] = []
            for _ in 0..<limits.unverifiedConnections {
                let other = try await server.connect()
                _ = try await other.get("/accessories")
                others.append(other)
            }
            #expect(try await silent.untilClosed().isEmpty)
            for other in others {
                #expect(try await other.get("/accessories").status == .connectionAuthorizationRequired)
            }
        }
    }

    @Test func connectionsWithoutASessionDoNotCrowdOutThoseWithOne() async throws {
        var limits = ServerLimits()
        limits.unverifiedConnections = 1
        limits.verifiedConnections = 2
        try await TestServer.run(limits: limits) { server in
            let first = try await server.connect(as: TestServer.user)
            let second = try await server.connect(as: TestServer.user)
            for _ in 0..<5 { _ = try await server.connect().get("/accessories") }
            #expect(try await first.get("/accessories").status == .ok)
            #expect(try await second.get("/accessories").status == .ok)
            let third = try await server.connect(as: TestServer.user)
            #expect(try await first.untilClosed().isEmpty)
            #expect(try await third.get("/accessories").status == .ok)
        }
    }

    @Test(arguments: [false, true])
    func aRequestThatNeverEndsIsGivenUp(_ isVerified: Bool) async throws {
        var limits = ServerLimits()
        limits.requestTime = .milliseconds(100)
        try await TestServer.run(limits: limits) { server in
            let silent = try await server.connect()
            let slow = isVerified ? try await server.connect(as: TestServer.user) : try await server.connect()
            try await slow.send(Array("GET /acc".utf8))
            #expect(try await slow.untilClosed().isEmpty)
            // A connection that hasn't started a request stays open.
            #expect(try await silent.get("/accessories").status == .connectionAuthorizationRequired)
        }
    }

    @Test func aFrameThatNeverEndsIsGivenUp() async throws {
        var limits = ServerLimits()
        limits.requestTime = .milliseconds(100)
        try await TestServer.run(limits: limits) { server in
            let slow = try await server.connect(as: TestServer.user)
            try await slow.sendPlain([9])
            #expect(try await slow.untilClosed().isEmpty)
        }
    }

    @Test func theAnnouncementFollowsThePairings() async throws {
        let storage = MemoryStorage()
        try await TestServer.run([TestAccessories.lamp()], storage: storage) { server in
            let unpaired = await server.server.announcement
            let hash = SetupHash(setupID: server.server.setupID, deviceID: server.server.deviceID)
            let expected = [
                "c#": "1", "ff": "0", "id": server.server.deviceID.description, "md": "Model 1", "pv": "1.1", "s#": "1",
                "sf": "1", "ci": "5", "sh": hash.textValue,
            ]
            for (key, value) in expected { #expect(unpaired[key] == value) }
            let controller = TestServer.controller("C1")
            let connection = try await server.connect()
            let accessory = try await connection.pair(controller, code: try SetupCode(TestServer.code))
            #expect(await server.server.announcement["sf"] == "0")
            try await connection.verify(controller, accessory)
            _ = try await connection.manage(.remove(controller.pairingID))
            #expect(await server.server.announcement["sf"] == "1")
        }
    }

    @Test func valuesAreOpenToTheOwner() async throws {
        try await TestServer.run { server in
            try await server.server.update(.bool(true), of: .on)
            #expect(await server.server.values[.on] == .bool(true))
            #expect(
                await server.events == [.valueChanged(ValueChange(address: .on, value: .bool(true), controller: nil))]
            )
            let error = await #expect(throws: AccessoryServerError.self) {
                try await server.server.update(.integer(101), of: .brightness)
            }
            #expect(error?.code == .invalidValue)
            var nowhere = CharacteristicAddress.on
            nowhere.accessory = "Other"
            let missing = await #expect(throws: AccessoryServerError.self) {
                try await server.server.update(.bool(true), of: nowhere)
            }
            #expect(missing?.code == .noSuchCharacteristic)
        }
    }
}
