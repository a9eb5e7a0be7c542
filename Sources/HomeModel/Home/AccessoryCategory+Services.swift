import HAPCatalog

extension AccessoryCategory {
    /// Creates a category for an accessory that states none, from its primary service or else its first service that
    /// implies one.
    init(suggestedBy services: [ServiceShape]) {
        let primaryFirst = services.filter(\.isPrimary) + services.filter { !$0.isPrimary }
        self = primaryFirst.lazy.compactMap { Self.byService[$0.type] }.first ?? .other
    }

    private static let byService: [HAPType: AccessoryCategory] = [
        HAPType.Service.airPurifier: .airPurifier,
        HAPType.Service.airQualitySensor: .sensor,
        HAPType.Service.cameraRTPStreamManagement: .ipCamera,
        HAPType.Service.carbonDioxideSensor: .sensor,
        HAPType.Service.carbonMonoxideSensor: .sensor,
        HAPType.Service.contactSensor: .sensor,
        HAPType.Service.door: .door,
        HAPType.Service.doorbell: .videoDoorbell,
        HAPType.Service.fan: .fan,
        HAPType.Service.fanv2: .fan,
        HAPType.Service.faucet: .faucet,
        HAPType.Service.garageDoorOpener: .garageDoorOpener,
        HAPType.Service.heaterCooler: .airConditioner,
        HAPType.Service.humidifierDehumidifier: .airHumidifier,
        HAPType.Service.humiditySensor: .sensor,
        HAPType.Service.irrigationSystem: .sprinkler,
        HAPType.Service.leakSensor: .sensor,
        HAPType.Service.lightbulb: .lightbulb,
        HAPType.Service.lightSensor: .sensor,
        HAPType.Service.lockMechanism: .doorLock,
        HAPType.Service.motionSensor: .sensor,
        HAPType.Service.occupancySensor: .sensor,
        HAPType.Service.outlet: .outlet,
        HAPType.Service.securitySystem: .securitySystem,
        HAPType.Service.smartSpeaker: .speaker,
        HAPType.Service.smokeSensor: .sensor,
        HAPType.Service.speaker: .speaker,
        HAPType.Service.statefulProgrammableSwitch: .programmableSwitch,
        HAPType.Service.statelessProgrammableSwitch: .programmableSwitch,
        HAPType.Service.switch: .switch,
        HAPType.Service.targetControl: .targetController,
        HAPType.Service.television: .television,
        HAPType.Service.temperatureSensor: .sensor,
        HAPType.Service.thermostat: .thermostat,
        HAPType.Service.valve: .sprinkler,
        HAPType.Service.wiFiRouter: .router,
        HAPType.Service.window: .window,
        HAPType.Service.windowCovering: .windowCovering,
    ]
}
