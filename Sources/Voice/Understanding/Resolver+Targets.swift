import HomeModel

extension Resolver {
    struct Targets {
        var services: [Int]
    }

    enum TargetFailure: Error {
        case question(Clarification)
        case misunderstanding(Misunderstanding)
    }

    /// What decides which services of a category are meant.
    struct Wish {
        /// The categories if none is said.
        var categories: [Category]
        var fits: (SpokenHome.Service) -> Bool
        /// Whether the services change.
        var isCommand: Bool
        var isGuardedAct: Bool
        /// Whether "everything" means what opens and closes rather than what is on or off.
        var movesEverything = false
    }

    func targets(_ clause: Clause, goal: Goal) -> Result<Targets, TargetFailure> {
        var wish = Wish(
            categories: defaultCategories(goal, clause),
            fits: { goal.fits($0, usesFahrenheit: home.usesFahrenheit) },
            isCommand: true,
            isGuardedAct: goal.opens
        )
        if case .open = goal { wish.movesEverything = true }
        return targets(clause, wish)
    }

    private func defaultCategories(_ goal: Goal, _ clause: Clause) -> [Category] {
        let hasPlace = clause.phrases.contains { !$0.places.isEmpty }
        // "All off", "off but for the kitchen", "everywhere off".
        let isAll =
            clause.phrases.contains { $0.quantifier == .all || $0.isHome } || !clause.exceptions.isEmpty
        switch goal {
        case .power(let isOn):
            if clause.acts.contains(.illuminate) || !clause.qualities.isEmpty { return [.light] }
            // "Kitchen off" means its lights; "off" alone means nothing.
            _ = isOn
            return hasPlace || isAll || clause.aspects == [.brightness] ? [.light] : []
        case .toggle: return hasPlace ? [.light] : []
        case .stop: return []
        case .open: return hasPlace ? [.garageDoor] : []
        case .lock: return hasPlace || isAll ? [.lock] : []
        case .color, .white: return [.light]
        case .arm: return [.securitySystem]
        case .mute: return [.television, .speaker]
        case .set(let aspect, let amount): return categories(aspect, amount)
        case .change(let aspect, _, let amount, _): return categories(aspect, amount)
        }
    }

    private func categories(_ aspect: Meaning.Aspect?, _ amount: Amount?) -> [Category] {
        switch aspect {
        case .speed: return [.fan]
        case .position: return [.covering]
        case .temperature, .targetTemperature:
            if case .number(_, .kelvin) = amount { return [.light] }
            return [.thermostat]
        case .humidity: return [.humidifier]
        case .volume: return [.speaker, .television]
        case nil:
            if case .number(_, let unit) = amount, [.degree, .celsius, .fahrenheit].contains(unit) {
                return [.thermostat]
            }
            return [.light]
        default: return [.light]
        }
    }

