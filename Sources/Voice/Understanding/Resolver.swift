import HomeModel

/// Finds what a clause means in the home: which services, which characteristics, which values.
struct Resolver {
    enum Outcome {
        case request(Request)
        case question(Clarification)
        case nothing(Misunderstanding)
    }

    var listener: HomeListener
    /// The speaker's room.
    var context: Int?
    /// The object that the speaker chose when asked which one is meant.
    var choice: String?

    var home: SpokenHome { listener.home }

    func resolve(_ clause: Clause) -> Outcome {
        // "The lamp is too bright" isn't asked.
        let isComplaint =
            clause.links.contains(.too) && !clause.qualities.isEmpty && clause.states.isEmpty
            && clause.questions == [.yesNo]
        if !isComplaint, clause.isQuestion || isAskingStatement(clause) {
            // "Make sure that the light is off" asks nothing.
            if !clause.acts.contains(.ensure) { return ask(clause) }
        }
        return command(clause)
    }

    /// Whether a service was said by its own name.
    private func isNamed(_ service: Int, _ clause: Clause) -> Bool {
        clause.phrases.contains { $0.names.contains { $0.objects == [.service(service)] } }
    }

    /// Whether a clause without a question word asks: "kitchen temperature", or a statement with a question mark.
    private func isAskingStatement(_ clause: Clause) -> Bool {
        let measured: Set<Meaning.Aspect> = [
            .temperature, .targetTemperature, .humidity, .airQuality, .battery, .lightLevel, .carbonDioxide,
        ]
        if clause.aspects == [.state], clause.isOnlyAbout(.state) { return true }
        if clause.aspects.count == 1, clause.aspects.isSubset(of: measured), clause.acts.isEmpty, clause.states.isEmpty,
            clause.qualities.isEmpty, clause.links.isDisjoint(with: [.more, .less]), clause.amounts.isEmpty,
            clause.whites.isEmpty, !clause.isGuessed
        {
            return true
        }
        if listener.language.statementsAsk, clause.questions.contains(.mark), clause.amounts.isEmpty,
            clause.phrases.contains(where: { $0.quantifier == .any })
        {
            // "有任何门上锁吗": nobody asks for any of the doors to be locked.
            return true
        }
        guard clause.acts.isEmpty, clause.amounts.isEmpty else { return false }
        if clause.states.isEmpty {
            return clause.questions.contains(.mark) && clause.qualities.count == 1
                && clause.links.isDisjoint(with: [.more, .less])
        }
        return clause.questions.contains(.mark) || listener.language.statementsAsk
    }

    private func command(_ clause: Clause) -> Outcome {
        var clause = clause
        if listener.language.statesSelect, !clause.acts.isDisjoint(with: Clause.changes), !clause.states.isEmpty {
            // "关掉开着的灯": the state says which.
            clause.filters.formUnion(clause.states)
            clause.states = []
        }
        if listener.language.amountsChange, !clause.amounts.isEmpty, clause.links.isDisjoint(with: [.to, .at]),
            clause.acts.isDisjoint(with: [.open, .close])
        {
            clause.links.insert(.by)
        }
        if !clause.scenes.isEmpty {
            let rest = clause.acts.union(clause.states).subtracting([.on, .run, .set, .ensure])
            guard rest.isEmpty, !clause.phrases.contains(where: { !$0.names.isEmpty || !$0.categories.isEmpty }),
                clause.amounts.isEmpty, clause.colors.isEmpty, clause.exceptions.isEmpty, !clause.isGuessed
            else { return .nothing(.noCommand) }
            return .request(.run(scenes: clause.scenes.map { home.scenes[$0].id }, at: clause.time))
        }
        if listener.language.amountsChange, clause.acts.contains(.on), clause.links.contains(.bit),
            clause.qualities.isEmpty
        {
            // Nothing is on a little: "一点" is one o'clock there.
            return .nothing(.noCommand)
        }
        // "Red at 40 percent" is two goals for the same targets.
        if clause.colors.count + clause.whites.count == 1, clause.amounts.count == 1, clause.amounts[0].isShare {
            var level = clause
            level.colors = []
            level.whites = []
            level.aspects = [.brightness]
            var color = clause
            color.amounts = []
            guard case .request(.write(let first, let time, _)) = command(color),
                case .request(.write(let second, _, let confirmation)) = command(level)
            else { return .nothing(.noCommand) }
            let more = second.filter { write in
                !first.contains { $0.service == write.service && $0.trait == write.trait }
            }
            return .request(.write(first + more, at: time, confirmation: confirmation))
        }
        // Without a verb, what was misspelled is too little. So is a number without what it is for.
        if clause.acts.isEmpty, clause.isGuessed { return .nothing(.noCommand) }
        if !clause.hasTargets, clause.aspects.isEmpty, clause.states.isEmpty,
            clause.acts.isEmpty
                || clause.acts.isSubset(of: [.set, .on]) && clause.links.isDisjoint(with: [.to, .at, .by, .amount]),
            clause.amounts.contains(where: { if case .number(_, nil) = $0 { true } else { false } })
        {
            return .nothing(.noCommand)
        }
        // A misspelled word for what to do, and nothing to do it to: "is it raining".
        guard !clause.isGuessed || clause.hasTargets else { return .nothing(.noCommand) }
        guard let goal = Goal(clause) else { return .nothing(.noCommand) }
        switch targets(clause, goal: goal) {
        case .failure(.question(let question)): return .question(question)
        case .failure(.misunderstanding(let misunderstanding)): return .nothing(misunderstanding)
        case .success(let targets):
            var writes: [SpokenWrite] = []
            var opens = false
            for target in targets.services {
                let service = home.services[target]
                switch goal.writes(service, usesFahrenheit: home.usesFahrenheit) {
                case .success(let more):
                    opens = opens || goal.opens(service)
                    writes += more
                case .failure(.cannot) where targets.services.count > 1 && !isNamed(target, clause): continue
                case .failure(.cannot): return .nothing(.notPossible(service.name))
                case .failure(.unknown) where targets.services.count > 1: continue
                case .failure(.unknown): return .nothing(.unknownValue(service.name))
                case .failure(.outOfRange(let trait, let value, let limits)):
                    return .nothing(.outOfRange(trait, value: value, limits: limits))
                }
            }
            guard !writes.isEmpty else { return .nothing(.noCommand) }
            // Who only says that a door is open doesn't ask for it.
            guard !opens || !clause.acts.isEmpty else { return .nothing(.noCommand) }
            if clause.isGuessed, targets.services.contains(where: { home.services[$0].kind.isGuarded }) {
                return .nothing(.noCommand)
            }
            let count = targets.services.count
            let confirmation: Confirmation? = opens ? .opens : count > HomeListener.writeLimit ? .many(count) : nil
            return .request(.write(writes, at: clause.time, confirmation: confirmation))
        }
    }
}
