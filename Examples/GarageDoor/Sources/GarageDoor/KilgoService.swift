import HomeKit

/// What the app knows of its maker's devices.
enum Kilgo {
    /// As whom the devices introduce their maker.
    static let name = "Kilgo Devices, Inc."
    /// The characteristic that only this maker has: how long the light takes to go on and off, in seconds.
    static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"

    /// The characteristics that the detail shows, in this order.
    static let shownCharacteristics = [
        HMCharacteristicTypePowerState, HMCharacteristicTypeBrightness, HMCharacteristicTypeHue,
        HMCharacteristicTypeSaturation, fadeRate, HMCharacteristicTypeCurrentDoorState,
        HMCharacteristicTypeTargetDoorState, HMCharacteristicTypeObstructionDetected,
        HMCharacteristicTypeCurrentLockMechanismState, HMCharacteristicTypeTargetLockMechanismState,
    ]
}

/// A service of the maker's devices, by what a person does with it.
enum KilgoService {
    case door
    case light

    init?(_ service: HMService) {
        guard service.isUserInteractive, service.accessory?.manufacturer == Kilgo.name else { return nil }
        switch service.serviceType {
        case HMServiceTypeGarageDoorOpener: self = .door
        case HMServiceTypeLightbulb: self = .light
        default: return nil
        }
    }

    /// What a tap changes.
    var control: String {
        switch self {
        case .door: HMCharacteristicTypeTargetDoorState
        case .light: HMCharacteristicTypePowerState
        }
    }

    /// What a tile shows.
    var display: String {
        switch self {
        case .door: HMCharacteristicTypeCurrentDoorState
        case .light: HMCharacteristicTypePowerState
        }
    }

    /// A value of ``display`` in words.
    func words(_ value: Any?) -> String {
        switch (self, value) {
        case (.light, let isOn as Bool): isOn ? "On" : "Off"
        case (.door, let state as Int): ShownValue.names[display]?[state] ?? "…"
        default: "…"
        }
    }

    /// What a tap writes, after what ``control`` has at the moment; nil as long as that is not known.
    func opposite(of value: Any?) -> Any? {
        switch (self, value) {
        case (.light, let isOn as Bool): !isOn
        case (.door, let target as Int):
            target == HMCharacteristicValueDoorState.open.rawValue
                ? HMCharacteristicValueDoorState.closed.rawValue : HMCharacteristicValueDoorState.open.rawValue
        default: nil
        }
    }
}

extension HMService {
    /// The service's characteristic of a type.
    func characteristic(_ type: String) -> HMCharacteristic? {
        characteristics.first { $0.characteristicType == type }
    }
}
