import HomeModel

extension Resolver {
    func ask(_ clause: Clause) -> Outcome {
        guard clause.colors.isEmpty, clause.whites.isEmpty, clause.amounts.isEmpty, clause.time == nil,
            clause.scenes.isEmpty,
            clause.exceptions.isEmpty
        else { return .nothing(.noCommand) }
        var states = clause.states.union(clause.acts).subtracting([.set, .tell])
        if clause.aspects == [.position], states.isSubset(of: [.open, .close]) {
            // "How far are the blinds open?"
            return askValue(clause)
        }
        // "Are the blinds down?"
        if states.isSubset(of: [.up, .down]), states.count == 1, clause.amounts.isEmpty {
            states = states == [.up] ? [.open] : [.close]
        }
        // "¿Está la puerta cerrada con llave?"
        if states.contains(.lock) { states.remove(.close) }
        let isAboutState = states.contains { Self.stateActs.contains($0) }
        if isAboutState, let state = states.first(where: { Self.stateActs.contains($0) }),
            states.subtracting([state]).isEmpty
        {
            // "How do I turn on the light?" asks for advice.
            guard !clause.questions.contains(.how) else { return .nothing(.noCommand) }
            return askState(clause, state)
        }
        guard states.isEmpty else { return .nothing(.noCommand) }
        return askValue(clause)
    }

    private static let stateActs: Set<Meaning.Act> = [
        .on, .off, .open, .close, .lock, .unlock, .occupied, .vacant, .moving, .wet, .smoky, .low, .arm, .disarm,
    ]

    private func askState(_ clause: Clause, _ state: Meaning.Act) -> Outcome {
        let wish = Wish(
            categories: defaultCategories(state, clause),
            fits: { isIn(state, $0) != nil },
            isCommand: false,
            isGuardedAct: false
        )
        var clause = clause
        let quantifier = clause.phrases.compactMap(\.quantifier).first
        let asksMany = !clause.questions.isDisjoint(with: [.which, .howMany, .who, .exists])
        if quantifier == nil, asksMany, !clause.phrases.isEmpty { clause.phrases[0].quantifier = .any }
        switch targets(clause, wish) {
        case .failure(.question(let question)): return .question(question)
        case .failure(.misunderstanding(let misunderstanding)): return .nothing(misunderstanding)
        case .success(let targets):
            var reads: [SpokenRead] = []
            var matching: [String] = []
            for target in targets.services {
                let service = home.services[target]
                guard let trait = stateTrait(state, service), let isMatch = isIn(state, service) else { continue }
                reads.append(SpokenRead(service: service.id, trait: trait))
                if isMatch { matching.append(service.id) }
            }
            guard !reads.isEmpty else { return .nothing(.noCommand) }
            let answer: SpokenAnswer
            if clause.questions.contains(.howMany) {
                answer = .count(matching.count)
            } else if clause.questions.contains(.which) || clause.questions.contains(.what) {
                answer = .services(matching)
            } else {
                let wantsAll: Bool =
                    switch quantifier {
                    case .all, .both: true
                    case .any: false
                    default: !clause.questions.contains(.exists) && [.off, .close, .lock, .vacant].contains(state)
                    }
                answer =
                    quantifier == Meaning.Quantifier.none
                    ? .yesNo(matching.isEmpty) : .yesNo(wantsAll ? matching.count == reads.count : !matching.isEmpty)
            }
            return .request(.read(reads, answer: answer))
        }
    }

    private func defaultCategories(_ state: Meaning.Act, _ clause: Clause) -> [Category] {
        switch state {
        case .occupied, .vacant: [.occupancySensor]
        case .moving: [.motionSensor]
        case .wet: [.leakSensor]
        case .smoky: [.smokeSensor]
        case .arm, .disarm: [.securitySystem]
        case .low: [.battery]
        case .lock, .unlock: [.lock]
        case .on, .off: [.light]
        default: []
        }
    }

    /// The characteristic that tells whether a service is in a state.
    func stateTrait(_ state: Meaning.Act, _ service: SpokenHome.Service) -> SpokenTrait? {
        let candidates: [SpokenTrait] =
            switch state {
            case .on, .off: [.on, .active, .currentHeatingCoolingState, .securityCurrentState]
            case .open, .close:
                switch service.kind {
                case .lock: [.lockCurrentState]
                case .contactSensor: [.contactState]
                default: [.currentDoorState, .currentPosition, .contactState, .active]
                }
            case .lock, .unlock: [.lockCurrentState]
            case .occupied, .vacant: [.occupancy, .motion]
            case .moving: [.motion, .occupancy]
            case .wet: [.leak]
            case .smoky: [.smoke]
            case .low: [.lowBattery]
            case .arm, .disarm: [.securityCurrentState]
            default: []
            }
        return candidates.first { service.traits.contains($0) }
    }

