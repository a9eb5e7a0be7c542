import DNSSD
import Foundation
import HAP
import Testing
import WirelessSetup

@testable import HomeHub

struct UnconfiguredAccessoriesTests {
    private static func deviceID(_ number: Int) throws -> DeviceID {
        let bytes = [0x02, 0, 0, 0, number >> 8, number & 0xFF].map { String(format: "%02X", $0) }
        return try #require(DeviceID(bytes.joined(separator: ":")))
    }

    private static func instance(_ name: String) -> ServiceInstance {
        ServiceInstance(name: name, type: .wirelessSetup)
    }

    @Test func anAccessoryKeepsItsIDWhileItComesAndGoes() throws {
        var accessories = UnconfiguredAccessories()
        let advertisement = SetupAdvertisement(deviceID: try Self.deviceID(1))
        let first = accessories.update(Self.instance("Lamp"), advertisement, at: [], keeping: [])
        let id = try #require(first?.accessory.id)
        // The name may change before the old one expires.
        let renamed = accessories.update(Self.instance("Lamp (2)"), advertisement, at: [], keeping: [])
        #expect(renamed?.accessory.id == id && renamed?.lost == nil)
        #expect(accessories.list.map(\.id) == [id])
        #expect(accessories.remove(Self.instance("Lamp")) == nil)
        #expect(accessories.remove(Self.instance("Lamp (2)")) == id)
        #expect(accessories[id] == nil)
        #expect(accessories.update(Self.instance("Lamp"), advertisement, at: [], keeping: [])?.accessory.id == id)
    }

    @Test func anotherAccessoryOfTheSameNameReplacesTheFirst() throws {
        var accessories = UnconfiguredAccessories()
        let lamp = Self.instance("Lamp")
        let first = SetupAdvertisement(deviceID: try Self.deviceID(1))
        let id = accessories.update(lamp, first, at: [], keeping: [])?.accessory.id
        let second = SetupAdvertisement(deviceID: try Self.deviceID(2))
        let change = accessories.update(lamp, second, at: [], keeping: [])
        #expect(change?.lost == id && change?.accessory.id != id)
    }

    @Test func asManyAreListedAsTheLimitAllows() throws {
        var accessories = UnconfiguredAccessories()
        for number in 0..<UnconfiguredAccessories.maximumFound {
            let advertisement = SetupAdvertisement(deviceID: try Self.deviceID(number))
            #expect(accessories.update(Self.instance("Lamp \(number)"), advertisement, at: [], keeping: []) != nil)
        }
        let more = SetupAdvertisement(deviceID: try Self.deviceID(UnconfiguredAccessories.maximumFound))
        #expect(accessories.update(Self.instance("One More"), more, at: [], keeping: []) == nil)
        // Those that are listed still change.
        let change = accessories.update(Self.instance("Lamp 0"), more, at: [], keeping: [])
        #expect(change?.lost != nil)
        #expect(accessories.list.count == UnconfiguredAccessories.maximumFound)
    }
}
