import HomeModel

extension Goal {
    enum Failure: Error {
        /// The service can't do it.
        case cannot
        case outOfRange(SpokenTrait, value: Double, limits: ClosedRange<Double>)
        /// The value that it depends on isn't known.
        case unknown
    }

    /// Whether a service has what the goal changes.
    func fits(_ service: SpokenHome.Service, usesFahrenheit: Bool) -> Bool {
        switch writes(service, usesFahrenheit: usesFahrenheit) {
        case .success: true
        case .failure(.outOfRange), .failure(.unknown): true
        case .failure(.cannot): false
        }
    }

    /// The writes that achieve the goal at a service.
    func writes(_ service: SpokenHome.Service, usesFahrenheit: Bool) -> Result<[SpokenWrite], Failure> {
        func has(_ trait: SpokenTrait) -> Bool { service.traits.contains(trait) }
        func write(_ trait: SpokenTrait, _ value: Double, change: Double? = nil) -> [SpokenWrite] {
            [SpokenWrite(service: service.id, trait: trait, value: value, change: change)]
        }
        switch self {
        case .power(let isOn), .open(let isOn):
            let isPower = if case .power = self { true } else { false }
            switch service.kind {
            case .blinds, .window, .door:
                return has(.targetPosition) ? .success(write(.targetPosition, isOn ? 100 : 0)) : .failure(.cannot)
            case .garageDoor: return .success(write(.targetDoorState, isOn ? 0 : 1))
            case .lock:
                // "Turn on the lock" is no command that anybody should guess at.
                return isPower ? .failure(.cannot) : .success(write(.lockTargetState, isOn ? 0 : 1))
            case .thermostat:
                // "打开空调" is "open" as well as "turn on".
                guard has(.targetHeatingCoolingState) else { return .failure(.cannot) }
                return .success(write(.targetHeatingCoolingState, isOn ? 1 : 0))
            case .securitySystem:
                return isPower ? Goal.arm(isOn).writes(service, usesFahrenheit: usesFahrenheit) : .failure(.cannot)
            default:
                if has(.on) { return .success(write(.on, isOn ? 1 : 0)) }
                if has(.active) { return .success(write(.active, isOn ? 1 : 0)) }
                return .failure(.cannot)
            }
        case .toggle:
            guard !service.kind.isGuarded else { return .failure(.cannot) }
            if let value = service.values[.on] { return .success(write(.on, value == 0 ? 1 : 0)) }
            if let value = service.values[.active] { return .success(write(.active, value == 0 ? 1 : 0)) }
            return .failure(has(.on) || has(.active) ? .unknown : .cannot)
        case .stop:
            // To close what moves is not to stop it.
            guard !service.kind.isGuarded, service.kind != .blinds else { return .failure(.cannot) }
            return Goal.power(false).writes(service, usesFahrenheit: usesFahrenheit)
        case .lock(let locks):
            switch service.kind {
            case .lock: return .success(write(.lockTargetState, locks ? 1 : 0))
            default: return .failure(.cannot)
            }
        case .arm(let arms):
            guard service.kind == .securitySystem else { return .failure(.cannot) }
            return .success(write(.securityTargetState, arms ? 1 : 3))
        case .mute(let mutes): return has(.mute) ? .success(write(.mute, mutes ? 1 : 0)) : .failure(.cannot)
        case .color(let color):
            if color.saturation == 0, has(.colorTemperature) {
                let limits = service.limits[.colorTemperature] ?? 140...400
                let mired = min(max(250, limits.lowerBound), limits.upperBound)
                return .success(switchedOn(service) + write(.colorTemperature, mired))
            }
            if color.saturation == 0, has(.saturation) {
                return .success(switchedOn(service) + write(.saturation, 0))
            }
            guard has(.hue), has(.saturation) else { return .failure(.cannot) }
            return .success(switchedOn(service) + write(.hue, color.hue) + write(.saturation, color.saturation))
        case .white(let white):
            if has(.colorTemperature) {
                let limits = service.limits[.colorTemperature] ?? 50...500
                let mired = white == .candle ? limits.upperBound : white.mired
                return .success(
                    switchedOn(service)
                        + write(.colorTemperature, min(max(mired, limits.lowerBound), limits.upperBound))
                )
            }
            guard has(.hue), has(.saturation) else { return .failure(.cannot) }
            let saturation = white == .warm || white == .soft || white == .candle ? 20.0 : 0
            return .success(switchedOn(service) + write(.hue, 40) + write(.saturation, saturation))
        case .set(let aspect, let amount):
            return set(aspect, amount, service, usesFahrenheit: usesFahrenheit)
        case .change(let aspect, let up, let amount, let step):
            return change(aspect, up: up, by: amount, step: step, service, usesFahrenheit: usesFahrenheit)
        }
    }

