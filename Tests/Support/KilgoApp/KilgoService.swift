import HomeKit

extension HMService {
    enum KilgoServiceType {
        case garageDoor, lightBulb, unknown
    }

    /// The types of characteristics that only this vendor has.
    enum KilgoCharacteristicTypes: String {
        case fadeRate = "7E536242-341C-4862-BE90-272CE15BD633"
    }

    var kilgoServiceType: KilgoServiceType {
        switch serviceType {
        case HMServiceTypeGarageDoorOpener: return .garageDoor
        case HMServiceTypeLightbulb: return .lightBulb
        default: return .unknown
        }
    }

    /// The characteristic that a tap on the tile changes.
    var primaryControlCharacteristicType: String? {
        switch kilgoServiceType {
        case .lightBulb: return HMCharacteristicTypePowerState
        case .garageDoor: return HMCharacteristicTypeTargetDoorState
        case .unknown: return nil
        }
    }

    var primaryControlCharacteristic: HMCharacteristic? {
        characteristics.first { $0.characteristicType == primaryControlCharacteristicType }
    }

    /// The characteristic that a tile shows.
    var primaryDisplayCharacteristic: HMCharacteristic? {
        let type =
            kilgoServiceType == .garageDoor
            ? HMCharacteristicTypeCurrentDoorState : primaryControlCharacteristicType
        return characteristics.first { $0.characteristicType == type }
    }

    var state: String {
        guard let value = primaryDisplayCharacteristic?.value else { return "…" }
        switch kilgoServiceType {
        case .garageDoor:
            guard let number = value as? Int, let door = HMCharacteristicValueDoorState(rawValue: number) else {
                return "Unknown"
            }
            switch door {
            case .open: return "Open"
            case .closed: return "Closed"
            case .opening: return "Opening"
            case .closing: return "Closing"
            case .stopped: return "Stopped"
            @unknown default: return "Unknown"
            }
        case .lightBulb:
            return value as? Bool == true ? "On" : "Off"
        case .unknown:
            return "\(value)"
        }
    }

    /// The characteristics in the settings, in order.
    var displayableCharacteristics: [HMCharacteristic] {
        let types = [
            HMCharacteristicTypePowerState, HMCharacteristicTypeBrightness, HMCharacteristicTypeHue,
            HMCharacteristicTypeSaturation, HMCharacteristicTypeTargetDoorState,
            HMCharacteristicTypeCurrentDoorState, HMCharacteristicTypeObstructionDetected,
            HMCharacteristicTypeTargetLockMechanismState, HMCharacteristicTypeCurrentLockMechanismState,
            KilgoCharacteristicTypes.fadeRate.rawValue,
        ]
        return characteristics.filter { types.contains($0.characteristicType) }
    }
}

extension HMCharacteristic {
    var isReadOnly: Bool {
        !properties.contains(HMCharacteristicPropertyWritable)
            && properties.contains(HMCharacteristicPropertyReadable)
    }

    var isWriteOnly: Bool {
        properties.contains(HMCharacteristicPropertyWritable)
            && !properties.contains(HMCharacteristicPropertyReadable)
    }

    /// Whether to show a slider instead of a switch.
    var isNumeric: Bool {
        guard let metadata = metadata, let format = metadata.format else { return false }
        let numericFormats = [
            HMCharacteristicMetadataFormatInt, HMCharacteristicMetadataFormatFloat,
            HMCharacteristicMetadataFormatUInt8, HMCharacteristicMetadataFormatUInt16,
            HMCharacteristicMetadataFormatUInt32, HMCharacteristicMetadataFormatUInt64,
        ]
        return numericFormats.contains(format)
    }

    var isBool: Bool {
        metadata?.format == HMCharacteristicMetadataFormatBool
    }

    var valueRange: ClosedRange<Double> {
        (metadata?.minimumValue as? Double ?? 0)...(metadata?.maximumValue?.doubleValue ?? 1)
    }
}
