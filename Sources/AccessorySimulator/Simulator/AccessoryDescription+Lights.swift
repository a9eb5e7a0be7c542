internal import HAPCatalog
internal import HAPServer

extension AccessoryDescription {
    /// The maximum number of lamps behind a bridge.
    private static let lightsPerBridge = HAPLimits.accessories - 1

    /// Creates bridges with lamps that have On and Brightness, for load tests.
    ///
    /// A lamp's number determines its bridge: 1 to 149 are behind the first bridge, 150 to 298 behind the second, and
    /// so on.
    public static func lights(_ count: Int) -> [AccessoryDescription] {
        stride(from: 0, to: count, by: lightsPerBridge).map { first in
            let number = first / lightsPerBridge + 1
            let bridge = accessory("Light Bridge \(number)", "LIGHTS-\(number)", services: [])
            let lamps = (first..<min(first + lightsPerBridge, count)).map { index in
                accessory("Lamp \(index + 1)", "LAMP-\(index + 1)", services: [lightbulb])
            }
            return AccessoryDescription(
                category: .bridge,
                accessories: [bridge] + lamps,
                source: "light bridge \(number)"
            )
        }
    }

    private static var lightbulb: HostedService {
        HostedService(
            HAPType.Service.lightbulb,
            characteristics: [
                HostedCharacteristic(HAPType.Characteristic.on),
                HostedCharacteristic(HAPType.Characteristic.brightness, value: .integer(100)),
            ].compactMap(\.self)
        )
    }

    private static func accessory(_ name: String, _ serialNumber: String, services: [HostedService]) -> HostedAccessory
    {
        HostedAccessory(
            key: serialNumber,
            information: AccessoryInformation(
                name: name,
                manufacturer: "Hearth",
                model: "Simulated Light",
                serialNumber: serialNumber,
                firmwareRevision: "1.0.0"
            ),
            services: services
        )
    }
}
