import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct IdentifierTests {
    private let bridge = HostedAccessory(
        key: "Bridge",
        information: TestAccessories.information("Bridge"),
        services: []
    )

    /// Returns the IDs that a server assigns to these accessories, and its configuration number.
    private func start(
        _ accessories: [HostedAccessory],
        _ storage: MemoryStorage
    ) async throws -> (ids: [CharacteristicAddress: CharacteristicID], configurationNumber: Int) {
        let server = try AccessoryServer(
            AccessoryServerConfiguration(category: .bridge),
            accessories: accessories,
            storage: storage
        )
        let ids = await server.database.addresses.map { ($0.address, $0.id) }
        return (Dictionary(uniqueKeysWithValues: ids), await server.configurationNumber)
    }

    @Test func idsStayOverARestart() async throws {
        let storage = MemoryStorage()
        let accessories = [bridge, TestAccessories.lamp("A"), TestAccessories.lamp("B")]
        let first = try await start(accessories, storage)
        let second = try await start(accessories, storage)
        #expect(first.ids == second.ids)
        #expect(first.configurationNumber == 1)
        #expect(second.configurationNumber == 1)
    }

    @Test func idsStayWhenTheOrderChanges() async throws {
        let storage = MemoryStorage()
        var lamp = TestAccessories.lamp("A")
        lamp.services += [TestAccessories.button(), TestAccessories.special()]
        let first = try await start([bridge, lamp, TestAccessories.lamp("B")], storage)
        lamp.services.reverse()
        for index in lamp.services.indices { lamp.services[index].characteristics.reverse() }
        let second = try await start([bridge, TestAccessories.lamp("B"), lamp], storage)
        #expect(first.ids == second.ids)
        #expect(second.configurationNumber == 2)
    }

    @Test func whatIsRemovedComesBackWithItsIdsAndNobodyElseGetsThem() async throws {
        let storage = MemoryStorage()
        let first = try await start([bridge, TestAccessories.lamp("A"), TestAccessories.lamp("B")], storage)
        let second = try await start([bridge, TestAccessories.lamp("B"), TestAccessories.lamp("C")], storage)
        let third = try await start([bridge, TestAccessories.lamp("A")], storage)
        let address = { CharacteristicAddress(accessory: $0, service: "Lightbulb", type: HAPType.Characteristic.on) }
        #expect(second.ids[address("B")] == first.ids[address("B")])
        #expect(third.ids[address("A")] == first.ids[address("A")])
        let aids = Set(first.ids.values.map(\.aid)).union(second.ids.values.map(\.aid))
        #expect(aids == [1, 2, 3, 4])
        #expect([first, second, third].map(\.configurationNumber) == [1, 2, 3])
    }

    @Test func aServiceThatIsRemovedAndComesBackKeepsItsIds() async throws {
        let storage = MemoryStorage()
        var lamp = TestAccessories.lamp()
        lamp.services.append(TestAccessories.button())
        let first = try await start([lamp], storage)
        let without = try await start([TestAccessories.lamp()], storage)
        lamp.services[1] = TestAccessories.special()
        let other = try await start([lamp], storage)
        lamp.services.append(TestAccessories.button())
        let last = try await start([lamp], storage)
        #expect(without.ids[.on] == first.ids[.on])
        #expect(without.ids[.button] == nil)
        #expect(last.ids[.button] == first.ids[.button])
        let taken = other.ids.filter { $0.key.service == "Special" }.values
        #expect(Set(first.ids.values).isDisjoint(with: taken))
    }

    @Test func thePrimaryAccessoryIsAlwaysTheFirst() async throws {
        let storage = MemoryStorage()
        let first = try await start([TestAccessories.lamp("A")], storage)
        let second = try await start([TestAccessories.lamp("B")], storage)
        #expect(Set(first.ids.values) == Set(second.ids.values))
        #expect(first.ids.values.allSatisfy { $0.aid == 1 })
    }

    @Test func accessoryInformationHasTheFirstIdInEveryAccessory() async throws {
        let storage = MemoryStorage()
        let server = try AccessoryServer(
            AccessoryServerConfiguration(category: .bridge),
            accessories: [bridge, TestAccessories.lamp("A")],
            storage: storage
        )
        let accessories = await server.database.attributes.accessories
        #expect(accessories.map(\.services.first?.iid) == [1, 1])
        let types = accessories.map { $0.services.map(\.type) }
        #expect(types[0] == [HAPType.Service.accessoryInformation, HAPType.Service.protocolInformation])
        #expect(types[1] == [HAPType.Service.accessoryInformation, HAPType.Service.lightbulb])
    }

    @Test func valuesDoNotRaiseTheConfigurationNumberAndMetadataNamesAndFirmwareDo() async throws {
        let storage = MemoryStorage()
        var lamp = TestAccessories.lamp()
        _ = try await start([lamp], storage)
        lamp.services = [TestAccessories.lightbulb(brightness: 7)]
        #expect(try await start([lamp], storage).configurationNumber == 1)
        lamp.services[0].characteristics[1].metadata.maxValue = .integer(99)
        #expect(try await start([lamp], storage).configurationNumber == 2)
        lamp.information.firmwareRevision = "1.1"
        #expect(try await start([lamp], storage).configurationNumber == 3)
        lamp.information.name = "Floor Lamp"
        #expect(try await start([lamp], storage).configurationNumber == 4)
        lamp.information.manufacturer = "Another"
        #expect(try await start([lamp], storage).configurationNumber == 5)
        lamp.information.model = "Another"
        #expect(try await start([lamp], storage).configurationNumber == 6)
        #expect(try await start([lamp], storage).configurationNumber == 6)
    }

    @Test func theConfigurationNumberWrapsToOne() throws {
        var stored = StoredAttributes()
        for number in 1...HAPLimits.configurationNumber {
            stored.adopt(StructureDigest("\(number)".utf8))
            #expect(stored.configurationNumber == number)
        }
        stored.adopt(StructureDigest("another".utf8))
        #expect(stored.configurationNumber == 1)
    }

    @Test func linksBecomeTheIdsOfServices() async throws {
        var lamp = TestAccessories.lamp()
        lamp.services.append(TestAccessories.button())
        lamp.services[0].linked = ["StatelessProgrammableSwitch"]
        lamp.services[0].isPrimary = true
        let server = try AccessoryServer(
            AccessoryServerConfiguration(category: .lightbulb),
            accessories: [lamp],
            storage: MemoryStorage()
        )
        let services = await server.database.attributes.accessories[0].services
        #expect(services[2].linked == [services[3].iid])
        #expect(services.map(\.isPrimary) == [false, false, true, false])
    }
}