    func targets(_ clause: Clause, _ wish: Wish) -> Result<Targets, TargetFailure> {
        var services: [Int] = []
        var phrases = clause.phrases.filter { !$0.isEmpty || $0.quantifier != nil }
        var exceptions = clause.exceptions
        if phrases.count < 2, phrases.first?.hasPlace != true, exceptions.count == 1, !exceptions[0].names.isEmpty {
            // "Everything but the printer in the office" is everything there.
            if phrases.isEmpty, !exceptions[0].places.isEmpty { phrases = [NounPhrase(quantifier: .all)] }
            if !phrases.isEmpty { phrases[0].places = exceptions[0].places }
            exceptions[0].places = []
        }
        let isAll =
            phrases.contains { $0.categories.contains(.everything) }
            || phrases.contains { $0.quantifier == .all || $0.quantifier == .any } || !clause.exceptions.isEmpty
        var sharedCategories = phrases.flatMap { $0.names.isEmpty ? $0.categories : [] }
        if sharedCategories.isEmpty, !phrases.contains(where: { !$0.names.isEmpty }) {
            // "All but the kitchen lights off": the other lights.
            for exception in exceptions {
                let categories = exception.names.isEmpty ? exception.categories : categories(named: exception)
                sharedCategories += categories.filter { !sharedCategories.contains($0) }
            }
        }
        let sharedPlace = phrases.filter(\.hasPlace)
        for (index, phrase) in (phrases.isEmpty ? [NounPhrase()] : phrases).enumerated() {
            var phrase = phrase
            if phrases.count < 2, phrase.names.isEmpty, phrase.categories.isEmpty, !sharedCategories.isEmpty {
                phrase.categories = sharedCategories
                phrase.isJoined = true
            }
            if phrases.count > 1 {
                if phrase.isEmpty { continue }
                if phrase.names.isEmpty, phrase.categories.isEmpty {
                    // "The lights in the kitchen and the hallway": the nearest category is meant.
                    phrase.categories =
                        phrases[..<index].last { !$0.categories.isEmpty }?.categories ?? sharedCategories
                    phrase.isJoined = true
                }
                if !phrase.hasPlace, phrase.names.isEmpty, sharedPlace.count == 1 {
                    phrase.places = sharedPlace[0].places
                    phrase.isHere = sharedPlace[0].isHere
                    phrase.isHome = sharedPlace[0].isHome
                }
            }
            switch resolve(phrase, wish, isAll: isAll, isOnly: phrases.count < 2) {
            case .success(let found): services += found.filter { !services.contains($0) }
            case .failure(let failure): return .failure(failure)
            }
        }
        for exception in exceptions {
            var exception = exception
            if exception.names.isEmpty, exception.categories.isEmpty {
                exception.categories = sharedCategories
                exception.isJoined = true
            }
            guard !exception.isEmpty else { return .failure(.misunderstanding(.noCommand)) }
            switch resolve(exception, wish, isAll: true, isOnly: false) {
            case .success(let found): services.removeAll { found.contains($0) }
            case .failure(let failure): return .failure(failure)
            }
        }
        for filter in clause.filters {
            services.removeAll { isIn(filter, home.services[$0]) != true }
        }
        guard !services.isEmpty else { return .failure(.misunderstanding(.noSuchTarget(""))) }
        return .success(Targets(services: services))
    }

    /// What the rest of "all but the desk lamp" is: lights beside a light, else devices.
    private func categories(named phrase: NounPhrase) -> [Category] {
        let services = phrase.names.flatMap(\.objects).compactMap { object -> SpokenHome.Service? in
            if case .service(let index) = object { home.services[index] } else { nil }
        }
        guard !services.isEmpty else { return [] }
        if services.allSatisfy({ isOf([.light], $0) }) { return [.light] }
        if services.allSatisfy({ isOf([.lock], $0) }) { return [.lock] }
        return services.contains { $0.kind.isGuarded } ? [] : [.device]
    }

    /// The rooms of a phrase; nil if it names none, and all of the home counts.
    private func rooms(_ phrase: NounPhrase) -> Set<Int>?? {
        var rooms: Set<Int>?
        for match in phrase.places {
            var named: Set<Int> = []
            for object in match.objects {
                switch object {
                case .room(let room): named.insert(room)
                case .zone(let zone): named.formUnion(home.zones[zone].rooms.compactMap { listener.roomIndexes[$0] })
                default: break
                }
            }
            guard let known = rooms else {
                rooms = named
                continue
            }
            let both = known.intersection(named)
            // "客厅卧室的灯": rooms in a row are a list where no word needs to join them.
            rooms = both.isEmpty && listener.language.listsPlaces ? known.union(named) : both
        }
        guard let rooms else { return nil }
        // Two places that have no room in common contradict each other, unless there is an "and" between them.
        return rooms.isEmpty ? .some(nil) : .some(rooms)
    }

