import HomeModel

/// A word for kinds of services: "lights", "doors", "sensors".
enum Category: String, Hashable, Sendable, CaseIterable {
    case light, `switch`, outlet, fan, lock, door, garageDoor, covering, curtain, blind, shutter, shade, awning, window
    case thermostat, airConditioner, heater, humidifier, dehumidifier, airPurifier, valve, faucet, sprinkler
    case securitySystem, television, speaker, camera, sensor, motionSensor, occupancySensor, contactSensor
    case temperatureSensor, humiditySensor, leakSensor, smokeSensor, lightSensor, airQualitySensor, battery
    /// "Devices": whatever can be turned on and off.
    case device
    /// "Everything": all devices, or all doors if they are to be locked.
    case everything

    /// The kinds of services that the word means, the first choice first.
    var kinds: [Set<ServiceKind>] {
        switch self {
        case .light: [[.light]]
        case .switch: [[.switch, .outlet]]
        case .outlet: [[.outlet], [.switch]]
        case .fan: [[.fan], [.airPurifier]]
        case .lock: [[.lock]]
        case .door: [[.door], [.lock], [.garageDoor]]
        case .garageDoor: [[.garageDoor]]
        case .covering, .curtain, .blind, .shutter, .shade, .awning: [[.blinds]]
        case .window: [[.window]]
        case .thermostat, .heater: [[.thermostat], [.airConditioner]]
        case .airConditioner: [[.airConditioner], [.thermostat]]
        case .humidifier, .dehumidifier: [[.humidifier]]
        case .airPurifier: [[.airPurifier]]
        case .valve: [[.valve]]
        case .faucet: [[.tap], [.valve]]
        case .sprinkler: [[.sprinklers], [.valve]]
        case .securitySystem: [[.securitySystem]]
        case .television: [[.television]]
        case .speaker: [[.speaker]]
        case .camera: [[.camera]]
        case .sensor:
            [
                [
                    .motionSensor, .presenceSensor, .contactSensor, .temperatureSensor, .humiditySensor, .leakSensor,
                    .smokeSensor, .lightSensor, .airQualitySensor, .carbonMonoxideSensor, .carbonDioxideSensor,
                ]
            ]
        case .motionSensor: [[.motionSensor], [.presenceSensor]]
        case .occupancySensor: [[.presenceSensor], [.motionSensor]]
        case .contactSensor: [[.contactSensor]]
        case .temperatureSensor: [[.temperatureSensor], [.thermostat]]
        case .humiditySensor: [[.humiditySensor]]
        case .leakSensor: [[.leakSensor]]
        case .smokeSensor: [[.smokeSensor]]
        case .lightSensor: [[.lightSensor]]
        case .airQualitySensor: [[.airQualitySensor]]
        case .battery: [[.battery]]
        case .everything: Category.device.kinds + [[.blinds], [.window, .door, .garageDoor], [.lock]]
        case .device: [[.light, .switch, .outlet, .fan, .television, .speaker, .airPurifier, .humidifier]]
        }
    }
}
