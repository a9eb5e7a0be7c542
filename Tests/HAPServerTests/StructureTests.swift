import AccessoryCheck
import DNSSD
import HAP
import HAPCatalog
import Testing

@testable import HAPServer

/// Tests accessories that change while controllers are connected.
struct StructureTests {
    private static func lamp(_ services: [HostedService]) -> HostedAccessory {
        HostedAccessory(key: "Lamp", information: TestAccessories.information("Lamp"), services: services)
    }

    private static func subscribe(_ id: CharacteristicID) -> String {
        #"{"characteristics":[{"aid":\#(id.aid),"iid":\#(id.iid),"ev":true}]}"#
    }

    @Test func aServiceMoreIsSeenOnTheSameConnectionAndAllElseStays() async throws {
        let storage = TestServer.paired()
        try await TestServer.run([Self.lamp([TestAccessories.lightbulb()])], storage: storage) { server in
            let connection = try await server.connect(as: TestServer.admin)
            let brightness = try await server.id(.brightness)
            #expect(try await connection.put("/characteristics", Self.subscribe(brightness)).status == .noContent)
            try await server.server.update(.integer(70), of: .brightness)
            _ = try await connection.event()
            #expect(await server.server.announcement["c#"] == "1")
            try await server.server.serve([Self.lamp([TestAccessories.lightbulb(), TestAccessories.button()])])
            #expect(await server.server.announcement["c#"] == "2")
            let text = try await connection.get("/accessories").text
            let database = try AttributeDatabase(decoding: Array(text.utf8))
            #expect(database.accessories[0].services.map(\.type).last == HAPType.Service.statelessProgrammableSwitch)
            #expect(try await server.id(.brightness) == brightness)
            // The current value stays, not the initial one, and so does the subscription.
            #expect(try await server.server.value(of: .brightness) == .integer(70))
            try await server.server.update(.integer(71), of: .brightness)
            #expect(try await connection.event().contains("71"))
            #expect(await server.server.isPaired)
            #expect(try storage.load(StoredAttributes.self)?.configurationNumber == 2)
        }
    }

    @Test func whatIsGoneCannotBeReadAndItsIdIsNotGivenAgain() async throws {
        let both = [Self.lamp([TestAccessories.lightbulb(), TestAccessories.button()])]
        try await TestServer.run(both) { server in
            let connection = try await server.connect(as: TestServer.admin)
            let type = HAPType.Characteristic.programmableSwitchEvent
            let press = try await server.id("StatelessProgrammableSwitch", type)
            #expect(try await connection.put("/characteristics", Self.subscribe(press)).status == .noContent)
            try await server.server.serve([Self.lamp([TestAccessories.lightbulb()])])
            #expect(try await connection.get("/characteristics?id=\(press)").text.contains("-70409"))
            let other = HostedService(
                HAPType.Service.motionSensor,
                characteristics: [HostedCharacteristic(HAPType.Characteristic.motionDetected)].compactMap(\.self)
            )
            try await server.server.serve([Self.lamp([TestAccessories.lightbulb(), other])])
            let motion = try await server.id("MotionSensor", HAPType.Characteristic.motionDetected)
            #expect(motion.iid > press.iid)
            try await server.server.serve(both)
            #expect(try await server.id("StatelessProgrammableSwitch", type) == press)
            #expect(await server.server.configurationNumber == 4)
            // The subscription ended with its characteristic.
            let response = try await connection.get("/characteristics?id=\(press)&ev=1")
            #expect(response.text.contains(#""ev":false"#), "\(response.text)")
        }
    }

    @Test func aValueThatIsResetIsAnEventAndOneThatIsNoLongerAllowedToo() async throws {
        try await TestServer.run([Self.lamp([TestAccessories.lightbulb()])]) { server in
            let connection = try await server.connect(as: TestServer.user)
            _ = try await connection.put("/characteristics", Self.subscribe(try await server.id(.brightness)))
            try await server.server.serve([Self.lamp([TestAccessories.lightbulb(brightness: 20)])])
            #expect(try await server.server.value(of: .brightness) == .integer(50))
            try await server.server.serve(
                [Self.lamp([TestAccessories.lightbulb(brightness: 20)])],
                resetting: [.brightness]
            )
            #expect(try await connection.event().contains(#""value":20"#))
            var dim = TestAccessories.lightbulb(brightness: 5)
            dim.characteristics[1].metadata.maxValue = .integer(10)
            try await server.server.serve([Self.lamp([dim])])
            #expect(try await connection.event().contains(#""value":5"#))
        }
    }