    private func switchedOn(_ service: SpokenHome.Service) -> [SpokenWrite] {
        // A service whose value isn't known may be off.
        if service.traits.contains(.on), service.values[.on] ?? 0 == 0 {
            return [SpokenWrite(service: service.id, trait: .on, value: 1)]
        }
        if service.traits.contains(.active), service.values[.active] ?? 0 == 0 {
            return [SpokenWrite(service: service.id, trait: .active, value: 1)]
        }
        return []
    }

    /// The characteristic that an aspect means at a service; the service's main one if none is said.
    static func trait(_ aspect: Meaning.Aspect?, of service: SpokenHome.Service) -> SpokenTrait? {
        let trait: SpokenTrait? =
            switch aspect {
            case .brightness: .brightness
            case .speed: .rotationSpeed
            case .position: .targetPosition
            case .temperature, .targetTemperature:
                service.kind == .light ? .colorTemperature : .targetTemperature
            case .colorTemperature: .colorTemperature
            case .humidity: .targetHumidity
            case .volume: .volume
            case .color: .hue
            case nil:
                switch service.kind {
                case .light: .brightness
                case .fan, .airPurifier: .rotationSpeed
                case .blinds, .window, .door: .targetPosition
                case .thermostat, .airConditioner: .targetTemperature
                case .humidifier: .targetHumidity
                case .speaker, .television: .volume
                default: nil
                }
            default: nil
            }
        return trait.flatMap { service.traits.contains($0) ? $0 : nil }
    }

    private func set(
        _ aspect: Meaning.Aspect?,
        _ amount: Amount,
        _ service: SpokenHome.Service,
        usesFahrenheit: Bool
    ) -> Result<[SpokenWrite], Failure> {
        func write(_ trait: SpokenTrait, _ value: Double) -> [SpokenWrite] {
            let first = trait == .targetPosition ? [] : switchedOn(service)
            return first + [SpokenWrite(service: service.id, trait: trait, value: value)]
        }
        var aspect = aspect
        if case .number(let value, let unit) = amount, service.kind == .light {
            let isKelvin = unit == .kelvin || (unit == nil && value >= 1_000)
            if isKelvin { aspect = .colorTemperature }
        }
        guard let trait = Self.trait(aspect, of: service) else { return .failure(.cannot) }
        switch trait {
        case .colorTemperature:
            guard case .number(let kelvin, let unit) = amount, unit == .kelvin || unit == nil || unit == .degree else {
                return .failure(.cannot)
            }
            guard kelvin >= 1_000, kelvin <= 20_000 else {
                return .failure(.outOfRange(.colorTemperature, value: kelvin, limits: 1_000...20_000))
            }
            let limits = service.limits[trait] ?? 50...1_000
            return .success(
                write(trait, min(max((1_000_000 / kelvin).rounded(), limits.lowerBound), limits.upperBound))
            )
        case .targetTemperature:
            guard case .number(let value, let unit) = amount, let celsius = Self.celsius(value, unit, usesFahrenheit)
            else {
                return .failure(.cannot)
            }
            let limits = service.limits[trait] ?? -30...60
            guard limits.contains(celsius) else {
                return .failure(.outOfRange(trait, value: celsius, limits: limits))
            }
            let rounded = (celsius * 10).rounded() / 10
            let mode =
                service.values[.targetHeatingCoolingState] == 0
                ? [SpokenWrite(service: service.id, trait: .targetHeatingCoolingState, value: 1)] : []
            return .success(mode + [SpokenWrite(service: service.id, trait: trait, value: rounded)])
        case .brightness, .rotationSpeed, .targetPosition, .targetHumidity, .volume:
            let value: Double
            switch amount {
            case .number(let number, let unit):
                guard unit == nil || unit == .percent else { return .failure(.cannot) }
                // "Speed three" is one of the steps that a fan has, not three percent.
                guard trait != .rotationSpeed || unit == .percent || number == 0 || number >= 10 else {
                    return .failure(.cannot)
                }
                value = number
            case .level(let level): value = Self.percent(level, trait)
            }
            guard (0...100).contains(value) else { return .failure(.outOfRange(trait, value: value, limits: 0...100)) }
            if value == 0, trait == .brightness || trait == .rotationSpeed {
                return Goal.power(false).writes(service, usesFahrenheit: usesFahrenheit)
            }
            return .success(write(trait, value.rounded()))
        default: return .failure(.cannot)
        }
    }

