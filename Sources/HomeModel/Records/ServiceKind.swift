package import HAPCatalog

/// The kind of a service, as people call it: several HAP types can be one kind.
package enum ServiceKind: String, Hashable, Sendable, Codable, CaseIterable {
    // MARK: Tiles

    case light, `switch`, outlet, fan, thermostat, airConditioner, humidifier, airPurifier
    case blinds, window, door, garageDoor, lock, securitySystem
    case valve, sprinklers, tap, slats
    case television, speaker, camera, doorbell, button, router
    case temperatureSensor, humiditySensor, lightSensor, motionSensor, presenceSensor, contactSensor
    case leakSensor, smokeSensor, carbonMonoxideSensor, carbonDioxideSensor, airQualitySensor
    /// A service of the manufacturer's own type.
    case other

    // MARK: Parts of a tile

    case battery, filter, microphone, inputSource, lockSettings, cameraSettings, buttonNumbering

    // MARK: Background

    /// A service that describes or maintains the accessory.
    case background

    /// Creates the kind of a service type.
    package init(_ type: HAPType) {
        self = Self.kinds[type] ?? .other
    }

    /// Whether services of the kind are shown as tiles, as parts of other tiles, or not at all.
    package var role: ServiceRole {
        switch self {
        case .battery, .filter, .microphone, .inputSource, .lockSettings, .cameraSettings, .buttonNumbering: .part
        case .background: .background
        default: .tile
        }
    }

    /// Whether a new service of the kind is suggested as a favorite.
    package var isSuggestedFavorite: Bool {
        switch self {
        case .light, .lock, .door, .garageDoor, .thermostat: true
        default: false
        }
    }

    /// The kind of each service type of the catalog.
    package static let kinds: [HAPType: ServiceKind] = [
        HAPType.Service.lightbulb: .light, HAPType.Service.switch: .switch, HAPType.Service.outlet: .outlet,
        HAPType.Service.fan: .fan, HAPType.Service.fanv2: .fan, HAPType.Service.thermostat: .thermostat,
        HAPType.Service.heaterCooler: .airConditioner, HAPType.Service.humidifierDehumidifier: .humidifier,
        HAPType.Service.airPurifier: .airPurifier, HAPType.Service.windowCovering: .blinds,
        HAPType.Service.window: .window, HAPType.Service.door: .door, HAPType.Service.garageDoorOpener: .garageDoor,
        HAPType.Service.lockMechanism: .lock, HAPType.Service.securitySystem: .securitySystem,
        HAPType.Service.valve: .valve, HAPType.Service.irrigationSystem: .sprinklers, HAPType.Service.faucet: .tap,
        HAPType.Service.slats: .slats, HAPType.Service.television: .television, HAPType.Service.speaker: .speaker,
        HAPType.Service.smartSpeaker: .speaker, HAPType.Service.cameraRTPStreamManagement: .camera,
        HAPType.Service.cameraControl: .camera, HAPType.Service.doorbell: .doorbell,
        HAPType.Service.statelessProgrammableSwitch: .button, HAPType.Service.statefulProgrammableSwitch: .button,
        HAPType.Service.wiFiRouter: .router, HAPType.Service.wiFiSatellite: .router,
        HAPType.Service.temperatureSensor: .temperatureSensor, HAPType.Service.humiditySensor: .humiditySensor,
        HAPType.Service.lightSensor: .lightSensor, HAPType.Service.motionSensor: .motionSensor,
        HAPType.Service.occupancySensor: .presenceSensor, HAPType.Service.contactSensor: .contactSensor,
        HAPType.Service.leakSensor: .leakSensor, HAPType.Service.smokeSensor: .smokeSensor,
        HAPType.Service.carbonMonoxideSensor: .carbonMonoxideSensor,
        HAPType.Service.carbonDioxideSensor: .carbonDioxideSensor,
        HAPType.Service.airQualitySensor: .airQualitySensor,

        HAPType.Service.battery: .battery, HAPType.Service.filterMaintenance: .filter,
        HAPType.Service.microphone: .microphone, HAPType.Service.inputSource: .inputSource,
        HAPType.Service.lockManagement: .lockSettings, HAPType.Service.cameraOperatingMode: .cameraSettings,
        HAPType.Service.cameraRecordingManagement: .cameraSettings, HAPType.Service.serviceLabel: .buttonNumbering,

        HAPType.Service.accessoryInformation: .background, HAPType.Service.protocolInformation: .background,
        HAPType.Service.pairing: .background, HAPType.Service.tunnel: .background,
        HAPType.Service.cloudRelay: .background, HAPType.Service.bridgingState: .background,
        HAPType.Service.timeInformation: .background, HAPType.Service.bridgeConfiguration: .background,
        HAPType.Service.accessControl: .background, HAPType.Service.targetControlManagement: .background,
        HAPType.Service.targetControl: .background, HAPType.Service.audioStreamManagement: .background,
        HAPType.Service.dataStreamTransportManagement: .background, HAPType.Service.siri: .background,
        HAPType.Service.transferTransportManagement: .background, HAPType.Service.powerManagement: .background,
        HAPType.Service.wiFiTransport: .background, HAPType.Service.tapManagement: .background,
        HAPType.Service.firmwareUpdate: .background, HAPType.Service.diagnostics: .background,
        HAPType.Service.accessoryRuntimeInformation: .background, HAPType.Service.siriEndpoint: .background,
        HAPType.Service.accessCode: .background, HAPType.Service.nfcAccess: .background,
        HAPType.Service.assetUpdate: .background, HAPType.Service.assistant: .background,
        HAPType.Service.accessoryMetrics: .background, HAPType.Service.threadTransport: .background,
    ]
}
