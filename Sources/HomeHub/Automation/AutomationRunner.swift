import Automations
import Consensus
import Foundation
import HAPCatalog
import HomeModel
import HomeStore
import HubAPI
import Logging
import Replication

/// Runs the homes' automations: it tells the ``TriggerEngine`` what happens, and carries out what the engine decides.
///
/// Inputs are handled one after another. A firing is claimed in the store before its first write, so that it is carried out
/// at most once, whenever the hub stops. The accessories' answers aren't waited for, so a slow accessory delays no other
/// automation.
///
/// Of two hubs, only the one that leads evaluates and fires. The other one follows the homes, and begins anew when it leads.
actor AutomationRunner: HubPart {
    /// The longest time between two looks at the clock, so that a clock that is set is noticed.
    private static let longestSleep = Duration.seconds(30)
    /// The time between two looks at the clock after which the machine, or the hub, must have slept.
    private static let sleepTime: TimeInterval = 60
    /// The time after which the stored time of the automations is renewed.
    private static let renewalInterval: TimeInterval = 600

    /// The parts of the hub that the runner uses.
    struct Parts: Sendable {
        var database: HomeDatabase
        var store: HomeStore
        var changes: any ChangeWriter
        var live: LiveState
        var activities: ActivityStream
        var actionSets: ActionSetRunner
        var writer: CharacteristicWriter
        var presence: PresenceRegistry
        var clock: HubClock
        var journal: JournalRecorder
        /// The caller of changes that the hub makes itself.
        var hub: Caller
        /// This hub, as the other one of two knows it.
        var device: UUID
        /// Whether the hub is one of two as it starts.
        var isPaired: Bool
        var log: Logger
    }

    let parts: Parts
    private let inbox: AutomationInbox
    private let isClockSynchronized: @Sendable () -> Bool
    var engine: TriggerEngine
    /// Decides what this hub carries out as the leader of two; `nil` if it is alone.
    var claims: FiringClaims?
    /// What this hub is to the homes as one of two.
    var role = HubRole.withoutLeader
    /// The homes in the state that the engine knows.
    private(set) var homes: [UUID: Home] = [:]
    /// Whether each home's users are at home, as far as it was reported.
    var presence: [UUID: [UUID: Bool]] = [:]
    /// What the end events of triggers in effect restore, by trigger.
    var undo: [UUID: UndoState] = [:]
    /// The change that is being handled, with the value from before; `nil` for other events.
    private(set) var change: (characteristic: CharacteristicIdentity, previous: CharacteristicValue?)?
    /// The triggers that led to each recent run.
    var chains = CauseChains()
    /// The runs that accessories haven't answered yet.
    private var runs: [UUID: Task<Void, Never>] = [:]
    /// The occurrences that these runs carry out.
    var occurrences: [UUID: String] = [:]
    /// The time until which this hub, or another one that led, has handled everything.
    var lastSeen: Date?
    /// The time that was stored as ``lastSeen``.
    private var lastStored: Date?
    var isStarted = false
    /// When the hub last looked at the clock while another one led.
    private var lastLook: Date?
    /// Whether the hub had slept then, so that it may have missed that no hub led.
    var mayHaveMissed = false
    private var sleeper: Task<Void, Never>?
    private var loop: Task<Void, Never>?

    init(_ parts: Parts, timeZone: TimeZone, isClockSynchronized: @escaping @Sendable () -> Bool) {
        self.parts = parts
        self.isClockSynchronized = isClockSynchronized
        engine = TriggerEngine(timeZone: timeZone)
        if parts.isPaired { claims = FiringClaims(hub: parts.device) }
        let inbox = AutomationInbox()
        self.inbox = inbox
        parts.activities.subscribe { activity in
            switch activity {
            case .stored(let request): inbox.add(request)
            case .values(let values): inbox.add(values)
            case .presence(let presence): inbox.add(.presence(presence))
            default: break
            }
        }
    }

    // MARK: Life

    /// Begins to run the automations.
    func start() async throws {
        lastSeen = try await parts.store.metadata(.automationsTime).flatMap { Int64($0) }.map { Date(milliseconds: $0) }
        let homes = await parts.database.homes
        self.homes = Dictionary(uniqueKeysWithValues: homes.map { ($0.id, $0) })
        for home in homes { engine.update(home, at: parts.clock.now) }
        inbox.watch(engine.watchedAccessories)
        // One of two waits until it leads.
        if claims == nil { try await begin() } else { sleep(until: nil) }
        loop = Task { [weak self, inbox] in
            for await _ in inbox.signals { await self?.drain() }
        }
    }

    /// Begins to carry firings out.
    func begin() async throws {
        presence = await parts.presence.present()
        undo = [:]
        for (key, value) in try await parts.store.states(.undo) {
            undo[key.id] = UndoState(value, home: key.home)
        }
        try await tellInterrupted()
        await removeSpentTriggers()
        await startIfClockIsSet()
    }

    func stop() async {
        inbox.close()
        sleeper?.cancel()
        await loop?.value
        for run in runs.values { await run.value }
        await keepTime()
    }

    /// Advances a manual clock, and returns once everything that was due has happened.
    nonisolated func advance(by milliseconds: Int64) async {
        await withCheckedContinuation { inbox.add(.advance(milliseconds: milliseconds, done: $0)) }
    }

    /// Tells what this hub is to the homes, as one of two; `nil` if it is alone from now on.
    nonisolated func change(to role: HubRole?) { inbox.add(.role(role)) }

    /// Tells that a firing may be incomplete: the hub stopped, or another one led. It isn't repeated.
    func tellInterrupted(_ claim: FiringClaim) async {
        parts.activities.publish(
            .trigger(
                TriggerActivity(
                    id: UUID(),
                    home: claim.home,
                    trigger: claim.trigger,
                    time: claim.time,
                    outcome: claim.hub == nil || claim.hub == parts.device ? .interrupted : .begunByOtherHub,
                    event: nil,
                    observations: [],
                    due: nil,
                    parent: nil
                )
            )
        )
        do {
            try await parts.changes.complete(claim)
        } catch {
            parts.log.warning("An interrupted automation was not settled.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Starts the engine, unless the clock was never set.
    func startIfClockIsSet() async {
        guard !isStarted else { return }
        let now = parts.clock.now
        guard
            parts.clock.kind == .manual
                || SystemClockCheck.isSet(now: now, lastSeen: lastSeen, isSynchronized: isClockSynchronized())
        else {
            if sleeper == nil {
                parts.log.warning("The system's clock isn't set, so automations wait until it is synchronized.")
            }
            return sleep(until: nil)
        }
        isStarted = true
        for (trigger, state) in undo {
            engine.resume(trigger, in: state.home, since: Date(milliseconds: state.began))
        }
        await carryOut(engine.start(at: now, lastSeen: lastSeen, known: known))
        await keepTime()
        sleep(until: engine.nextWake)
    }

    // MARK: Inputs

    /// Handles everything that has happened.
    private func drain() async {
        while true {
            let (inputs, dropped) = inbox.empty()
            if dropped > 0 {
                parts.log.error(
                    "Automations did not see some values: too many arrived.",
                    metadata: ["values": "\(dropped)"]
                )
            }
            guard !inputs.isEmpty else { break }
            for input in inputs { await handle(input) }
        }
        if isStarted { sleep(until: engine.nextWake) }
    }

    private func handle(_ input: AutomationInbox.Input) async {
        switch input {
        case .homes(let ids): await update(ids)
        case .values(let values): await handle(values)
        case .presence(let report): await handle(report)
        case .role(let role): await take(role)
        case .tick: await tick()
        case .advance(let milliseconds, let done):
            await advance(to: parts.clock.now.addingTimeInterval(Double(milliseconds) / 1_000))
            done.resume()
        }
    }

    private func update(_ ids: Set<UUID>) async {
        let now = parts.clock.now
        for id in ids {
            if let home = await parts.database.stored.homes[id] {
                homes[id] = home
                engine.update(home, at: now)
                await forgetRemovedTriggers(of: home)
            } else {
                homes[id] = nil
                presence[id] = nil
                engine.remove(home: id)
            }
        }
        inbox.watch(engine.watchedAccessories, after: ids)
    }

    /// Drops what the end events of removed triggers would have restored.
    private func forgetRemovedTriggers(of home: Home) async {
        guard mayFire else { return }
        for (trigger, state) in undo where state.home == home.id && !home.triggers.contains(id: trigger) {
            undo[trigger] = nil
            do {
                try await parts.changes.setStates([StateKey(.undo, home: home.id, id: trigger): nil])
            } catch {
                parts.log.warning("A removed automation was not forgotten.", metadata: [LogKey.error: "\(error)"])
            }
        }
    }

    private func handle(_ values: [ValueActivity]) async {
        guard isStarted else { return }
        for value in values {
            let reference = value.update.characteristic
            guard engine.watches(accessory: reference.accessory),
                let identity = homes[value.update.home]?.identity(
                    ofCharacteristic: reference.iid,
                    in: reference.accessory
                )
            else { continue }
            let parent = value.origin.parent
            let (decisions, held) = engine.characteristicChanged(
                identity,
                in: value.update.home,
                from: value.previous,
                to: value.update.value,
                source: EventSource(id: .random(), parent: parent, causes: chains.triggers(of: parent)),
                at: parts.clock.now,
                known: known
            )
            for held in held { parts.activities.publish(.held(held)) }
            guard !decisions.isEmpty else { continue }
            change = (identity, value.previous)
            await carryOut(decisions)
            change = nil
        }
    }

    private func handle(_ report: PresenceActivity) async {
        presence[report.home, default: [:]][report.user] = report.isHome
        guard isStarted else { return }
        let source = EventSource(id: UUID(), parent: report.origin.parent)
        await carryOut(
            engine.presenceChanged(
                of: report.user,
                in: report.home,
                from: report.wasHome,
                to: report.isHome,
                source: source,
                at: report.time,
                known: known
            )
        )
        guard let place = report.to else { return }
        await carryOut(
            engine.located(
                report.user,
                in: report.home,
                from: report.from,
                to: place,
                source: source,
                at: report.time,
                known: known
            )
        )
    }

    /// Looks at the clock.
    private func tick() async {
        if case .following = role {
            mayHaveMissed = hasSlept()
            if !mayHaveMissed { await keepTime(ifDue: true) }
        }
        guard mayFire else { return sleep(until: nil) }
        guard isStarted else { return await startIfClockIsSet() }
        await carryOut(engine.advance(to: parts.clock.now, known: known))
        await keepTime(ifDue: true)
    }

    /// Advances the manual clock from one due time to the next, and waits for what each causes.
    private func advance(to target: Date) async {
        // While another hub leads, what is due here stays due.
        while mayFire, let wake = engine.nextWake, wake <= target {
            await step(to: max(wake, parts.clock.now))
        }
        await step(to: target)
    }

    private func step(to time: Date) async {
        parts.clock.set(time)
        await keepTime()
        if mayFire { await carryOut(engine.advance(to: time, known: known)) }
        // What the runs change may set off other automations, at the same time.
        while !runs.isEmpty {
            for run in runs.values { await run.value }
            await drainWithinStep()
        }
    }

    private func drainWithinStep() async {
        var later: [AutomationInbox.Input] = []
        for input in inbox.empty().inputs {
            if case .advance = input { later.append(input) } else { await handle(input) }
        }
        for input in later { inbox.add(input) }
    }

    // MARK: Facts

    /// What conditions are evaluated with.
    var known: KnownState {
        let (homes, presence, live) = (homes, presence, parts.live)
        return KnownState(
            value: { home, identity in homes[home]?.knownValue(of: identity, in: live) },
            isHome: { home, user in presence[home]?[user] }
        )
    }

    /// Returns the last known value of a characteristic.
    func value(of identity: CharacteristicIdentity, in home: UUID) -> CharacteristicValue? {
        homes[home]?.knownValue(of: identity, in: parts.live)
    }

    // MARK: Time

    /// Wakes the runner at a time, or when it is time to look at the clock again.
    func sleep(until time: Date?) {
        guard parts.clock.kind == .system else { return }
        sleeper?.cancel()
        var duration = Self.longestSleep
        if let time { duration = min(duration, .seconds(max(0, time.timeIntervalSince(parts.clock.now)))) }
        sleeper = Task { [inbox] in
            guard (try? await Task.sleep(for: duration)) != nil else { return }
            inbox.add(.tick)
        }
    }

    /// Stores the time until which automations ran, here or at the other hub.
    ///
    /// - Parameter ifDue: Whether to do so only if the stored time is old.
    private func keepTime(ifDue: Bool = false) async {
        let now = parts.clock.now
        var isHandled = isStarted
        if case .following = role { isHandled = true }
        if ifDue, let lastStored, abs(now.timeIntervalSince(lastStored)) < Self.renewalInterval {
            if isHandled { lastSeen = now }
            return
        }
        do {
            if parts.clock.kind == .manual { try await parts.clock.keep(in: parts.store) }
            guard isHandled else { return }
            try await parts.store.setMetadata("\(now.milliseconds)", for: .automationsTime)
            (lastSeen, lastStored) = (now, now)
        } catch {
            parts.log.warning("The automations' time was not stored.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Looks at the clock while another hub leads.
    ///
    /// - Returns: Whether this hub has slept since it last looked, so that it doesn't know whether another one led meanwhile.
    func hasSlept() -> Bool {
        guard parts.clock.kind == .system else { return false }
        let now = parts.clock.now
        defer { lastLook = now }
        return lastLook.map { now.timeIntervalSince($0) > Self.sleepTime } ?? false
    }

    /// Adds work that the runner waits for when it stops, and before a manual clock goes on.
    ///
    /// - Parameter occurrence: What the work carries out.
    func track(_ id: UUID, _ occurrence: String, _ work: @escaping @Sendable () async -> Void) {
        occurrences[id] = occurrence
        runs[id] = Task { [weak self] in
            await work()
            await self?.untrack(id)
        }
    }

    private func untrack(_ id: UUID) { (runs[id], occurrences[id]) = (nil, nil) }
}

extension Home {
    fileprivate func knownValue(of identity: CharacteristicIdentity, in live: LiveState) -> CharacteristicValue? {
        guard let found = characteristic(identity) else { return nil }
        return live.value(of: CharacteristicReference(accessory: found.accessory.id, iid: found.shape.iid), in: id)
    }
}
