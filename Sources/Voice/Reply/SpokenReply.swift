/// Answers in words of a language.
package struct SpokenReply: Sendable {
    /// The number of names that an answer lists before it counts.
    private static let namesLimit = 5

    private let language: Language

    /// Creates the answers of a language.
    package init(language: Language) {
        self.language = language
    }

    /// The words for agreeing and disagreeing.
    package var yes: String { text(.yes) }
    package var no: String { text(.no) }

    /// The answer if nobody agreed, or nobody chose what was meant.
    package var cancelled: String { text(.cancelled) }

    // MARK: What was done

    /// Returns what became of a request: “Desk Lamp and Floor Lamp are on. Hall Lamp doesn't answer.”
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - home: The home as it was when the sentence was said.
    ///   - failed: The IDs of the services and scenes that failed.
    ///   - time: The time of day at which a request for later will be carried out.
    package func text(
        for request: Request,
        in home: SpokenHome,
        failed: Set<String> = [],
        time: (hour: Int, minute: Int)? = nil
    ) -> String {
        switch request {
        case .write(let writes, nil, _): return done(writes, in: home, failed: failed)
        case .run(let scenes, nil):
            let names = home.scenes.filter { scenes.contains($0.id) }
            let ran = names.filter { !failed.contains($0.id) }.map(\.name)
            return sentences([about(.ran, ran), about(.failed, names.filter { failed.contains($0.id) }.map(\.name))])
        case .write(_, let later?, _), .run(_, let later?):
            guard let time = time ?? later.timeOfDay else { return "" }
            return text(later.isTomorrow ? .tomorrow : .later, ["time": Self.clock(time)])
        case .read(let reads, let answer): return self.answer(reads, answer, in: home)
        }
    }

    private func done(_ writes: [SpokenWrite], in home: SpokenHome, failed: Set<String>) -> String {
        let names = Dictionary(home.services.map { ($0.id, $0.name) }) { first, _ in first }
        // Power and color follow from a brightness that is set too.
        let leveled = Set(writes.filter { $0.trait != .on && $0.trait != .active }.map(\.service))
        var states: [State] = []
        var services: [[String]] = []
        for write in writes where !failed.contains(write.service) {
            if [.on, .active, .targetHeatingCoolingState].contains(write.trait), leveled.contains(write.service),
                writes.contains(where: { $0.service == write.service && $0.trait != write.trait })
            {
                continue
            }
            guard write.trait != .saturation, let name = names[write.service] else { continue }
            let state = State(write.trait, write.value)
            if let index = states.firstIndex(of: state) {
                if !services[index].contains(name) { services[index].append(name) }
            } else {
                states.append(state)
                services.append([name])
            }
        }
        let told = zip(states, services).map { sentence($0, $1, in: home) }
        let silent = home.services.filter { failed.contains($0.id) }.map(\.name)
        return sentences(told + [about(.failed, silent)])
    }

    // MARK: Answers to questions

    private func answer(_ reads: [SpokenRead], _ answer: SpokenAnswer?, in home: SpokenHome) -> String {
        let services = Dictionary(home.services.map { ($0.id, $0) }) { first, _ in first }
        let found = reads.compactMap { read in services[read.service].map { (service: $0, trait: read.trait) } }
        switch answer {
        case .count(0), .services([]):
            return text(.none)
        case .count, .services:
            let matching: [String]
            if case .services(let ids) = answer {
                matching = ids.compactMap { services[$0]?.name }
            } else {
                matching = []
            }
            guard case .count(let count) = answer else {
                return text(.counted, ["count": "\(matching.count)", "names": list(matching)])
            }
            return "\(count)"
        case .yesNo(let isTrue):
            let stop = language.hasSpaces ? ". " : "。"
            return "\(text(isTrue ? .yes : .no))\(stop)\(states(found, in: home))"
        case nil:
            return states(found, in: home)
        }
    }

    private func states(_ found: [(service: SpokenHome.Service, trait: SpokenTrait)], in home: SpokenHome) -> String {
        var states: [State] = []
        var names: [[String]] = []
        for (service, trait) in found {
            let state = service.values[trait].map { State(trait, $0) } ?? State(text: .unknown)
            if let index = states.firstIndex(of: state) {
                names[index].append(service.name)
            } else {
                states.append(state)
                names.append([service.name])
            }
        }
        return sentences(zip(states, names).map { sentence($0, $1, in: home) })
    }

    // MARK: Questions

    /// Returns the question which of several objects is meant.
    package func question(_ clarification: Clarification, in home: SpokenHome) -> String {
        text(.askWhich, ["names": list(clarification.candidates.map(\.name), .listOr)])
    }

    /// Returns the question whether to do what a request asks for; `nil` if nobody has to agree.
    package func confirmation(of request: Request, in home: SpokenHome) -> String? {
        guard case .write(let writes, _, let confirmation?) = request else { return nil }
        switch confirmation {
        case .many(let count): return text(.askMany, ["count": "\(count)"], count: count)
        case .opens:
            let services = Set(writes.map(\.service))
            let names = home.services.filter { services.contains($0.id) }.map(\.name)
            let key: AnswerText =
                if writes.allSatisfy({ $0.trait == .lockTargetState }) {
                    .askUnlock
                } else if writes.allSatisfy({ $0.trait == .securityTargetState }) {
                    .askDisarm
                } else {
                    .askOpen
                }
            return text(key, ["names": list(names)])
        }
    }

    // MARK: What was not understood

    /// Returns why nothing is done.
    package func misunderstanding(_ misunderstanding: Misunderstanding) -> String {
        switch misunderstanding {
        case .empty: return text(.notHeard)
        case .tooLong(let limit): return text(.tooLong, ["count": "\(limit)"])
        case .unknownWords(let words, let near):
            let unknown = text(.unknownWords, ["words": words.joined(separator: " ")])
            return near.isEmpty ? unknown : "\(unknown) \(text(.didYouMean, ["names": list(near, .listOr)]))"
        case .unknownLanguage, .noCommand: return text(.notUnderstood)
        case .noSuchTarget: return text(.nothingFits)
        case .outOfRange(let trait, let value, let limits):
            let fields = [
                "value": number(value), "minimum": amount(limits.lowerBound, trait, usesFahrenheit: false),
                "maximum": amount(limits.upperBound, trait, usesFahrenheit: false),
            ]
            return text(.outOfRange, fields)
        case .unknownValue(let name): return about(.unknown, [name])
        case .notPossible(let name): return text(.notPossible, ["names": name])
        }
    }

    // MARK: Words

    private func sentence(_ state: State, _ names: [String], in home: SpokenHome) -> String {
        guard let trait = state.trait, let value = state.value else { return about(state.text, names) }
        let fields = ["names": several(names), "value": amount(value, trait, usesFahrenheit: home.usesFahrenheit)]
        return text(.value, fields, count: names.count)
    }

    /// Returns a sentence about objects; empty if there are none.
    private func about(_ key: AnswerText, _ names: [String]) -> String {
        names.isEmpty ? "" : text(key, ["names": several(names)], count: names.count)
    }

    private func several(_ names: [String]) -> String {
        guard names.count > Self.namesLimit else { return list(names) }
        return text(.devices, ["count": "\(names.count)"], count: names.count)
    }

    private func list(_ names: [String], _ last: AnswerText = .listAnd) -> String {
        guard var list = names.first else { return "" }
        for (index, name) in names.enumerated().dropFirst() {
            let key: AnswerText = index == names.count - 1 ? last : .listComma
            list = text(key, ["first": list, "last": name])
        }
        return list
    }

    private func amount(_ value: Double, _ trait: SpokenTrait, usesFahrenheit: Bool) -> String {
        switch trait {
        case .currentTemperature, .targetTemperature:
            return usesFahrenheit
                ? text(.fahrenheit, ["number": number((value * 1.8 + 32).rounded())])
                : text(.celsius, ["number": number(value)])
        case .colorTemperature where value > 0:
            return text(.kelvin, ["number": number((10_000 / value).rounded() * 100)])
        case .lightLevel: return text(.lux, ["number": number(value)])
        case .brightness, .rotationSpeed, .targetPosition, .currentPosition, .targetHumidity, .currentHumidity,
            .saturation, .batteryLevel, .volume:
            return text(.percent, ["number": number(value.rounded())])
        default: return number(value)
        }
    }

    private func number(_ value: Double) -> String {
        let rounded = (value * 10).rounded() / 10
        let text = rounded == rounded.rounded() && abs(rounded) < 1e15 ? "\(Int(rounded))" : "\(rounded)"
        return String(text.map { $0 == "." ? language.decimalPoint : $0 })
    }

    private static func clock(_ time: (hour: Int, minute: Int)) -> String {
        "\(time.hour):\(time.minute < 10 ? "0" : "")\(time.minute)"
    }

    private func sentences(_ sentences: [String]) -> String {
        sentences.filter { !$0.isEmpty }.joined(separator: language.sentenceSpace)
    }

    /// Returns a text of the language's file with its fields filled in.
    private func text(_ key: AnswerText, _ fields: [String: String] = [:], count: Int? = nil) -> String {
        let forms = (language.texts[key.rawValue] ?? "").split(separator: "|").map { $0.trimming(" ") }
        guard let last = forms.last else { return "" }
        let index = count.map(language.plural.form) ?? 0
        return FilledText.fill(index < forms.count ? forms[index] : last, fields)
    }
}

