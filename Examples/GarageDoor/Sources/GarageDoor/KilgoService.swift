import HomeKit

/// What the app knows about its manufacturer's devices.
enum Kilgo {
    /// The manufacturer's name in the accessory information.
    static let name = "Kilgo Devices, Inc."
    /// The manufacturer's custom characteristic: the light's fade time in seconds.
    static let fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"

    /// The characteristics that the details show, in order.
    static let shownCharacteristics = [
        HMCharacteristicTypePowerState, HMCharacteristicTypeBrightness, HMCharacteristicTypeHue,
        HMCharacteristicTypeSaturation, fadeRate, HMCharacteristicTypeCurrentDoorState,
        HMCharacteristicTypeTargetDoorState, HMCharacteristicTypeObstructionDetected,
        HMCharacteristicTypeCurrentLockMechanismState, HMCharacteristicTypeTargetLockMechanismState,
    ]
}

/// A service of the manufacturer's devices, by its use.
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

    /// The characteristic that a tap changes.
    var control: String {
        switch self {
        case .door: HMCharacteristicTypeTargetDoorState
        case .light: HMCharacteristicTypePowerState
        }
    }

    /// The characteristic that a tile shows.
    var display: String {
        switch self {
        case .door: HMCharacteristicTypeCurrentDoorState
        case .light: HMCharacteristicTypePowerState
        }
    }

    /// Returns a value of ``display`` as text.
    func words(_ value: Any?) -> String {
        switch (self, value) {
        case (.light, let isOn as Bool): isOn ? "On" : "Off"
        case (.door, let state as Int): ShownValue.names[display]?[state] ?? "…"
        default: "…"
        }
    }

    /// The value that a tap writes, depending on the current value of ``control``, or `nil` if that is unknown.
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
    /// Returns the service's characteristic of a type.
    func characteristic(_ type: String) -> HMCharacteristic? {
        characteristics.first { $0.characteristicType == type }
    }
}