    private func resolve(_ phrase: NounPhrase, _ wish: Wish, isAll: Bool, isOnly: Bool) -> Result<[Int], TargetFailure>
    {
        var place: Set<Int>?
        switch rooms(phrase) {
        case .some(.some(let rooms)): place = rooms
        case .some(.none): return .failure(.misunderstanding(.noSuchTarget("")))
        case .none:
            if phrase.isHere {
                guard let context else { return .failure(.misunderstanding(.noSuchTarget(""))) }
                place = [context]
            }
        }
        if !phrase.names.isEmpty { return named(phrase, place, wish) }
        // A word of a room's name alone is too little.
        if phrase.categories.isEmpty, phrase.places.contains(where: { $0.precision > .inflected }) {
            return .failure(.misunderstanding(.noCommand))
        }
        var categories = phrase.categories.isEmpty ? wish.categories : phrase.categories
        // "The door of the garage" is none of the other doors.
        if !phrase.isJoined, categories.contains(.garageDoor) { categories.removeAll { $0 == .door } }
        // "The switch of the socket" is one thing; "switch the lights" isn't a switch and lights.
        if phrase.categories.count > 1, !phrase.isJoined,
            phrase.categories.dropFirst().contains(where: { other in
                phrase.categories[0].kinds.joined().allSatisfy { kind in !other.kinds.joined().contains(kind) }
            })
        {
            return .failure(.misunderstanding(.noCommand))
        }
        // "All" is a word for everything only where nothing else is named.
        guard !categories.isEmpty, categories.count == 1 || !categories.contains(.everything) else {
            return .failure(.misunderstanding(.noCommand))
        }
        // A part of a room's name means one room, or all that have it.
        if phrase.places.contains(where: { $0.precision == .partial && $0.objects.count > 1 }), !isAll,
            !phrase.places.contains(where: { if case .zone = $0.objects[0] { true } else { false } }),
            let partial = phrase.places.first(where: { $0.precision == .partial })
        {
            let rooms = partial.objects.compactMap { if case .room(let room) = $0 { room } else { nil } }
            guard let room = rooms.first(where: { home.rooms[$0].id == choice }) else {
                let candidates = rooms.map { Clarification.Candidate(id: home.rooms[$0].id, name: home.rooms[$0].name) }
                return .failure(.question(Clarification(candidates: candidates)))
            }
            place = [room]
        }
        if let place { return inCategories(categories, rooms: place, wish, isAll: isAll) }
        if let context, !phrase.isHome, !isAll {
            if case .success(let found) = inCategories(categories, rooms: [context], wish, isAll: isAll) {
                return .success(found)
            }
        }
        return inCategories(categories, rooms: nil, wish, isAll: isAll || phrase.isHome)
    }

    private func named(_ phrase: NounPhrase, _ place: Set<Int>?, _ wish: Wish) -> Result<[Int], TargetFailure> {
        var found: [Int] = []
        var names = phrase.names
        if names.count > 1, names.contains(where: { $0.precision == .partial }) {
            // Parts of names side by side are parts of one name, not several services.
            let common = names.dropFirst().reduce(Set(names[0].objects)) { $0.intersection($1.objects) }
            guard !common.isEmpty else { return .failure(.misunderstanding(.noCommand)) }
            names = [NameMatch(objects: names[0].objects.filter(common.contains), precision: .partial)]
        }
        for match in names {
            var candidates = match.objects.flatMap { object -> [Int] in
                switch object {
                case .service(let service): [service]
                case .group(let group): home.groups[group].services.compactMap { listener.serviceIndexes[$0] }
                default: []
                }
            }
            let isGroup = if case .group = match.objects[0] { true } else { false }
            if let place {
                candidates = candidates.filter { isIn(place, home.services[$0]) }
                guard !candidates.isEmpty else { return .failure(.misunderstanding(.noSuchTarget(""))) }
            }
            if !phrase.categories.isEmpty {
                candidates = candidates.filter { candidate in
                    phrase.categories.allSatisfy { category in
                        category.kinds.contains { isOf($0, home.services[candidate]) }
                            || category.includes(home.services[candidate].kind)
                    }
                }
                guard !candidates.isEmpty else { return .failure(.misunderstanding(.noCommand)) }
            }
            if candidates.count > 1, !isGroup {
                let fitting = candidates.filter { wish.fits(home.services[$0]) }
                if !fitting.isEmpty { candidates = fitting }
                if candidates.count > 1, let context, phrase.quantifier != .all, !phrase.isHome {
                    let near = candidates.filter { isIn([context], home.services[$0]) }
                    if !near.isEmpty { candidates = near }
                }
            }
            if match.precision > .inflected, wish.isCommand,
                candidates.contains(where: { home.services[$0].kind.isGuarded })
            {
                return .failure(.misunderstanding(.noCommand))
            }
            if candidates.count > 1, !isGroup, phrase.quantifier != .all, phrase.quantifier != .both,
                match.precision != .kind
            {
                guard let chosen = candidates.first(where: { home.services[$0].id == choice }) else {
                    return .failure(.question(clarification(candidates)))
                }
                candidates = [chosen]
            }
            // A question about all or any of several is not about one that happens to be called so.
            if let quantifier = phrase.quantifier, quantifier != .both, candidates.count == 1, !isGroup,
                match.precision != .kind
            {
                return .failure(.misunderstanding(.noCommand))
            }
            found += candidates.filter { !found.contains($0) }
        }
        return .success(found)
    }