extension SpokenTime {
    fileprivate var timeOfDay: (hour: Int, minute: Int)? {
        if case .at(let hour, let minute, _) = self { (hour, minute) } else { nil }
    }

    fileprivate var isTomorrow: Bool {
        if case .at(_, _, let isTomorrow) = self { isTomorrow } else { false }
    }
}

/// What a value says of a service: a word, or an amount.
private struct State: Hashable {
    var text = AnswerText.value
    var trait: SpokenTrait?
    var value: Double?

    init(text: AnswerText) { self.text = text }

    init(_ trait: SpokenTrait, _ value: Double) {
        switch trait {
        case .on, .active, .inUse: text = value == 0 ? .off : .on
        case .lockTargetState: text = value == 0 ? .unlocked : .locked
        case .lockCurrentState: text = value == 1 ? .locked : value == 0 ? .unlocked : .unknown
        case .targetDoorState: text = value == 0 ? .open : .closed
        case .currentDoorState: text = value == 1 || value == 3 ? .closed : .open
        case .targetPosition where value == 0, .currentPosition where value == 0: text = .closed
        case .targetPosition where value == 100, .currentPosition where value == 100: text = .open
        case .contactState: text = value == 0 ? .closed : .open
        case .targetHeatingCoolingState, .currentHeatingCoolingState:
            text = value == 1 ? .heating : value == 2 ? .cooling : value == 3 ? .automatic : .off
        case .securityTargetState, .securityCurrentState: text = value == 3 ? .disarmed : .armed
        case .mute: text = value == 0 ? .unmuted : .muted
        case .hue, .saturation: text = .colored
        case .occupancy: text = value == 0 ? .vacant : .occupied
        case .motion: text = value == 0 ? .still : .moving
        case .leak: text = value == 0 ? .dry : .wet
        case .smoke, .carbonMonoxide: text = value == 0 ? .clear : .smoky
        case .lowBattery: text = value == 0 ? .charged : .low
        default: (self.trait, self.value) = (trait, value)
        }
    }
}

extension Substring {
    fileprivate func trimming(_ character: Character) -> Substring {
        var text = self
        while text.first == character { text.removeFirst() }
        while text.last == character { text.removeLast() }
        return text
    }
}
