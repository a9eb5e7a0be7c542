import HomeKit

/// Formats and parses a characteristic's values: names if the values have names, otherwise numbers.
struct ShownValue {
    private let characteristic: HMCharacteristic

    init(of characteristic: HMCharacteristic) {
        self.characteristic = characteristic
    }

    /// The value's name, or the number with its unit.
    var text: String {
        switch characteristic.value {
        case nil: "…"
        case let flag as Bool where isFlag: flag ? flags.yes : flags.no
        case let number as Int: names?[number] ?? "\(number)\(unit)"
        case let number as Double: (number == number.rounded() ? "\(Int(number))" : "\(number)") + unit
        case let value?: "\(value)"
        }
    }

    /// Returns the value for a text, or `nil` if the characteristic doesn't accept it.
    func value(meantBy text: String) -> Any? {
        if isFlag {
            switch text.lowercased() {
            case flags.yes.lowercased(): return true
            case flags.no.lowercased(): return false
            default: return nil
            }
        }
        if let named = names?.first(where: { $0.value.lowercased() == text.lowercased() }) { return named.key }
        return Int(text) ?? Double(text)
    }

    /// The values that have names.
    private var names: [Int: String]? { Self.names[characteristic.characteristicType] }

    private var isFlag: Bool { characteristic.metadata?.format == HMCharacteristicMetadataFormatBool }

    private var flags: (yes: String, no: String) {
        characteristic.characteristicType == HMCharacteristicTypePowerState ? ("On", "Off") : ("Yes", "No")
    }

    private var unit: String {
        switch characteristic.metadata?.units {
        case HMCharacteristicMetadataUnitsPercentage: " %"
        case HMCharacteristicMetadataUnitsArcDegree: "°"
        case HMCharacteristicMetadataUnitsSeconds: " s"
        default: ""
        }
    }

    /// Returns the names of a type's values.
    static let names: [String: [Int: String]] = [
        HMCharacteristicTypeCurrentDoorState: doors,
        HMCharacteristicTypeTargetDoorState: doors,
        HMCharacteristicTypeCurrentLockMechanismState: locks,
        HMCharacteristicTypeTargetLockMechanismState: locks,
    ]

    private static let doors = [
        HMCharacteristicValueDoorState.open.rawValue: "Open",
        HMCharacteristicValueDoorState.closed.rawValue: "Closed",
        HMCharacteristicValueDoorState.opening.rawValue: "Opening",
        HMCharacteristicValueDoorState.closing.rawValue: "Closing",
        HMCharacteristicValueDoorState.stopped.rawValue: "Stopped",
    ]

    private static let locks = [
        HMCharacteristicValueLockMechanismState.unsecured.rawValue: "Unlocked",
        HMCharacteristicValueLockMechanismState.secured.rawValue: "Locked",
        HMCharacteristicValueLockMechanismState.jammed.rawValue: "Jammed",
        HMCharacteristicValueLockMechanismState.unknown.rawValue: "Unknown",
    ]
}