    /// Whether a service is in a state; nil if it has no such state.
    func isIn(_ state: Meaning.Act, _ service: SpokenHome.Service) -> Bool? {
        guard let trait = stateTrait(state, service), let value = service.values[trait] else { return nil }
        if trait == .securityCurrentState {
            return [.on, .arm].contains(state) ? value < 3 : [.off, .disarm].contains(state) ? value == 3 : nil
        }
        let isOpen =
            switch trait {
            case .currentDoorState: value == 0 || value == 2
            case .lockCurrentState: value == 0
            case .contactState: value == 1
            default: value > 0
            }
        switch state {
        case .on, .occupied, .moving, .wet, .smoky, .low: return value > 0
        case .off, .vacant: return value == 0
        case .open: return isOpen
        case .close: return !isOpen
        case .unlock: return value == 0
        case .lock: return value == 1
        default: return nil
        }
    }

    private func askValue(_ clause: Clause) -> Outcome {
        let asked = clause.aspects
        var aspects = asked.subtracting([.state])
        if aspects.isEmpty, let quality = clause.qualities.first, clause.qualities.count == 1 {
            switch quality {
            case .warm, .cold: aspects = [.temperature]
            case .bright, .dark: aspects = clause.questions.contains(.how) ? [.brightness] : []
            case .fast, .slow: aspects = [.speed]
            case .humid, .dry: aspects = [.humidity]
            case .high, .low: break
            }
        }
        let implied = clause.qualities.first?.aspect
        if let implied, !aspects.isEmpty, aspects.isDisjoint(with: [implied, .targetTemperature, .lightLevel]) {
            return .nothing(.noCommand)
        }
        if aspects.contains(.targetTemperature) { aspects = [.targetTemperature] }
        if aspects.contains(.colorTemperature) { aspects = [.colorTemperature] }
        let isNamed = clause.phrases.contains { !$0.names.isEmpty }
        guard aspects.count == 1 || (aspects.isEmpty && (asked.contains(.state) || isNamed)) else {
            return .nothing(.noCommand)
        }
        let aspect = aspects.first
        // "Is the lamp" lacks what is asked.
        guard
            aspect != nil || !asked.isEmpty || clause.questions.isEmpty
                || !clause.questions.isSubset(of: [.yesNo, .mark]) || clause.acts.contains(.tell)
        else { return .nothing(.noCommand) }
        guard !clause.questions.contains(.howMany) || aspect == .temperature || aspect == .targetTemperature else {
            return .nothing(.noCommand)
        }
        let wish = Wish(
            categories: valueCategories(aspect),
            fits: { valueTrait(aspect, $0) != nil },
            isCommand: false,
            isGuardedAct: false
        )
        switch targets(clause, wish) {
        case .failure(.question(let question)): return .question(question)
        case .failure(.misunderstanding(let misunderstanding)): return .nothing(misunderstanding)
        case .success(let targets):
            let reads = targets.services.compactMap { target in
                valueTrait(aspect, home.services[target]).map {
                    SpokenRead(service: home.services[target].id, trait: $0)
                }
            }
            return reads.isEmpty ? .nothing(.noCommand) : .request(.read(reads, answer: nil))
        }
    }

    private func valueCategories(_ aspect: Meaning.Aspect?) -> [Category] {
        switch aspect {
        case .temperature: [.thermostat, .temperatureSensor]
        case .targetTemperature: [.thermostat]
        case .humidity: [.humiditySensor]
        case .brightness, .color, .colorTemperature: [.light]
        case .speed: [.fan]
        case .position: [.covering]
        case .airQuality: [.airQualitySensor]
        case .lightLevel: [.lightSensor]
        case .motion: [.motionSensor]
        case .occupancy: [.occupancySensor]
        case .leak: [.leakSensor]
        case .smoke: [.smokeSensor]
        case .volume: [.speaker]
        case .carbonDioxide, .carbonMonoxide: [.sensor]
        case .battery: [.battery]
        default: []
        }
    }

    /// The characteristic that holds what was asked for.
    private func valueTrait(_ aspect: Meaning.Aspect?, _ service: SpokenHome.Service) -> SpokenTrait? {
        let candidates: [SpokenTrait] =
            switch aspect {
            case .temperature: [.currentTemperature]
            case .targetTemperature: [.targetTemperature]
            case .humidity: [.currentHumidity]
            case .brightness: [.brightness]
            case .color: [.hue]
            case .colorTemperature: [.colorTemperature]
            case .speed: [.rotationSpeed]
            case .position: [.currentPosition]
            case .battery: [.batteryLevel]
            case .airQuality: [.airQuality]
            case .lightLevel: [.lightLevel]
            case .volume: [.volume]
            case .carbonDioxide: [.carbonDioxide]
            case .carbonMonoxide: [.carbonMonoxide]
            case .smoke: [.smoke]
            case .motion: [.motion]
            case .occupancy: [.occupancy]
            case .leak: [.leak]
            default:
                switch service.kind {
                case .lock: [.lockCurrentState]
                case .garageDoor: [.currentDoorState]
                case .thermostat, .temperatureSensor, .airConditioner: [.currentTemperature]
                case .securitySystem: [.securityCurrentState]
                default:
                    [
                        .on, .active, .currentPosition, .contactState, .occupancy, .motion, .leak, .smoke,
                        .currentHumidity, .airQuality, .lightLevel, .batteryLevel,
                    ]
                }
            }
        return candidates.first { service.traits.contains($0) }
    }
}
