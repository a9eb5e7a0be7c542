internal import HAPCatalog

/// Something that a service does on its own because its accessory file says so, in addition to its type's behavior.
///
/// Each habit is written as a line, such as `falls BatteryLevel 1 every 10min`. `Documentation/AccessoryFiles.md` lists
/// them.
public struct Habit: Hashable, Sendable {
    /// The kind of habit.
    enum Kind: Hashable, Sendable {
        /// A value decreases. If there is a warning for low values, it is set.
        case falls(HAPType, by: Double)
        /// A value changes randomly within bounds.
        case wanders(HAPType, by: Double, ClosedRange<Double>)
        /// The temperature follows heating or cooling, otherwise it approaches that of the surroundings.
        case drifts(by: Double, surroundings: Double)
        /// The remaining duration counts down. When it reaches zero, the service becomes inactive.
        case runsDown
        /// A value returns to 0.
        case clears(HAPType)
        /// A value is copied to another characteristic.
        case copies(HAPType, to: HAPType)
        /// A lock jams at every n-th operation.
        case jams(every: Int)
    }

    let kind: Kind
    /// The time between two steps, or until the reaction.
    let time: Duration

    /// Whether the habit runs continuously, in steps, instead of reacting to changes.
    var isSteady: Bool {
        switch kind {
        case .falls, .wanders, .drifts, .runsDown: true
        case .clears, .copies, .jams: false
        }
    }

    /// The characteristics that the habit requires.
    var types: [HAPType] {
        let types = HAPType.Characteristic.self
        switch kind {
        case .falls(let type, _), .wanders(let type, _, _), .clears(let type): return [type]
        case .drifts: return [types.currentTemperature]
        case .runsDown: return [types.active, types.inUse, types.remainingDuration]
        case .copies(let source, let target): return [source, target]
        case .jams: return [types.lockTargetState, types.lockCurrentState]
        }
    }

    /// Returns the changes of the next step.
    ///
    /// - Parameter values: The current values of the service.
    func step(
        _ values: [HAPType: CharacteristicValue],
        using generator: inout some RandomNumberGenerator
    ) -> [HAPType: CharacteristicValue] {
        switch kind {
        case .falls(let type, let amount):
            guard let level = values[type]?.number, level > 0 else { return [:] }
            return Self.fallen(type, to: max(0, level - amount))
        case .wanders(let type, let amount, let bounds):
            guard let value = values[type]?.number else { return [:] }
            let next = Bool.random(using: &generator) ? value + amount : value - amount
            return [type: .of(min(max(next, bounds.lowerBound), bounds.upperBound))]
        case .drifts(let amount, let surroundings):
            return Self.drifted(values, amount, surroundings)
        case .runsDown:
            return Self.runDown(values)
        case .clears, .copies, .jams:
            return [:]
        }
    }

    /// Returns the reaction to a new value, or `nil` if there is none.
    func reaction(to changed: HAPType, _ values: [HAPType: CharacteristicValue]) -> Behavior.Reaction? {
        switch kind {
        case .clears(changed):
            switch values[changed] {
            case .bool(true)?: return Behavior.Reaction(later: [changed: .bool(false)])
            case let value? where value.number.map { $0 != 0 } ?? false:
                return Behavior.Reaction(later: [changed: .integer(0)])
            default: return nil
            }
        case .copies(changed, let target):
            return values[changed].map { Behavior.Reaction(later: [target: $0]) }
        default:
            return nil
        }
    }

    /// Modifies a reaction of the service's behavior.
    ///
    /// - Parameter times: The number of reactions so far, including this one.
    func altered(_ reaction: Behavior.Reaction, _ times: Int) -> Behavior.Reaction {
        guard case .jams(let every) = kind, times.isMultiple(of: every) else { return reaction }
        let state = HAPType.Characteristic.lockCurrentState
        guard let jammed = CharacteristicDefinition.of(state)?.value(named: "Jammed") else { return reaction }
        var altered = reaction
        altered.later[state] = jammed
        return altered
    }
}

// MARK: Steps

extension Habit {
    /// The levels below which there is a warning.
    private static let lowBattery = 20.0
    private static let lowFilter = 10.0

    private static func fallen(_ type: HAPType, to level: Double) -> [HAPType: CharacteristicValue] {
        let types = HAPType.Characteristic.self
        var changes = [type: CharacteristicValue.of(level)]
        switch type {
        case types.batteryLevel: changes[types.statusLowBattery] = .integer(level < lowBattery ? 1 : 0)
        case types.filterLifeLevel: changes[types.filterChangeIndication] = .integer(level < lowFilter ? 1 : 0)
        default: break
        }
        return changes
    }

    private static func drifted(
        _ values: [HAPType: CharacteristicValue],
        _ amount: Double,
        _ surroundings: Double
    ) -> [HAPType: CharacteristicValue] {
        let types = HAPType.Characteristic.self
        guard let temperature = values[types.currentTemperature]?.number else { return [:] }
        func isOn(_ type: HAPType, _ names: String...) -> Bool {
            names.contains { name in
                CharacteristicDefinition.of(type)?.value(named: name).map { $0 == values[type] } ?? false
            }
        }
        let next =
            if isOn(types.currentHeatingCoolingState, "Heat") || isOn(types.currentHeaterCoolerState, "Heating") {
                temperature + amount
            } else if isOn(types.currentHeatingCoolingState, "Cool") || isOn(types.currentHeaterCoolerState, "Cooling")
            {
                temperature - amount
            } else if temperature < surroundings {
                min(temperature + amount, surroundings)
            } else {
                max(temperature - amount, surroundings)
            }
        return [types.currentTemperature: .of(next)]
    }

    private static func runDown(_ values: [HAPType: CharacteristicValue]) -> [HAPType: CharacteristicValue] {
        let types = HAPType.Characteristic.self
        guard values[types.inUse] == .integer(1), let rest = values[types.remainingDuration]?.number, rest > 0 else {
            return [:]
        }
        guard rest > 1 else {
            return [types.active: .integer(0), types.inUse: .integer(0), types.remainingDuration: .integer(0)]
        }
        return [types.remainingDuration: .of(rest - 1)]
    }
}

extension CharacteristicValue {
    private static let places = 1000.0

    /// Creates a number, rounded to avoid binary fraction errors.
    fileprivate static func of(_ number: Double) -> CharacteristicValue {
        let rounded = (number * places).rounded() / places
        return Int64(exactly: rounded).map { .integer($0) } ?? .double(rounded)
    }
}
