import Consensus
import Foundation

/// Two hubs and a relay under one scheduler, with faults. Everything follows from the seed.
///
/// After each step it checks what must always hold; ``violations`` says what didn't.
struct Simulation {
    /// What is sent: a voter's message, or a base with what belongs to it.
    enum Wire {
        case message(VoterMessage)
        case base(SimulatedMachine, BatchPosition, term: Int)
        case baseReply(BatchPosition, term: Int)
        case baseRequest(BatchPosition)
        case relayBase(SimulatedMachine, BatchPosition)
    }

    enum Event {
        case deliver(Wire, from: Int, to: Int)
        case tick(Int, number: Int)
        case notice(Int, occurrence: Int, due: Duration)
        case look(Int, life: Int, occurrence: Int, fence: WriteFence, expires: Duration)
        case write(Int, life: Int, occurrence: Int, expires: Duration)
        case fail(Int)
        case start(Int)
        case stop(Int)
        case goOn(Int)
        case restartRelay
        case relink
        case change
        case due

        /// Whether the voters make such events among themselves.
        var isRoutine: Bool {
            switch self {
            case .tick, .deliver: true
            default: false
            }
        }
    }

    static let relay = 2
    static let hubIDs = [
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2)),
    ]

    let seed: UInt64
    var faults: SimulatedFaults
    var random: SimulationRandom
    var now = Duration.zero
    var steps = 0
    var hubs: [SimulatedHub]
    var relay = SimulatedRelay()
    var events = EventHeap<Event>()
    var links = SimulatedLinks.all

    /// What was found wrong, at most some.
    private(set) var violations: [String] = []
    /// What was applied at each place, by whoever was first, and the term in which it knew that it was committed.
    var history: [(position: BatchPosition, digest: UInt64, term: Int)] = []
    /// The largest place that was acknowledged to a person.
    var acknowledged = 0
    var acknowledgedCount = 0
    var leaders: [Int: Int] = [:]
    /// The place of the log's end at each hub while it leads, by its term.
    var leading: [(term: Int, last: Int)?] = [nil, nil]
    var proposed: [[Int: Int]] = [[:], [:]]
    var number = 0
    /// Whether time is skipped in which nothing happens.
    var skipsQuiet = false
    private var lastFault = Duration.zero
    /// Whether nothing is proposed any more.
    var isQuiet = false
    /// How often bases were installed, and batches fetched from the relay.
    var counts = (bases: 0, relayBases: 0, fetches: 0, fetchedBases: 0)
    var dueTimes: [Int: Duration] = [:]
    var fired: [Int: Int] = [:]
    var written: [Int: Int] = [:]
    var unknown: Set<Int> = []
    /// How long it took until a hub led again, after the leader failed or was stopped.
    var takeovers: [Duration] = []
    private var leaderEnd: Duration?

    init(seed: UInt64, faults: SimulatedFaults) {
        self.seed = seed
        self.faults = faults
        random = SimulationRandom(seed: seed)
        hubs = Self.hubIDs.map { SimulatedHub(id: $0, clock: .zero, calendar: .zero) }
        relay.lies = faults.relayLies
        for index in 0..<2 {
            hubs[index].clock = random.time(0, 1_000_000)
            hubs[index].calendar = random.time(-500, 500)
            start(index)
            scheduleFaults(of: index)
        }
        if faults.links.count > 1 {
            events.add(.relink, at: random.interval(faults.linkTime, isBursty: faults.isBursty))
        }
        if let seconds = faults.relayRestarts {
            events.add(.restartRelay, at: random.interval(seconds, isBursty: faults.isBursty))
        }
        events.add(.change, at: .seconds(5))
        events.add(.due, at: .seconds(7))
    }

    /// Runs the events until there were so many, or until a time.
    mutating func run(steps limit: Int = .max, until end: Duration? = nil) {
        while steps < limit, violations.count < 10, let (time, event) = events.removeFirst() {
            if let end, time > end {
                events.add(event, at: time)
                now = end
                return
            }
            now = max(now, time)
            steps += 1
            if skipsQuiet { skip(event) }
            handle(event)
        }
    }

    /// Ends all faults, and runs until both hubs have everything.
    mutating func settle() {
        endFaults(.all)
        faults.changes = 2_000
        run(until: now + .seconds(100))
        isQuiet = true
        run(until: now + .seconds(20))
        if history.count < acknowledged { violate("an acknowledged change is missing at the end") }
        for hub in hubs where hub.applied != history.count { violate("a hub has not caught up") }
        if !hubs.contains(where: { $0.voter?.mayPropose == true }) { violate("no hub leads at the end") }
    }

    /// Leaves two of the three in sight of each other, and ends all other faults. They must go on, with everything.
    mutating func goOn(_ left: SimulatedLinks) {
        endFaults(left)
        // A base that was lost is asked for again after a minute.
        run(until: now + ConsensusTimes.base + .seconds(40))
        guard let leader = hubs.firstIndex(where: { $0.voter?.mayPropose == true }) else {
            return violate("no hub leads")
        }
        if hubs[leader].applied < acknowledged { violate("an acknowledged change is missing") }
        let isCutOff = leader == 0 ? left == .second : left == .first
        if isCutOff { violate("the hub that is cut off leads") }
    }

    private mutating func endFaults(_ links: SimulatedLinks) {
        faults = .none
        self.links = links
        relay.lies = false
        for index in 0..<2 {
            if hubs[index].voter == nil { start(index) }
            if hubs[index].isStopped { handle(.goOn(index)) }
            hubs[index].failsSoon = false
        }
    }

    /// Skips time in which the voters would only tell each other that they are there: everything that is under way moves
    /// along, and so do the voters' clocks, which see nothing of it.
    private mutating func skip(_ event: Event) {
        if !event.isRoutine { lastFault = now }
        guard now - lastFault > .seconds(10), let next = events.firstTime(where: { !$0.isRoutine }),
            next - now > .seconds(2)
        else { return }
        let time = next - now - .seconds(1)
        events.delay(by: time) { $0.isRoutine }
        now += time
        lastFault += time
        relay.heard += time
        // A hub that is stopped finds that the time has passed.
        for index in 0..<2 where !hubs[index].isStopped {
            hubs[index].clock -= time
            if let tick = hubs[index].tick { hubs[index].tick = tick + time }
        }
    }

    mutating func violate(_ what: String) {
        violations.append("seed \(seed), step \(steps), \(now): \(what)")
    }

    // MARK: Events

    private mutating func handle(_ event: Event) {
        switch event {
        case .deliver(_, _, let index) where index != Self.relay, .tick(let index, _), .notice(let index, _, _),
            .look(let index, _, _, _, _), .write(let index, _, _, _):
            guard hubs[index].voter != nil else { return }
            guard !hubs[index].isStopped else {
                hubs[index].mailbox.append(event)
                return
            }
            handle(event, at: index)
            check(index)
        case .deliver(let wire, let sender, _): deliverToRelay(wire, from: sender)
        case .fail(let index): hubs[index].failsSoon = faults.crashes != nil
        case .start(let index): if hubs[index].voter == nil { start(index) }
        case .stop(let index):
            if faults.pauses != nil, hubs[index].voter != nil, !hubs[index].isStopped {
                if hubs[index].voter?.mayPropose == true { leaderEnd = leaderEnd ?? now }
                hubs[index].isStopped = true
                events.add(.goOn(index), at: now + random.spread(100, faults.pause))
            }
            if let seconds = faults.pauses {
                events.add(.stop(index), at: now + random.interval(seconds, isBursty: faults.isBursty))
            }
        case .goOn(let index):
            guard hubs[index].isStopped else { return }
            hubs[index].isStopped = false
            let mailbox = hubs[index].mailbox
            hubs[index].mailbox = []
            // A connection holds only so much.
            for event in mailbox.suffix(500) { handle(event) }
            hubs[index].tick = nil
            scheduleTick(of: index)
        case .restartRelay:
            relay.heard = now
            if let seconds = faults.relayRestarts {
                events.add(.restartRelay, at: now + random.interval(seconds, isBursty: faults.isBursty))
            }
        case .relink:
            if faults.links.count > 1 {
                links = faults.links[random.number(below: faults.links.count)]
                events.add(.relink, at: now + random.interval(faults.linkTime, isBursty: faults.isBursty))
            }
        case .change:
            for index in 0..<2 where hubs[index].voter?.mayPropose == true && !hubs[index].isStopped && !isQuiet {
                number += 1
                propose([.value(number)], at: index)
                check(index)
            }
            events.add(.change, at: now + random.time(1, faults.changes * 2))
        case .due:
            guard !isQuiet else { return }
            number += 1
            dueTimes[number] = now
            for index in 0..<2 {
                let due = now + .milliseconds(500) + hubs[index].calendar
                events.add(.notice(index, occurrence: number, due: due), at: due)
            }
            events.add(.due, at: now + random.time(faults.dueTimes / 2, faults.dueTimes * 3 / 2))
        }
    }

    private mutating func handle(_ event: Event, at index: Int) {
        let clock = now + hubs[index].clock
        switch event {
        case .deliver(let wire, let sender, _): deliver(wire, from: sender, to: index, clock)
        case .tick(_, let number):
            guard number == hubs[index].tickNumber else { return }
            hubs[index].tick = nil
            carryOut(hubs[index].voter?.tick(now: clock) ?? [], at: index)
        case .notice(_, let occurrence, let due):
            let effects = hubs[index].claims.fallDue(
                SimulatedMachine.occurrence(occurrence),
                due: due + hubs[index].clock,
                now: clock
            )
            carryOut(effects, at: index)
        case .look(_, let life, let occurrence, let fence, let expires):
            guard life == hubs[index].life, fence.allowsWrite(at: clock) else { return }
            events.add(
                .write(index, life: life, occurrence: occurrence, expires: expires),
                at: now + random.time(0, 5)
            )
        case .write(_, let life, let occurrence, let expires):
            guard life == hubs[index].life, now <= expires else { return }
            written[occurrence, default: 0] += 1
            let due = (dueTimes[occurrence] ?? .zero) + .seconds(1)
            if written[occurrence] ?? 0 > 1 { violate("occurrence \(occurrence) was written twice") }
            if now > due + FiringTimes.lateness + FiringTimes.preparedWrite { violate("a write came too late") }
            propose([.end(occurrence)], at: index)
        case .fail, .start, .stop, .goOn, .restartRelay, .relink, .change, .due: break
        }
        scheduleTick(of: index)
    }

    private mutating func scheduleTick(of index: Int) {
        guard let voter = hubs[index].voter else { return }
        let tick = max(now, voter.deadline - hubs[index].clock)
        if let earlier = hubs[index].tick, earlier <= tick { return }
        hubs[index].tick = tick
        hubs[index].tickNumber += 1
        events.add(.tick(index, number: hubs[index].tickNumber), at: tick)
    }

    private mutating func start(_ index: Int) {
        hubs[index].start(other: Self.hubIDs[1 - index], seed: random.next(), now: now)
        leading[index] = nil
        proposed[index] = [:]
        scheduleTick(of: index)
    }

    private mutating func scheduleFaults(of index: Int) {
        if let seconds = faults.crashes {
            events.add(.fail(index), at: now + random.interval(seconds, isBursty: faults.isBursty))
        }
        if let seconds = faults.pauses {
            events.add(.stop(index), at: now + random.interval(seconds, isBursty: faults.isBursty))
        }
    }

    mutating func fail(_ index: Int, for time: Duration? = nil) {
        if hubs[index].voter?.mayPropose == true { leaderEnd = leaderEnd ?? now }
        hubs[index].voter = nil
        hubs[index].failsSoon = false
        hubs[index].isStopped = false
        hubs[index].mailbox = []
        leading[index] = nil
        events.add(.start(index), at: now + (time ?? random.spread(200, faults.off)))
        if let seconds = faults.crashes {
            events.add(.fail(index), at: now + random.interval(seconds, isBursty: faults.isBursty))
        }
    }

    mutating func propose(_ commands: [SimulatedMachine.Command], at index: Int) {
        guard let next = hubs[index].voter?.next.place else { return }
        let clock = now + hubs[index].clock
        let effects = try? hubs[index].voter?.propose(commands.map(\.bytes), now: clock)
        guard let effects else { return }
        for (offset, command) in commands.enumerated() {
            if case .value = command { proposed[index][next + offset] = hubs[index].voter?.record.term }
        }
        carryOut(effects, at: index)
    }

    mutating func send(_ wire: Wire, from sender: Int, to receiver: Int) {
        guard links.isUp(sender, receiver), !random.happens(faults.loss) else { return }
        let count = random.happens(faults.doubling) ? 2 : 1
        for _ in 0..<count {
            events.add(.deliver(wire, from: sender, to: receiver), at: now + random.spread(1, faults.delay))
        }
    }

    private mutating func deliverToRelay(_ wire: Wire, from sender: Int) {
        switch wire {
        case .message(let message):
            if case .fetchRequest = message { counts.fetches += 1 }
            guard let reply = relay.answer(message, from: Self.hubIDs[sender], now: now, random: &random) else {
                return
            }
            send(.message(reply), from: Self.relay, to: sender)
        case .base(let machine, let position, let term):
            if relay.take(position, term: term, machine) {
                counts.relayBases += 1
                send(.baseReply(position, term: term), from: Self.relay, to: sender)
            }
        case .baseRequest: send(.relayBase(relay.base, relay.log.base), from: Self.relay, to: sender)
        case .baseReply, .relayBase: break
        }
        checkLogs()
    }

    private mutating func deliver(_ wire: Wire, from sender: Int, to index: Int, _ clock: Duration) {
        let voter: Voter = sender == Self.relay ? .relay : .hub(Self.hubIDs[sender])
        switch wire {
        case .message(let message):
            carryOut(hubs[index].voter?.receive(message, from: voter, now: clock) ?? [], at: index)
        case .base(let machine, let position, let term):
            guard let effects = hubs[index].voter?.receiveBase(position, term: term, now: clock) else { return }
            hubs[index].receivedBase = machine
            carryOut(effects, at: index)
            if hubs[index].voter != nil { send(.baseReply(position, term: term), from: index, to: sender) }
        case .baseReply(let position, let term):
            carryOut(
                hubs[index].voter?.receiveBaseReply(position, term: term, from: voter, now: clock) ?? [],
                at: index
            )
        case .relayBase(let machine, let position):
            // A base that isn't what the hubs sealed doesn't open.
            guard position == .start || history.count >= position.place, position.place > 0,
                history[position.place - 1].digest == machine.digest
            else { return carryOut(hubs[index].voter?.failFetchingBase(now: clock) ?? [], at: index) }
            hubs[index].receivedBase = machine
            carryOut(hubs[index].voter?.receiveFetchedBase(position, now: clock) ?? [], at: index)
        case .baseRequest: break
        }
    }

    // MARK: Effects

    /// Carries effects out in order. A hub that fails does so between two of them.
    private mutating func carryOut(_ effects: [VoterEffect], at index: Int) {
        var rest = effects.count
        if hubs[index].failsSoon { rest = random.number(below: effects.count + 1) }
        for effect in effects {
            guard rest > 0 else { break }
            rest -= 1
            carryOut(effect, at: index)
            if hubs[index].voter == nil { return }
        }
        if hubs[index].failsSoon, hubs[index].voter != nil { fail(index) }
    }

    private mutating func carryOut(_ effect: VoterEffect, at index: Int) {
        switch effect {
        case .persist(let change):
            if let record = change.record { hubs[index].record = record }
            if let place = change.removedAfter {
                if place < hubs[index].applied { violate("hub \(index) removes what it has applied") }
                hubs[index].log.removeAll(after: place)
            }
            for batch in change.added { hubs[index].log.append(batch) }
        case .send(let message, let voter):
            send(.message(message), from: index, to: voter == .relay ? Self.relay : 1 - index)
        case .apply(let place): apply(through: place, at: index)
        case .discard(let place):
            if place > hubs[index].applied { violate("hub \(index) discards what it hasn't applied") }
            hubs[index].log.discard(through: place)
        case .sendBase(let voter):
            let place = hubs[index].applied
            guard place > 0, let term = hubs[index].log.position(at: place)?.term else { return }
            let wire = Wire.base(
                hubs[index].machine,
                BatchPosition(place: place, term: term),
                term: hubs[index].record.term
            )
            send(wire, from: index, to: voter == .relay ? Self.relay : 1 - index)
        case .fetchBase(let position):
            counts.fetchedBases += 1
            send(.baseRequest(position), from: index, to: Self.relay)
        case .installBase(let position, let keepsLater):
            counts.bases += 1
            guard let machine = hubs[index].receivedBase else { return violate("a base is missing") }
            hubs[index].machine = machine
            hubs[index].applied = position.place
            if keepsLater, hubs[index].log.position(at: position.place) == position {
                hubs[index].log.discard(through: position.place)
            } else {
                hubs[index].log = BatchLog(base: position)
            }
            if position.place > history.count || history[position.place - 1].digest != machine.digest {
                violate("hub \(index) has another state at \(position.place)")
            }
        case .beginLeading(let term):
            if let end = leaderEnd { takeovers.append(now - end) }
            leaderEnd = nil
            let machine = hubs[index].machine
            let effects = hubs[index].claims.beginLeading(
                term: term,
                open: machine.open.sorted { $0.key < $1.key }.map(\.value),
                isClaimed: { machine.claims.contains(SimulatedMachine.number(of: $0)) },
                now: now + hubs[index].clock
            )
            carryOut(effects, at: index)
        case .endLeading:
            hubs[index].claims.endLeading()
            proposed[index] = [:]
        case .follow: break
        }
    }

    private mutating func apply(through place: Int, at index: Int) {
        while hubs[index].applied < place {
            let next = hubs[index].applied + 1
            guard let position = hubs[index].log.position(at: next), next > hubs[index].log.base.place else {
                return violate("hub \(index) lacks batch \(next) that it applies")
            }
            let batch = hubs[index].log.batches[next - hubs[index].log.base.place - 1]
            let claimed = hubs[index].machine.apply(batch, hubs: Self.hubIDs)
            hubs[index].applied = next
            let digest = hubs[index].machine.digest
            if history.count >= next {
                if history[next - 1].position != position || history[next - 1].digest != digest {
                    violate("hub \(index) applied another batch at \(next)")
                }
            } else {
                history.append((position, digest, hubs[index].record.term))
            }
            if proposed[index].removeValue(forKey: next) == position.term, hubs[index].voter?.mayPropose == true {
                acknowledged = max(acknowledged, next)
                acknowledgedCount += 1
            }
            if let (claim, isFirst) = claimed {
                let clock = now + hubs[index].clock
                carryOut(hubs[index].claims.apply(claim, isFirst: isFirst, now: clock), at: index)
                if hubs[index].voter == nil { return }
            }
        }
    }

    private mutating func carryOut(_ effects: [FiringClaims.Effect], at index: Int) {
        for effect in effects {
            switch effect {
            case .propose(let claims):
                propose(claims.map { .claim(SimulatedMachine.number(of: $0.occurrence), hub: index) }, at: index)
            case .fire(let occurrence, let fence):
                let number = SimulatedMachine.number(of: occurrence)
                fired[number, default: 0] += 1
                if fired[number] ?? 0 > 1 { violate("occurrence \(number) fired twice") }
                if unknown.contains(number) { violate("occurrence \(number) fired after its outcome was unknown") }
                let prepared = now + random.spread(1, 200)
                events.add(
                    .look(
                        index,
                        life: hubs[index].life,
                        occurrence: number,
                        fence: fence,
                        expires: prepared + FiringTimes.preparedWrite
                    ),
                    at: prepared + random.spread(1, 200)
                )
            case .unknown(let claim):
                unknown.insert(SimulatedMachine.number(of: claim.occurrence))
                propose([.end(SimulatedMachine.number(of: claim.occurrence))], at: index)
            case .miss: break
            }
            if hubs[index].voter == nil { return }
        }
    }
}