    private func inCategories(
        _ categories: [Category],
        rooms: Set<Int>?,
        _ wish: Wish,
        isAll: Bool
    ) -> Result<[Int], TargetFailure> {
        let within = rooms.map { rooms in rooms.sorted().flatMap { listener.servicesByRoom[$0] ?? [] } }
        var found: [Int] = []
        for category in categories {
            var best: [Int] = []
            let choices =
                category == .everything && wish.movesEverything
                ? [[.blinds], [.window, .door, .garageDoor]] + Category.device.kinds
                // A thermostat tells the temperature, but isn't what "turn off the temperature sensor" means.
                : wish.isCommand && category.rawValue.hasSuffix("Sensor")
                    ? Array(category.kinds.prefix(1))
                    : category.kinds
            for kinds in choices {
                let ofKinds =
                    within?.filter { isOf(kinds, home.services[$0]) }
                    ?? kinds.flatMap { listener.servicesByKind[$0] ?? [] }.sorted()
                best = ofKinds.filter { wish.fits(home.services[$0]) }
                if !best.isEmpty { break }
            }
            // "Ceiling light switch": a second category may only say more about the first.
            if best.isEmpty, categories.count == 1 { return .failure(.misunderstanding(.noSuchTarget(""))) }
            found += best.filter { !found.contains($0) }
        }
        guard !found.isEmpty else { return .failure(.misunderstanding(.noSuchTarget(""))) }
        if found.count > 1, wish.isGuardedAct, wish.isCommand, !isAll, rooms == nil {
            let guarded = found.filter { home.services[$0].kind.isGuarded && home.services[$0].kind != .window }
            if guarded.count > 1 {
                guard let chosen = guarded.first(where: { home.services[$0].id == choice }) else {
                    return .failure(.question(clarification(guarded)))
                }
                return .success([chosen])
            }
        }
        return .success(found.sorted())
    }

    /// Asks which of several services is meant.
    private func clarification(_ services: [Int]) -> Clarification {
        let names = services.map { home.services[$0].name }
        return Clarification(
            candidates: zip(services, names).map { index, name in
                let isUnique = names.count { $0 == name } == 1
                let room = home.services[index].room.flatMap { listener.roomIndexes[$0] }
                let label =
                    isUnique
                    ? name : [name, room.map { "(\(home.rooms[$0].name))" }].compactMap(\.self).joined(separator: " ")
                return Clarification.Candidate(id: home.services[index].id, name: label)
            }
        )
    }

    private func isIn(_ rooms: Set<Int>, _ service: SpokenHome.Service) -> Bool {
        service.room.flatMap { listener.roomIndexes[$0] }.map(rooms.contains) ?? false
    }

    func isOf(_ kinds: Set<ServiceKind>, _ service: SpokenHome.Service) -> Bool {
        kinds.contains(service.associatedKind ?? service.kind)
    }
}

extension Category {
    /// Whether a word for a category may stand beside the name of a service of a kind that it doesn't mean alone.
    func includes(_ kind: ServiceKind) -> Bool {
        switch self {
        case .switch, .device: true
        case .door: [.lock, .garageDoor, .door, .contactSensor].contains(kind)
        case .window: [.window, .blinds, .contactSensor].contains(kind)
        case .sensor: kind.rawValue.hasSuffix("Sensor")
        case .thermostat, .heater, .airConditioner: [.thermostat, .airConditioner, .switch, .outlet].contains(kind)
        case .outlet: [.switch, .outlet].contains(kind)
        default: false
        }
    }
}
