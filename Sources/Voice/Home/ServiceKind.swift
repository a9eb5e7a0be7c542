/// What a service is, as far as people name it.
package enum ServiceKind: String, Hashable, Sendable, CaseIterable {
    case light = "Lightbulb"
    case `switch` = "Switch"
    case outlet = "Outlet"
    case fan = "Fan"
    case lock = "LockMechanism"
    case garageDoor = "GarageDoorOpener"
    case covering = "WindowCovering"
    case window = "Window"
    case door = "Door"
    case thermostat = "Thermostat"
    case heaterCooler = "HeaterCooler"
    case humidifier = "HumidifierDehumidifier"
    case airPurifier = "AirPurifier"
    case valve = "Valve"
    case faucet = "Faucet"
    case irrigation = "IrrigationSystem"
    case securitySystem = "SecuritySystem"
    case television = "Television"
    case speaker = "Speaker"
    case occupancySensor = "OccupancySensor"
    case motionSensor = "MotionSensor"
    case contactSensor = "ContactSensor"
    case temperatureSensor = "TemperatureSensor"
    case humiditySensor = "HumiditySensor"
    case lightSensor = "LightSensor"
    case leakSensor = "LeakSensor"
    case smokeSensor = "SmokeSensor"
    case carbonMonoxideSensor = "CarbonMonoxideSensor"
    case carbonDioxideSensor = "CarbonDioxideSensor"
    case airQualitySensor = "AirQualitySensor"
    case battery = "Battery"
    case camera = "CameraRTPStreamManagement"
    case doorbell = "Doorbell"

    /// Whether a mistake may let somebody in, or water out: such services are never reached by a guess.
    package var isGuarded: Bool {
        switch self {
        case .lock, .garageDoor, .door, .window, .securitySystem, .valve, .faucet, .irrigation: true
        default: false
        }
    }
}
