import HAP
import HAPCatalog
import Testing

@testable import HAPServer

@Suite struct HostedDatabaseTests {
    @Test func theBodyIsWholeWhateverHasChangedSinceItWasAskedForLast() throws {
        var identifiers = IdentifierTable()
        let lamps = (0..<20).map { TestAccessories.lamp("Lamp \($0)") }
        var database = HostedDatabase(
            try [bridge.completed(isPrimary: true)] + lamps.map(completed),
            identifiers: &identifiers
        )
        let body = database.encoded()
        #expect(body == database.attributes.encoded())
        let entries = database.entries
        let indices = entries.indices.filter { index in
            [HAPType.Characteristic.on, HAPType.Characteristic.brightness].contains(entries[index].address.type)
        }
        for round in 0..<60 {
            for _ in 0..<Int.random(in: 0...5) {
                let index = try #require(indices.randomElement())
                let isOn = entries[index].address.type == HAPType.Characteristic.on
                _ = database.set(isOn ? .bool(.random()) : .integer(.random(in: 0...100)), at: index)
            }
            let body = database.encoded()
            #expect(body == database.attributes.encoded(), "round \(round)")
        }
    }

    @Test func theBodyHoldsTheNewestValue() throws {
        let lamp = TestAccessories.lamp("Lamp")
        var identifiers = IdentifierTable()
        var database = HostedDatabase([try completed(lamp)], identifiers: &identifiers)
        let id = try #require(database.addresses.first { $0.address.type == HAPType.Characteristic.on }?.id)
        let found = database.index(of: id)
        let index = try #require(found)
        for value in [true, false, true] {
            _ = database.encoded()
            let isChanged = database.set(.bool(value), at: index)
            #expect(isChanged)
            let body = database.encoded()
            let decoded = try AttributeDatabase(decoding: body)
            let characteristics = decoded.accessories.flatMap(\.services).flatMap(\.characteristics)
            #expect(characteristics.first { $0.iid == id.iid }?.value == .bool(value))
        }
    }

    private let bridge = HostedAccessory(
        key: "Bridge",
        information: TestAccessories.information("Bridge"),
        services: []
    )

    private func completed(_ accessory: HostedAccessory) throws -> HostedAccessory {
        try accessory.completed(isPrimary: false)
    }
}
