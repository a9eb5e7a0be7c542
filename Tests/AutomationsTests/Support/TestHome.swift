import Foundation
import HAPCatalog
import HomeModel
import Testing

@testable import Automations

/// A home, its triggers and an engine, driven by a test.
struct TestHome {
    var home: Home
    var engine: TriggerEngine
    /// The last known values of characteristics.
    var values: [CharacteristicIdentity: CharacteristicValue] = [:]
    /// The users whose presence was reported.
    var presence: [UUID: Bool] = [:]
    /// Where the users were last.
    var places: [UUID: Place] = [:]
    /// The time.
    var now: Date
    /// The triggers that the last value didn't fire, by the condition that they share.
    private(set) var held: [HeldTriggers] = []
    private var names = 0

    /// Ann, the home's owner, and Ben.
    let ann = UUID()
    let ben = UUID()

    /// Creates a home with two users and without triggers, and starts the engine.
    ///
    /// - Parameter start: The time; `nil` to leave the engine unstarted.
    init(at now: Date, zone: String = "Europe/Berlin", place: Place? = berlin, isStarted: Bool = true) throws {
        self.now = now
        engine = TriggerEngine(timeZone: try #require(TimeZone(identifier: zone)))
        let id = UUID()
        home = Home(
            id: id,
            records: [
                .home(HomeRecord(id: id, defaultRoom: UUID(), place: place)),
                .user(UserRecord(id: ann, name: "Ann", role: .owner)),
                .user(UserRecord(id: ben, name: "Ben", role: .guest)),
            ]
        )
        if isStarted { _ = engine.start(at: now, lastSeen: nil, known: known) }
        engine.update(home, at: now)
    }

    /// The values and the presence of users.
    var known: KnownState {
        KnownState(value: { [values] in values[$1] }, isHome: { [presence] in presence[$1] })
    }

    /// Adds a trigger.
    mutating func add(_ definition: TriggerDefinition, isEnabled: Bool = true) -> UUID {
        names += 1
        let record = TriggerRecord(
            id: UUID(),
            name: "Trigger \(names)",
            isEnabled: isEnabled,
            actionSets: [UUID()],
            definition: definition
        )
        put(.trigger(record))
        return record.id
    }

    /// Adds a trigger with one event.
    mutating func add(
        on occurrence: TriggerEvent.Occurrence,
        until end: TriggerEvent.Occurrence? = nil,
        if condition: Condition? = nil,
        weekdays: [Int] = [],
        once: Bool = false
    ) -> UUID {
        let rule = EventRule(
            events: [TriggerEvent(id: UUID(), occurrence: occurrence)],
            endEvents: end.map { [TriggerEvent(id: UUID(), occurrence: $0)] } ?? [],
            condition: condition,
            weekdays: weekdays,
            executesOnce: once
        )
        return add(.event(rule))
    }

    /// Replaces or adds a record.
    mutating func put(_ record: Record) {
        home.apply(Change(verb: .triggerUpdated, subjects: [], effects: [.put(record)]))
        engine.update(home, at: now)
    }

    /// Changes a trigger.
    mutating func edit(_ trigger: UUID, _ change: (inout TriggerRecord) -> Void) throws {
        var record = try #require(home.triggers[id: trigger])
        change(&record)
        put(.trigger(record))
    }

    /// Removes a trigger.
    mutating func remove(_ trigger: UUID) {
        home.apply(Change(verb: .triggerRemoved, subjects: [], effects: [.remove(RecordID(.trigger, trigger))]))
        engine.update(home, at: now)
    }

    /// Moves the time in one step.
    mutating func jump(to time: Date) -> [TriggerDecision] {
        now = time
        return engine.advance(to: time, known: known)
    }

    /// Moves the time, stopping whenever something is due.
    mutating func run(to time: Date) -> [TriggerDecision] {
        var decisions: [TriggerDecision] = []
        while let wake = engine.nextWake, wake <= time { decisions += jump(to: max(wake, now)) }
        return decisions + jump(to: time)
    }

    /// Sets the value of a characteristic.
    mutating func set(
        _ characteristic: CharacteristicIdentity,
        _ value: CharacteristicValue?,
        causes: [UUID] = []
    ) -> [TriggerDecision] {
        let old = values[characteristic]
        values[characteristic] = value
        let source = EventSource(id: UUID(), causes: causes)
        let (decisions, held) = engine.characteristicChanged(
            characteristic,
            in: home.id,
            from: old,
            to: value,
            source: source,
            at: now,
            known: known
        )
        self.held = held
        return decisions + held.flatMap { $0.decisions(on: source) }
    }

    /// Reports a user's presence.
    mutating func report(_ user: UUID, isHome: Bool) -> [TriggerDecision] {
        let old = presence.updateValue(isHome, forKey: user)
        return engine.presenceChanged(
            of: user,
            in: home.id,
            from: old,
            to: isHome,
            source: EventSource(id: UUID()),
            at: now,
            known: known
        )
    }

    /// Reports a user's location.
    mutating func locate(_ user: UUID, _ place: Place) -> [TriggerDecision] {
        let old = places.updateValue(place, forKey: user)
        return engine.located(
            user,
            in: home.id,
            from: old,
            to: place,
            source: EventSource(id: UUID()),
            at: now,
            known: known
        )
    }
}

extension HeldTriggers {
    /// Returns the decisions that these stand for.
    fileprivate func decisions(on source: EventSource) -> [TriggerDecision] {
        members.map { member in
            TriggerDecision(
                home: home,
                trigger: member.trigger,
                event: member.event,
                due: nil,
                time: time,
                occurrence: OccurrenceKey(member.trigger, isEnd: false, event: source.id),
                outcome: .held(.conditionFalse),
                observations: observations,
                parent: parent,
                isLast: false
            )
        }
    }
}

let berlin = Place(latitude: 52.52, longitude: 13.405)

/// Returns a characteristic of an accessory that exists nowhere else.
func characteristic(_ type: HAPType) -> CharacteristicIdentity {
    CharacteristicIdentity(accessory: UUID(), characteristic: UUID(), type: type)
}

/// Returns the time that a clock in a zone shows.
func date(_ text: String, _ zone: String = "Europe/Berlin") throws -> Date {
    let parts = text.split { !$0.isNumber }.compactMap { Int($0) }
    let time = LocalTime(
        day: LocalDay(year: parts[0], month: parts[1], day: parts[2]),
        secondOfDay: parts[3] * 3_600 + parts[4] * 60 + (parts.count > 5 ? parts[5] : 0)
    )
    return try #require(TimeZone(identifier: zone)).instant(of: time)
}
