import HomeModel

/// What a command is to achieve, whatever its targets.
enum Goal: Hashable, Sendable {
    case power(Bool)
    case toggle
    /// Turn on what gives light, for "it is dark".
    case open(Bool)
    case lock(Bool)
    case set(Meaning.Aspect?, Amount)
    /// A change up or down, by an amount or a usual step.
    case change(Meaning.Aspect?, up: Bool, by: Amount?, step: Step)
    case color(SpokenColor)
    case white(Meaning.White)
    case arm(Bool)
    case mute(Bool)
    case stop

    enum Step: Hashable, Sendable { case small, usual, large }

    var opens: Bool {
        switch self {
        case .open(let opens): opens
        case .lock(let locks): !locks
        case .power(let isOn): isOn
        case .arm(let arms): !arms
        case .set, .change, .toggle: true
        default: false
        }
    }

    /// Whether it lets somebody in at a service, or water out.
    func opens(_ service: SpokenHome.Service) -> Bool {
        guard service.kind.isGuarded, service.kind != .window else { return false }
        // An alarm that is off lets people in.
        if service.kind == .securitySystem, case .power(let isOn) = self { return !isOn }
        return opens
    }

    /// Nil if the clause's words contradict each other, or say nothing to do.
    init?(_ clause: Clause) {
        var clause = clause
        var acts = clause.acts.union(clause.states).subtracting([.set, .ensure])
        if acts.isSuperset(of: [.close, .down]), !clause.phrases.contains(where: \.isMovable) {
            // "Shut everything down" turns off.
            acts.subtract([.close, .down])
            acts.insert(.off)
        }
        if acts.remove(.turnKey) != nil {
            guard acts == [.open] || acts.isSubset(of: [.close, .off]) && !acts.isEmpty else { return nil }
            acts = acts == [.open] ? [.unlock] : [.lock]
        }
        for (first, second) in [
            (Meaning.Act.on, Meaning.Act.off), (.open, .close), (.lock, .unlock), (.up, .down), (.brighten, .dim),
            (.off, .close),
            (.warm, .cool), (.open, .lock), (.close, .unlock), (.on, .close), (.off, .open), (.on, .lock),
        ] {
            // Heating or cooling to a temperature sets it.
            guard !acts.contains(first) || !acts.contains(second) else { return nil }
        }
        guard acts.isDisjoint(with: [.tell, .run]), clause.amounts.count < 2, clause.colors.count < 2,
            clause.whites.count < 2,
            acts.isDisjoint(with: [.occupied, .vacant, .moving, .wet, .smoky, .low])
        else { return nil }
        // A door isn't big or small: such a word belongs to a name that the home doesn't have.
        if !clause.qualities.isDisjoint(with: [.high, .low]), !acts.isDisjoint(with: [.open, .close, .lock, .unlock]) {
            return nil
        }
        // "Turn the heat on" isn't "warmer", nor is "set it to cool" a change.
        let isWarmed = !acts.isDisjoint(with: [.warm, .cool]) && clause.amounts.isEmpty
        guard !isWarmed || acts.isDisjoint(with: [.on, .off]) && !clause.links.contains(.to) else { return nil }
        let step: Step = clause.links.contains(.bit) ? .small : clause.links.contains(.lot) ? .large : .usual
        if acts.contains(.off), !clause.amounts.isEmpty || !clause.colors.isEmpty || !clause.whites.isEmpty {
            return nil
        }
        if clause.links.contains(.too) {
            // What is too much is a quality: "Licht aus und Garage zu" isn't too anything.
            let isQuality = !clause.qualities.isEmpty || clause.links.contains(.more) || clause.links.contains(.lot)
            guard clause.amounts.isEmpty, isQuality || acts.isDisjoint(with: Clause.changes) else { return nil }
        }
        if let color = clause.colors.first {
            // Warm white is a white even if white is a color too.
            guard clause.amounts.isEmpty, acts.isDisjoint(with: [.open, .close, .lock, .unlock]) else { return nil }
            self = .color(color)
            return
        }
        if let white = clause.whites.first {
            guard clause.amounts.isEmpty else { return nil }
            self = .white(white)
            return
        }
        let isLess = clause.links.contains(.less)
        var direction = Self.direction(clause, acts, isLess: isLess)
        if clause.links.remove(.amount) != nil { clause.links.insert(direction == nil ? .to : .by) }
        if direction == nil, acts.contains(.open) || acts.contains(.close),
            clause.links.contains(.bit) || clause.links.contains(.by)
        {
            // "Open the blinds a little" moves them; so does "by 20 percent".
            direction = (acts.contains(.open), .position)
            acts.subtract([.open, .close])
        }
        let measured = clause.qualities.count == 1 ? clause.qualities.first?.aspect : nil
        let aspect = Self.aspect(clause, direction?.aspect ?? (clause.amounts.isEmpty ? nil : measured))
        if let amount = clause.amounts.first {
            guard acts.isDisjoint(with: [.lock, .unlock, .arm, .disarm]) else { return nil }
            let isRelative: Bool =
                switch amount {
                case .number(let value, let unit):
                    // A small number without a unit is a step: "monte le chauffage de 2".
                    direction != nil
                        && (clause.links.contains(.by)
                            || (clause.links.isDisjoint(with: [.to, .at]) && (unit != nil || value < 10)))
                case .level: direction != nil && clause.links.contains(.by)
                }
            if isRelative, let direction {
                self = .change(aspect, up: direction.up, by: amount, step: step)
            } else {
                self = .set(aspect, amount)
            }
            return
        }
        if let direction, acts.isDisjoint(with: [.off, .lock, .unlock, .toggle]),
            acts.isDisjoint(with: [.open, .close])
        {
            // "Turn it up" is about music as often as about light.
            guard aspect != nil || clause.hasTargets || !clause.qualities.isEmpty else { return nil }
            self = .change(aspect, up: direction.up, by: nil, step: step)
            return
        }
        acts.subtract([.up, .down])
        if acts.contains(.lock) {
            self = .lock(true)
        } else if acts.contains(.unlock) {
            self = .lock(false)
        } else if acts.contains(.arm) {
            self = .arm(true)
        } else if acts.contains(.disarm) {
            self = .arm(false)
        } else if acts.contains(.mute) {
            self = .mute(true)
        } else if acts.contains(.unmute) {
            self = .mute(false)
        } else if acts.contains(.open) {
            self = .open(true)
        } else if acts.contains(.close) {
            self = .open(false)
        } else if acts.contains(.toggle) {
            self = .toggle
        } else if acts.contains(.off) {
            // Nothing is off a little: "一点" is one o'clock there.
            guard clause.links.isDisjoint(with: [.bit, .lot]) else { return nil }
            self = .power(false)
        } else if acts.contains(.stop) {
            self = .stop
        } else if acts.contains(.on) || acts.contains(.illuminate) {
            self = .power(true)
        } else if clause.links.contains(.too) || !clause.qualities.isEmpty {
            guard let quality = clause.qualities.first, clause.qualities.count == 1 else { return nil }
            switch quality {
            case .dark: self = .power(true)
            default: return nil
            }
        } else if acts.isEmpty, clause.isBare {
            self = .power(true)
        } else {
            return nil
        }
    }

