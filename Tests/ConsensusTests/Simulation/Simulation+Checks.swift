import Consensus

/// What must hold after each step: the properties that the paper proves of Raft.
extension Simulation {
    mutating func check(_ index: Int) {
        defer { checkLogs() }
        guard let voter = hubs[index].voter else { return }
        let isSame =
            steps.isMultiple(of: 1_000)
            ? voter.log == hubs[index].log
            : voter.log.base == hubs[index].log.base && voter.log.last == hubs[index].log.last
        if voter.record != hubs[index].record || voter.committed != hubs[index].applied || !isSame {
            violate("hub \(index) has something in memory that is not on its disk")
        }
        guard voter.isLeader else {
            leading[index] = nil
            return
        }
        let term = voter.record.term
        if let leader = leaders[term], leader != index { violate("two leaders in term \(term)") }
        if let known = leading[index], known.term == term {
            if voter.log.last.place < known.last { violate("the leader of term \(term) removed a batch") }
        } else {
            checkCompleteness(of: voter, index)
            leaders[term] = index
        }
        leading[index] = (term, voter.log.last.place)
    }

    /// A leader has everything that was committed in earlier terms. A vote that comes late makes a leader of a term that is
    /// over, which commits nothing.
    private mutating func checkCompleteness(of voter: HubVoter, _ index: Int) {
        let committed = history.prefix { $0.term <= voter.record.term }.count
        if voter.log.last.place < committed { violate("hub \(index) leads without everything that is committed") }
        for place in max(1, voter.log.base.place)..<max(1, voter.log.base.place, committed + 1) {
            guard voter.log.position(at: place) == history[place - 1].position else {
                return violate("hub \(index) leads with another batch at \(place)")
            }
        }
    }

    /// If two logs have a batch with one position, they are the same up to it. The newest ones are compared at each step,
    /// everything now and then.
    mutating func checkLogs() {
        let depth = steps.isMultiple(of: 1_000) ? Int.max : 4
        checkLogs(hubs[0].log, hubs[1].log, depth)
        guard !faults.relayLies else { return }
        checkLogs(hubs[0].log, relay.log, depth)
        checkLogs(hubs[1].log, relay.log, depth)
    }

    private mutating func checkLogs(_ a: BatchLog, _ b: BatchLog, _ depth: Int) {
        var place = min(a.last.place, b.last.place)
        let lowest = max(a.base.place, b.base.place, depth == .max ? 0 : place - depth)
        var isSame = false
        while place > lowest {
            let (first, second) = (a.batches[place - a.base.place - 1], b.batches[place - b.base.place - 1])
            if first.position == second.position {
                isSame = true
                if first.bytes != second.bytes { return violate("two batches are at \(first.position)") }
            } else if isSame {
                return violate("logs that agree differ at place \(place)")
            }
            place -= 1
        }
    }
}