    @Test func whatCannotBeServedOrStoredChangesNothing() async throws {
        let storage = FullDiskStorage(TestServer.paired())
        try await TestServer.run([Self.lamp([TestAccessories.lightbulb()])], storage: storage) { server in
            let twice = [Self.lamp([TestAccessories.lightbulb(), TestAccessories.lightbulb()])]
            let other = [TestAccessories.lamp("Other")]
            for accessories in [twice, other, []] {
                let error = await #expect(throws: AccessoryServerError.self) {
                    try await server.server.serve(accessories)
                }
                #expect(error?.code == .invalidAccessory)
            }
            storage.isFull = true
            let error = await #expect(throws: AccessoryServerError.self) {
                try await server.server.serve([Self.lamp([TestAccessories.lightbulb(), TestAccessories.button()])])
            }
            #expect(error?.code == .storageUnwritable)
            storage.isFull = false
            #expect(await server.server.configurationNumber == 1)
            #expect(await server.server.hosted("Lamp")?.services.last == "Lightbulb")
        }
    }

    @Test func unpairingEndsTheSessionsOfAllControllers() async throws {
        try await TestServer.run([Self.lamp([TestAccessories.lightbulb()])]) { server in
            let connection = try await server.connect(as: TestServer.user)
            try await server.server.unpair()
            try await connection.untilEnd()
            #expect(await !server.server.isPaired)
            #expect(await server.events.contains(.pairingChanged(isPaired: false)))
            #expect(await server.server.announcement["sf"] == "1")
        }
    }

    @Test func statedIdsAreTakenAndOthersFollowThem() async throws {
        let stated = PreassignedIdentifiers(
            iids: [
                .init(service: "Lightbulb"): 36,
                .init(service: "Lightbulb", characteristic: HAPType.Characteristic.on): 38,
            ],
            lastIID: 50
        )
        var lamp = Self.lamp([TestAccessories.lightbulb()])
        lamp.identifiers = stated
        try await TestServer.run([lamp]) { server in
            let shown = try #require(await server.server.hosted("Lamp")).attributes
            #expect(shown.services.last?.iid == 36)
            #expect(try await server.id(.on) == CharacteristicID(aid: 1, iid: 38))
            #expect(try await server.id(.brightness).iid > 50)
            let assigned = try #require(await server.server.identifiers(of: "Lamp"))
            #expect(assigned.iids[.init(service: "Lightbulb")] == 36)
            var contradiction = lamp
            contradiction.identifiers?.iids[.init(service: "Lightbulb")] = 37
            let error = await #expect(throws: AccessoryServerError.self) {
                try await server.server.serve([contradiction])
            }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.reason.contains("36") == true)
        }
    }

    @Test func statedIdsThatCannotBeAreRefused() {
        let cases: [(PreassignedIdentifiers, String)] = [
            (PreassignedIdentifiers(iids: [.init(service: "A"): 5, .init(service: "B"): 5]), "the iid 5"),
            (PreassignedIdentifiers(iids: [.init(service: "AccessoryInformation"): 2]), "the iid 1"),
            (PreassignedIdentifiers(iids: [.init(service: "A"): 1]), "the iid 1"),
            (PreassignedIdentifiers(iids: [.init(service: "A"): .max]), "cannot be an iid"),
            (PreassignedIdentifiers(aid: 2), "its aid cannot be 2"),
            (PreassignedIdentifiers(lastIID: .max), "cannot be an iid"),
        ]
        for (stated, reason) in cases {
            var lamp = Self.lamp([TestAccessories.lightbulb()])
            lamp.identifiers = stated
            let error = #expect(throws: AccessoryServerError.self) { try AccessoryServer.check([lamp]) }
            #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
        }
    }
}
