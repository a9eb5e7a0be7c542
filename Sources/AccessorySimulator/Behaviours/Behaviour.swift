internal import HAPCatalog

/// What a simulated service does by itself: how its current state follows the target that a controller sets.
enum Behaviour: Sendable {
    /// The target is the current state after a while, as in locks and security systems.
    case follow(target: HAPType, current: HAPType, delay: Duration)
    /// A door that is opening or closing for a while.
    case garageDoor
    /// A cover, window or door that moves between 0 and 100 percent.
    case position
    /// Heats or cools as long as the temperature is not the one that is wanted.
    case thermostat
    /// A fan that blows while it is active.
    case fan

    /// The behaviour of a type of service, `nil` if it does nothing by itself.
    init?(_ service: HAPType) {
        let services = HAPType.Service.self
        let types = HAPType.Characteristic.self
        switch service {
        case services.lockMechanism:
            self = .follow(target: types.lockTargetState, current: types.lockCurrentState, delay: .zero)
        case services.securitySystem:
            self = .follow(
                target: types.securitySystemTargetState,
                current: types.securitySystemCurrentState,
                delay: .zero
            )
        case services.garageDoorOpener: self = .garageDoor
        case services.windowCovering, services.window, services.door: self = .position
        case services.thermostat: self = .thermostat
        case services.fanv2: self = .fan
        default: return nil
        }
    }

    /// How long the target takes unless the accessory says otherwise.
    var delay: Duration {
        switch self {
        case .follow(_, _, let delay): delay
        case .garageDoor, .position: .seconds(2)
        case .thermostat, .fan: .zero
        }
    }

    /// What follows from a change.
    struct Reaction: Hashable, Sendable {
        /// What is different at once.
        var now: [HAPType: CharacteristicValue] = [:]
        /// What is different after the delay.
        var later: [HAPType: CharacteristicValue] = [:]
    }

    /// What follows from a new value.
    ///
    /// - Parameters:
    ///   - changed: The characteristic that has the new value.
    ///   - values: The present values of the service.
    /// - Returns: `nil` if nothing follows, and what is under way goes on.
    func reaction(to changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Reaction? {
        let types = HAPType.Characteristic.self
        switch self {
        case .follow(let target, let current, _):
            guard changed == target, let value = values[target] else { return nil }
            return Reaction(later: [current: value])
        case .garageDoor:
            guard changed == types.targetDoorState, let target = values[changed] else { return nil }
            let isOpening = target == .named("Open", changed)
            return Reaction(
                now: .named(types.currentDoorState, isOpening ? "Opening" : "Closing"),
                later: .named(types.currentDoorState, isOpening ? "Open" : "Closed")
            )
        case .position:
            guard changed == types.targetPosition, let target = values[changed] else { return nil }
            let rise = (target.number ?? 0) - (values[types.currentPosition]?.number ?? 0)
            let direction = rise == 0 ? "Stopped" : rise > 0 ? "Increasing" : "Decreasing"
            var arrived: [HAPType: CharacteristicValue] = .named(types.positionState, "Stopped")
            arrived[types.currentPosition] = target
            return Reaction(now: .named(types.positionState, direction), later: arrived)
        case .thermostat:
            return Self.heating(changed, values)
        case .fan:
            guard changed == types.active, let active = values[changed] else { return nil }
            let isActive = active == .named("Active", changed)
            return Reaction(later: .named(types.currentFanState, isActive ? "Blowing Air" : "Inactive"))
        }
    }

    private static func heating(_ changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Reaction? {
        let types = HAPType.Characteristic.self
        let mode = types.targetHeatingCoolingState
        let inputs = [mode, types.targetTemperature, types.currentTemperature]
        guard inputs.contains(changed), let isWanted = values[mode],
            let target = values[types.targetTemperature]?.number,
            let current = values[types.currentTemperature]?.number
        else { return nil }
        let mayHeat = isWanted == .named("Heat", mode) || isWanted == .named("Auto", mode)
        let mayCool = isWanted == .named("Cool", mode) || isWanted == .named("Auto", mode)
        let state = mayHeat && current < target ? "Heat" : mayCool && current > target ? "Cool" : "Off"
        return Reaction(later: .named(types.currentHeatingCoolingState, state))
    }
}

extension CharacteristicValue {
    /// The value that the catalogue gives a name, `nil` if it knows none.
    fileprivate static func named(_ name: String, _ type: HAPType) -> CharacteristicValue? {
        CharacteristicDefinition.of(type)?.value(named: name)
    }
}

extension [HAPType: CharacteristicValue] {
    /// One characteristic with a value that the catalogue gives a name.
    fileprivate static func named(_ type: HAPType, _ name: String) -> [HAPType: CharacteristicValue] {
        CharacteristicValue.named(name, type).map { [type: $0] } ?? [:]
    }
}
