package import HAPCatalog

extension Home {
    /// Returns whether a person must agree before something that isn't a person writes a value, because it may unlock, open or
    /// disarm something.
    ///
    /// For services that guard the home, only the values that are known to lock, close or arm are written without asking.
    /// Services for which a user has set that clients ask first always ask.
    ///
    /// - Parameter value: The value; `nil` if it depends on the present one.
    package func isGuarded(
        _ characteristic: CharacteristicShape,
        of service: ServiceShape,
        in accessory: AccessoryRecord,
        writing value: CharacteristicValue?
    ) -> Bool {
        if accessory.servicesAskingFirst.contains(service.iid) { return true }
        let kind = ServiceKind(accessory.associatedTypes[service.iid] ?? service.type)
        guard kind.guardsHome else { return false }
        guard let number = value?.guardedNumber else { return true }
        return !(kind.safeValues[characteristic.type]?.contains(number) ?? false)
    }
}

extension ServiceKind {
    /// Whether services of the kind guard the home or hold back water.
    fileprivate var guardsHome: Bool {
        switch self {
        case .lock, .lockSettings, .door, .window, .garageDoor, .securitySystem, .valve, .tap, .sprinklers: true
        default: false
        }
    }

    /// The values that lock, close, arm or shut off.
    fileprivate var safeValues: [HAPType: Set<Double>] {
        switch self {
        case .lock: [HAPType.Characteristic.lockTargetState: [1]]
        case .garageDoor: [HAPType.Characteristic.targetDoorState: [1]]
        case .door, .window: [HAPType.Characteristic.targetPosition: [0]]
        case .securitySystem: [HAPType.Characteristic.securitySystemTargetState: [0, 1, 2]]
        case .valve, .tap, .sprinklers: [HAPType.Characteristic.active: [0], HAPType.Characteristic.on: [0]]
        default: [:]
        }
    }
}

extension CharacteristicValue {
    fileprivate var guardedNumber: Double? {
        if case .bool(let value) = self { value ? 1 : 0 } else { number }
    }
}