    private static func aspect(_ clause: Clause, _ implied: Meaning.Aspect?) -> Meaning.Aspect? {
        let aspects = clause.aspects.subtracting([.state, .mode])
        if aspects.contains(.colorTemperature) { return .colorTemperature }
        if aspects.contains(.brightness) { return .brightness }
        if aspects.contains(.targetTemperature) { return .temperature }
        return aspects.first ?? implied
    }

    /// Which way a clause wants a value to go, and which value, if the words say so.
    private static func direction(
        _ clause: Clause,
        _ acts: Set<Meaning.Act>,
        isLess: Bool
    ) -> (up: Bool, aspect: Meaning.Aspect?)? {
        if acts.contains(.brighten) { return (!isLess, .brightness) }
        if acts.contains(.dim) { return (false, .brightness) }
        if acts.contains(.warm) { return (!isLess, .temperature) }
        if acts.contains(.cool) { return (false, .temperature) }
        if acts.contains(.faster) { return (!isLess, .speed) }
        if acts.contains(.slower) { return (false, .speed) }
        if acts.contains(.louder) || acts.contains(.quieter) {
            // "Свет потише" is about light.
            let isLight = clause.phrases.contains { $0.categories == [.light] }
            return (acts.contains(.louder) && !isLess, isLight ? .brightness : .volume)
        }
        if acts.contains(.up) || acts.contains(.down) {
            return (acts.contains(.up), clause.qualities.count == 1 ? clause.qualities.first?.aspect : nil)
        }
        // "It's dark, turn on the lamp": the quality is why. "It is too hot, open the window" says so too.
        let isReason =
            !acts.isDisjoint(with: [.on, .off]) && !clause.qualities.contains(.bright)
            || clause.links.contains(.too) && !acts.isDisjoint(with: [.on, .open])
        // "22 degrees warm" says where to, not which way.
        let isMeasure = !clause.amounts.isEmpty && clause.links.isDisjoint(with: [.more, .less, .by])
        if let quality = clause.qualities.first, clause.qualities.count == 1, !isReason, !isMeasure {
            // "Too bright" and "less bright" want the opposite, as does "it is dark".
            let isTooMuch = clause.links.contains(.too) || isLess
            let isWish = !clause.acts.isEmpty || clause.links.contains(.more)
            let wanted: (Bool, Meaning.Aspect)? =
                switch quality {
                case .bright: isTooMuch ? (false, .brightness) : isWish ? (true, .brightness) : nil
                case .dark: isTooMuch || !isWish ? nil : (false, .brightness)
                case .warm: isTooMuch || !isWish ? (false, .temperature) : (true, .temperature)
                case .cold: isTooMuch || !isWish ? (true, .temperature) : (false, .temperature)
                case .fast: isTooMuch ? (false, .speed) : (true, .speed)
                case .slow: isTooMuch ? (true, .speed) : (false, .speed)
                case .humid, .dry, .high, .low: nil
                }
            if let wanted { return wanted }
        }
        // What is too high is to be lower.
        if clause.qualities.contains(.high) { return (!clause.links.contains(.too), nil) }
        if clause.qualities.contains(.low) { return (clause.links.contains(.too), nil) }
        if isLess { return (false, nil) }
        if clause.links.contains(.more) { return (true, nil) }
        return nil
    }
}

extension Meaning.Quality {
    /// What the quality is about; `nil` for high and low, which everything may be.
    var aspect: Meaning.Aspect? {
        switch self {
        case .bright, .dark: .brightness
        case .warm, .cold: .temperature
        case .fast, .slow: .speed
        case .humid, .dry: .humidity
        case .high, .low: nil
        }
    }
}

extension NounPhrase {
    /// Whether it names what goes up and down.
    fileprivate var isMovable: Bool {
        !names.isEmpty
            || categories.contains { category in
                category != .everything
                    && category.kinds.joined().contains { [.blinds, .window, .garageDoor, .door].contains($0) }
            }
    }
}

extension Clause {
    /// Whether nothing but lights or their place is said: "lights in the kitchen".
    fileprivate var isBare: Bool {
        acts.isEmpty && states.isEmpty && aspects.isEmpty && links.isEmpty && questions.isEmpty && exceptions.isEmpty
            && filters.isEmpty && time == nil && !isGuessed
            && phrases.allSatisfy { $0.categories.isEmpty || $0.categories == [.light] }
            && phrases.contains {
                $0.categories == [.light] && ($0.hasPlace) || $0.names.contains { $0.precision == .exact }
            }
    }
}
