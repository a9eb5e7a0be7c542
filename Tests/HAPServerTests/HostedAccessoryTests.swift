import HAPCatalog
import HAPServer
import Testing

@Suite struct HostedAccessoryTests {
    /// Creates a server, or throws the error in its accessories.
    private func check(_ accessories: [HostedAccessory]) throws(AccessoryServerError) {
        _ = try AccessoryServer(
            AccessoryServerConfiguration(category: .lightbulb),
            accessories: accessories,
            storage: MemoryStorage()
        )
    }

    /// Returns the error of a changed lamp.
    private func reason(_ change: (inout HostedAccessory) -> Void) -> String? {
        var lamp = TestAccessories.lamp()
        change(&lamp)
        do throws(AccessoryServerError) {
            try check([lamp])
            return nil
        } catch {
            return error.code == .invalidAccessory ? error.reason : nil
        }
    }

    @Test func theLengthsOfNamesAreLimited() {
        #expect(reason { $0.information.name = String(repeating: "n", count: 64) } == nil)
        #expect(reason { $0.information.name = String(repeating: "n", count: 65) }?.contains("name") == true)
        #expect(reason { $0.information.model = "" }?.contains("model") == true)
        #expect(reason { $0.information.serialNumber = "12" } == nil)
        #expect(reason { $0.information.serialNumber = "1" }?.contains("serial number") == true)
    }

    @Test(arguments: ["1", "1.2", "1.2.3", "100.0.4294967295"])
    func revisionsAreOneToThreeNumbers(_ revision: String) {
        #expect(reason { $0.information.firmwareRevision = revision } == nil)
    }

    @Test(arguments: ["", "1.", "1.2.3.4", "1.x", "v1", "+1", "4294967296"])
    func everythingElseIsNoRevision(_ revision: String) {
        #expect(reason { $0.information.firmwareRevision = revision }?.contains("revision") == true)
    }

    @Test func keysAreUnique() {
        let twice = reason { $0.services.append(TestAccessories.lightbulb()) }
        #expect(twice?.contains("key") == true)
        #expect(throws: AccessoryServerError.self) { try check([TestAccessories.lamp(), TestAccessories.lamp()]) }
        #expect(reason { $0.services[0].key = "" } != nil)
        #expect(reason { $0.services[0].key = "a/b" } != nil)
    }

    @Test func aCharacteristicTypeIsOnceInAService() {
        let twice = reason { $0.services[0].characteristics.append($0.services[0].characteristics[0]) }
        #expect(twice?.contains("Lamp/Lightbulb has the characteristic On twice") == true)
    }

    @Test func aServiceHasACharacteristic() {
        #expect(reason { $0.services[0].characteristics = [] } != nil)
    }

    @Test func valuesHaveToFit() {
        let high = reason { $0.services[0].characteristics[1].value = .integer(101) }
        #expect(high == "Lamp/Lightbulb/Brightness: 101 is above the maximum 100")
        #expect(reason { $0.services[0].characteristics[1].value = .integer(100) } == nil)
        #expect(reason { $0.services[0].characteristics[0].value = .string("on") } != nil)
        #expect(reason { $0.services[0].characteristics[0].value = nil } != nil)
    }

    @Test func linksStayWithinTheAccessory() {
        #expect(reason { $0.services[0].linked = ["Lightbulb"] } != nil)
        #expect(reason { $0.services[0].linked = ["Fan"] } != nil)
    }

    @Test func theServersOwnServicesAreNotForOwners() {
        let type = HAPType.Service.self
        for type in [type.accessoryInformation, type.protocolInformation, type.pairing] {
            #expect(reason { $0.services[0].type = type }?.contains("leave it out") == true)
        }
    }

    @Test func aServerHasUpTo150Accessories() throws {
        let lamps = (1...151).map { TestAccessories.lamp("Lamp \($0)") }
        try check(Array(lamps.prefix(150)))
        #expect(throws: AccessoryServerError.self) { try check(lamps) }
        #expect(throws: AccessoryServerError.self) { try check([]) }
    }
}