    static func percent(_ level: Meaning.Level, _ trait: SpokenTrait) -> Double {
        switch level {
        case .max: 100
        case .min: trait == .targetPosition ? 0 : 1
        case .half, .medium: 50
        case .quarter, .low: 25
        case .threeQuarters, .high: 75
        case .third: 33
        case .twoThirds: 67
        }
    }

    /// A temperature in degrees Celsius; nil if the unit is none of temperature.
    static func celsius(_ value: Double, _ unit: Meaning.Unit?, _ usesFahrenheit: Bool) -> Double? {
        switch unit {
        case .celsius: value
        case .fahrenheit: (value - 32) / 1.8
        case .degree, nil: usesFahrenheit ? (value - 32) / 1.8 : value
        default: nil
        }
    }

    private func change(
        _ aspect: Meaning.Aspect?,
        up: Bool,
        by amount: Amount?,
        step: Step,
        _ service: SpokenHome.Service,
        usesFahrenheit: Bool
    ) -> Result<[SpokenWrite], Failure> {
        guard let trait = Self.trait(aspect, of: service) else { return .failure(.cannot) }
        guard let now = service.values[trait] else { return .failure(.unknown) }
        var limits = service.limits[trait] ?? 0...100
        var delta: Double
        switch trait {
        case .targetTemperature:
            limits = service.limits[trait] ?? 10...38
            let degree = usesFahrenheit ? 1 / 1.8 : 1
            delta = (usesFahrenheit ? 2 : 1) * degree * (step == .small ? 0.5 : step == .large ? 3 : 1)
            if case .number(let value, let unit) = amount {
                guard unit != .percent else { return .failure(.cannot) }
                delta = value * (unit == .celsius ? 1 : unit == .fahrenheit ? 1 / 1.8 : degree)
            } else if amount != nil {
                return .failure(.cannot)
            }
        case .brightness, .rotationSpeed, .targetPosition, .targetHumidity, .volume:
            if trait == .targetPosition, amount == nil, step == .usual {
                // Blinds that are raised go all the way.
                return Goal.open(up).writes(service, usesFahrenheit: usesFahrenheit)
            }
            delta = step == .small ? 10 : step == .large ? 40 : 25
            switch amount {
            case .number(let value, let unit):
                guard unit == nil || unit == .percent, value <= 100 else { return .failure(.cannot) }
                delta = value
            case .level(let level): delta = now * Self.percent(level, trait) / 100
            case nil: break
            }
            if trait == .brightness || trait == .rotationSpeed {
                limits = max(limits.lowerBound, 1)...limits.upperBound
            }
        case .colorTemperature:
            // A higher value in mired is warmer, which people call a higher "warmth" and a lower "temperature".
            guard amount == nil else { return .failure(.cannot) }
            limits = service.limits[trait] ?? 140...500
            delta = step == .small ? 25 : step == .large ? 100 : 50
        default: return .failure(.cannot)
        }
        let value = min(max(now + (up ? delta : -delta), limits.lowerBound), limits.upperBound)
        let first = up && trait != .targetPosition ? switchedOn(service) : []
        let rounded = trait == .targetTemperature ? (value * 10).rounded() / 10 : value.rounded()
        return .success(
            first + [SpokenWrite(service: service.id, trait: trait, value: rounded, change: up ? delta : -delta)]
        )
    }
}
