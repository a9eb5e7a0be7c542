import HomeModel

extension Language {
    /// The names of the kinds of services.
    static let englishKinds: [ServiceKind: String] = [
        .light: "Light", .switch: "Switch", .outlet: "Outlet", .fan: "Fan", .thermostat: "Thermostat",
        .airConditioner: "Air Conditioner", .humidifier: "Humidifier", .airPurifier: "Air Purifier",
        .blinds: "Blinds", .window: "Window", .door: "Door", .garageDoor: "Garage Door", .lock: "Lock",
        .securitySystem: "Security System", .valve: "Valve", .sprinklers: "Sprinklers", .tap: "Tap", .slats: "Slats",
        .television: "Television", .speaker: "Speaker", .camera: "Camera", .doorbell: "Doorbell", .button: "Button",
        .router: "Router", .temperatureSensor: "Temperature Sensor", .humiditySensor: "Humidity Sensor",
        .lightSensor: "Light Sensor", .motionSensor: "Motion Sensor", .presenceSensor: "Presence Sensor",
        .contactSensor: "Door or Window Sensor", .leakSensor: "Leak Sensor", .smokeSensor: "Smoke Sensor",
        .carbonMonoxideSensor: "Carbon Monoxide Sensor", .carbonDioxideSensor: "Carbon Dioxide Sensor",
        .airQualitySensor: "Air Quality Sensor", .other: "Accessory", .battery: "Battery", .filter: "Filter",
        .microphone: "Microphone", .inputSource: "Input", .lockSettings: "Lock Settings",
        .cameraSettings: "Camera Settings", .buttonNumbering: "Button Numbers", .background: "Device",
    ]
}
