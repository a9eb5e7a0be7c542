import AccessorySimulator
import HAPCatalog
import HAPServer

/// Presets of small accessories for tests. A test describes other accessories itself, or reads them from a file.
extension AccessoryDescription {
    /// A dimmable lamp: On, Brightness.
    public static func lamp(_ name: String = "Lamp") -> AccessoryDescription {
        accessory(name, .lightbulb, services: [lightbulb])
    }

    /// An outlet: On, Outlet In Use.
    public static func outlet(_ name: String = "Outlet") -> AccessoryDescription {
        accessory(name, .outlet, HAPType.Service.outlet)
    }

    /// A lock whose current state follows its target immediately.
    public static func lock(_ name: String = "Lock") -> AccessoryDescription {
        accessory(name, .doorLock, HAPType.Service.lockMechanism, [HAPType.Characteristic.lockCurrentState: 1])
    }

    /// A garage door that is initially closed.
    ///
    /// - Parameters:
    ///   - name: The accessory's name.
    ///   - delay: The time that it takes to open or close, on the home's clock.
    public static func garageDoor(
        _ name: String = "Garage Door",
        delay: Duration = .seconds(10)
    ) -> AccessoryDescription {
        let types = HAPType.Characteristic.self
        let closed: [HAPType: CharacteristicValue] = [types.currentDoorState: 1, types.targetDoorState: 1]
        var door = accessory(name, .garageDoorOpener, HAPType.Service.garageDoorOpener, closed)
        door.delays = [
            ServiceAddress(
                accessory: serialNumber(name),
                service: HostedService.defaultKey(for: HAPType.Service.garageDoorOpener)
            ): delay
        ]
        return door
    }

    /// A temperature sensor.
    public static func thermometer(
        _ name: String = "Thermometer",
        temperature: Double = 20
    ) -> AccessoryDescription {
        accessory(
            name,
            .sensor,
            HAPType.Service.temperatureSensor,
            [HAPType.Characteristic.currentTemperature: .double(temperature)]
        )
    }

    /// A motion sensor.
    public static func motionSensor(_ name: String = "Motion Sensor") -> AccessoryDescription {
        accessory(name, .sensor, HAPType.Service.motionSensor)
    }

    /// A button.
    public static func button(_ name: String = "Button") -> AccessoryDescription {
        accessory(name, .programmableSwitch, HAPType.Service.statelessProgrammableSwitch)
    }

    /// A bridge with the given bridged accessories.
    public static func bridge(
        _ name: String = "Bridge",
        _ bridged: AccessoryDescription...
    ) -> AccessoryDescription {
        var bridge = accessory(name, .bridge, services: [])
        for description in bridged {
            bridge.accessories += description.accessories
            bridge.delays.merge(description.delays) { _, new in new }
        }
        return bridge
    }

    /// An accessory with one service that has its required characteristics, with the given values.
    private static func accessory(
        _ name: String,
        _ category: AccessoryCategory,
        _ service: HAPType,
        _ values: [HAPType: CharacteristicValue] = [:]
    ) -> AccessoryDescription {
        let types = ServiceDefinition.of(service)?.required ?? []
        let characteristics = types.compactMap { HostedCharacteristic($0, value: values[$0]) }
        return accessory(name, category, services: [HostedService(service, characteristics: characteristics)])
    }

    private static var lightbulb: HostedService {
        HostedService(
            HAPType.Service.lightbulb,
            characteristics: [
                HostedCharacteristic(HAPType.Characteristic.on),
                HostedCharacteristic(HAPType.Characteristic.brightness, value: 100),
            ].compactMap(\.self)
        )
    }

    private static func serialNumber(_ name: String) -> String { "SN-\(name)" }

    private static func accessory(
        _ name: String,
        _ category: AccessoryCategory,
        services: [HostedService]
    ) -> AccessoryDescription {
        AccessoryDescription(
            category: category,
            accessories: [
                HostedAccessory(
                    key: serialNumber(name),
                    information: AccessoryInformation(
                        name: name,
                        manufacturer: "Hearth",
                        model: "Test",
                        serialNumber: serialNumber(name),
                        firmwareRevision: "1.0.0"
                    ),
                    services: services
                )
            ],
            source: "“\(name)”"
        )
    }
}
