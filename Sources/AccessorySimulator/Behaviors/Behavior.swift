internal import HAPCatalog

/// The behavior of a simulated service: how its current state follows the target that a controller sets.
enum Behavior: Sendable {
    /// The current state becomes the target after a delay, as in locks and security systems.
    case follow(target: HAPType, current: HAPType, delay: Duration)
    /// A door that takes a while to open or close.
    case garageDoor
    /// A cover, window or door that moves between 0 and 100 percent.
    case position
    /// Heats or cools until the current temperature is the target temperature.
    case thermostat
    /// A fan that blows air while it is active.
    case fan
    /// A device whose current state is running while it is active.
    case running(current: HAPType, running: String)
    /// Heats or cools while it is active, to stay between two temperatures.
    case heaterCooler
    /// Humidifies or dehumidifies while it is active.
    case humidifier
    /// A valve that is open while it is active, for its set duration.
    case valve

    /// Creates the behavior of a service type, or `nil` if the type has none.
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
        case services.airPurifier: self = .running(current: types.currentAirPurifierState, running: "Purifying Air")
        case services.heaterCooler: self = .heaterCooler
        case services.humidifierDehumidifier: self = .humidifier
        case services.valve: self = .valve
        default: return nil
        }
    }

    /// The default time to reach the target.
    var delay: Duration {
        switch self {
        case .follow(_, _, let delay): delay
        case .garageDoor, .position: .seconds(2)
        case .thermostat, .fan, .running, .heaterCooler, .humidifier, .valve: .zero
        }
    }

    /// The effects of a change.
    struct Reaction: Hashable, Sendable {
        /// The immediate changes.
        var now: [HAPType: CharacteristicValue] = [:]
        /// The changes after the delay.
        var later: [HAPType: CharacteristicValue] = [:]
    }

    /// Returns the reaction to a new value.
    ///
    /// - Parameters:
    ///   - changed: The characteristic with the new value.
    ///   - values: The current values of the service.
    /// - Returns: The reaction, or `nil` if there is none, in which case a pending reaction continues.
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
        case .running(let current, let running):
            guard changed == types.active, let active = values[changed] else { return nil }
            return Reaction(later: .named(current, active == .named("Active", changed) ? running : "Inactive"))
        case .heaterCooler:
            return Self.conditioning(changed, values)
        case .humidifier:
            return Self.humidifying(changed, values)
        case .valve:
            guard changed == types.active, let active = values[changed] else { return nil }
            guard active == .named("Active", changed) else {
                return Reaction(now: [types.inUse: .integer(0), types.remainingDuration: .integer(0)])
            }
            return Reaction(
                now: [types.inUse: .integer(1), types.remainingDuration: values[types.setDuration] ?? .integer(0)]
            )
        }
    }

    private static func conditioning(_ changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Reaction? {
        let types = HAPType.Characteristic.self
        let (low, high) = (types.heatingThresholdTemperature, types.coolingThresholdTemperature)
        let inputs = [types.active, types.targetHeaterCoolerState, types.currentTemperature, low, high]
        guard inputs.contains(changed), let temperature = values[types.currentTemperature]?.number else { return nil }
        let mode = types.targetHeaterCoolerState
        let canHeat = values[mode] != .named("Cool", mode)
        let canCool = values[mode] != .named("Heat", mode)
        let state =
            if values[types.active] != .named("Active", types.active) {
                "Inactive"
            } else if canHeat, let bound = values[low]?.number, temperature < bound {
                "Heating"
            } else if canCool, let bound = values[high]?.number, temperature > bound {
                "Cooling"
            } else {
                "Idle"
            }
        return Reaction(later: .named(types.currentHeaterCoolerState, state))
    }

    private static func humidifying(_ changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Reaction? {
        let types = HAPType.Characteristic.self
        let (low, high) = (
            types.relativeHumidityHumidifierThreshold, types.relativeHumidityDehumidifierThreshold
        )
        let inputs = [types.active, types.currentRelativeHumidity, low, high]
        guard inputs.contains(changed), let humidity = values[types.currentRelativeHumidity]?.number else { return nil }
        let state =
            if values[types.active] != .named("Active", types.active) {
                "Inactive"
            } else if let bound = values[low]?.number, humidity < bound {
                "Humidifying"
            } else if let bound = values[high]?.number, humidity > bound {
                "Dehumidifying"
            } else {
                "Idle"
            }
        return Reaction(later: .named(types.currentHumidifierDehumidifierState, state))
    }

    private static func heating(_ changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Reaction? {
        let types = HAPType.Characteristic.self
        let mode = types.targetHeatingCoolingState
        let inputs = [mode, types.targetTemperature, types.currentTemperature]
        guard inputs.contains(changed), let targetMode = values[mode],
            let target = values[types.targetTemperature]?.number,
            let current = values[types.currentTemperature]?.number
        else { return nil }
        let canHeat = targetMode == .named("Heat", mode) || targetMode == .named("Auto", mode)
        let canCool = targetMode == .named("Cool", mode) || targetMode == .named("Auto", mode)
        let state = canHeat && current < target ? "Heat" : canCool && current > target ? "Cool" : "Off"
        return Reaction(later: .named(types.currentHeatingCoolingState, state))
    }
}

extension CharacteristicValue {
    /// Returns the value with a name in the catalog, or `nil` if there is none.
    fileprivate static func named(_ name: String, _ type: HAPType) -> CharacteristicValue? {
        CharacteristicDefinition.of(type)?.value(named: name)
    }
}

extension [HAPType: CharacteristicValue] {
    /// Returns a characteristic with a value that has a name in the catalog.
    fileprivate static func named(_ type: HAPType, _ name: String) -> [HAPType: CharacteristicValue] {
        CharacteristicValue.named(name, type).map { [type: $0] } ?? [:]
    }
}
