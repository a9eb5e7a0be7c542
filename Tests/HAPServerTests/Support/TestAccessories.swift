import HAP
import HAPCatalog

@testable import HAPServer

/// Accessories for tests.
enum TestAccessories {
    /// A characteristic that requires timed writes.
    static let timed = HAPType(short: 0xF001)
    /// A characteristic with write response.
    static let responding = HAPType(short: 0xF002)
    /// A characteristic that only admins can access.
    static let adminOnly = HAPType(short: 0xF003)

    static func information(_ name: String, firmware: String = "1.0") -> AccessoryInformation {
        AccessoryInformation(
            name: name,
            manufacturer: "Maker",
            model: "Model 1",
            serialNumber: "S-\(name)",
            firmwareRevision: firmware
        )
    }

    static func lamp(_ key: String = "Lamp") -> HostedAccessory {
        HostedAccessory(key: key, information: information(key), services: [lightbulb()])
    }

    static func lightbulb(brightness: Int64 = 50) -> HostedService {
        HostedService(
            HAPType.Service.lightbulb,
            characteristics: [
                HostedCharacteristic(HAPType.Characteristic.on),
                HostedCharacteristic(HAPType.Characteristic.brightness, value: .integer(brightness)),
            ].compactMap(\.self)
        )
    }

    static func button() -> HostedService {
        HostedService(
            HAPType.Service.statelessProgrammableSwitch,
            characteristics: [HostedCharacteristic(HAPType.Characteristic.programmableSwitchEvent)].compactMap(\.self)
        )
    }

    /// Returns a service with one characteristic for each of HAP's less common permissions.
    static func special() -> HostedService {
        func characteristic(
            _ type: HAPType,
            _ permissions: CharacteristicPermissions,
            adminOnly: CharacteristicPermissions = []
        ) -> HostedCharacteristic {
            HostedCharacteristic(
                type: type,
                permissions: permissions,
                adminOnly: adminOnly,
                metadata: CharacteristicMetadata(format: .uint8, minValue: .integer(0), maxValue: .integer(9)),
                value: .integer(1)
            )
        }
        return HostedService(
            HAPType(short: 0xF000),
            key: "Special",
            characteristics: [
                characteristic(timed, [.read, .write, .timedWrite]),
                characteristic(responding, [.read, .write, .writeResponse]),
                characteristic(adminOnly, [.read, .write, .notify], adminOnly: [.read, .write, .notify]),
            ]
        )
    }

    /// A lamp with a button and the special service.
    static var everything: HostedAccessory {
        var lamp = lamp()
        lamp.services += [button(), special()]
        return lamp
    }
}
