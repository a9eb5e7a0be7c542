import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// Conditions of triggers as predicates.
struct PredicateTests {
    private let hub = ScriptedHub()
    private let lamp = Devices.lamp("Lamp")

    private func start() async throws -> (app: App, trigger: HMEventTrigger, id: UUID) {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([lamp], in: id)
        let app = try await App(on: hub)
        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        let trigger = HMEventTrigger(name: "Dusk", events: [sunset], predicate: nil)
        let home = try app.home()
        async let added: Void = home.addTrigger(trigger)
        try await app.grant(HubMethods.addTrigger)
        try await added
        return (app, trigger, id)
    }

    /// Sets a trigger's predicate, and returns the condition that the hub stores.
    private func store(
        _ predicate: NSPredicate?,
        _ trigger: HMEventTrigger,
        _ app: App
    ) async throws -> Condition? {
        let completed = Inbox<HMError?>()
        trigger.updatePredicate(predicate) { completed.put($0 as? HMError) }
        try await app.grant(HubMethods.editTrigger)
        if let error = try await completed.next() { throw error }
        let home = hub.home(try app.home().uniqueIdentifier)
        guard case .event(let rule) = home?.triggers[id: trigger.uniqueIdentifier]?.definition else { return nil }
        return rule.condition
    }

    private let evening = HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18))
    private let morning = HMEventTrigger.predicateForEvaluatingTrigger(occurringBefore: DateComponents(hour: 8))
    private let afterSix = Condition.calendar(.after, CalendarMoment(hour: 18))
    private let beforeEight = Condition.calendar(.before, CalendarMoment(hour: 8))

    @Test func datesAndTimesOfDay() async throws {
        let (app, trigger, _) = try await start()
        var six = DateComponents(hour: 18, minute: 5, second: 10)
        six.timeZone = TimeZone(identifier: "Asia/Tokyo")
        six.calendar = Calendar(identifier: .buddhist)
        let moment = CalendarMoment(hour: 18, minute: 5, second: 10, timeZone: "Asia/Tokyo", calendar: "buddhist")
        let before = HMEventTrigger.predicateForEvaluatingTrigger(occurringBefore: six)
        #expect(try await store(before, trigger, app) == .calendar(.before, moment))
        let on = HMEventTrigger.predicateForEvaluatingTrigger(occurringOn: six)
        #expect(try await store(on, trigger, app) == .calendar(.on, moment))
        let after = HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: six)
        #expect(try await store(after, trigger, app) == .calendar(.after, moment))
        let between = HMEventTrigger.predicateForEvaluatingTriggerOccurringBetweenDate(
            with: six,
            secondDateWith: DateComponents(hour: 22)
        )
        #expect(try await store(between, trigger, app) == .betweenCalendar(moment, CalendarMoment(hour: 22)))
        // What comes back is equal to what the app made, and can be used again.
        #expect(trigger.predicate == between)
        #expect(try await store(trigger.predicate, trigger, app) == .betweenCalendar(moment, CalendarMoment(hour: 22)))
        #expect(trigger.predicate?.predicateFormat.contains("hour: 22") == true)
    }

    @Test func sunriseAndSunset() async throws {
        let (app, trigger, _) = try await start()
        let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(minute: -20))
        let sunrise = HMSignificantTimeEvent(significantEvent: .sunrise, offset: nil)
        let (early, up) = (SunMoment(.sunset, offset: -20), SunMoment(.sunrise))
        let before = HMEventTrigger.predicateForEvaluatingTriggerOccurring(beforeSignificantEvent: sunset)
        #expect(try await store(before, trigger, app) == .sun(.before, early))
        let after = HMEventTrigger.predicateForEvaluatingTriggerOccurring(afterSignificantEvent: sunset)
        #expect(try await store(after, trigger, app) == .sun(.after, early))
        let between = HMEventTrigger.predicate(
            forEvaluatingTriggerOccurringBetweenSignificantEvent: sunset,
            secondSignificantEvent: sunrise
        )
        #expect(try await store(between, trigger, app) == .betweenSun(early, up))
        #expect(trigger.predicate == between)
        #expect(trigger.predicate?.description == "now() > sunset - 20 min AND now() < sunrise")
    }

    @Test func formerPredicatesOfTheSun() async throws {
        let (app, trigger, _) = try await start()
        let offset = DateComponents(hour: 1)
        let before = HMEventTrigger.predicateForEvaluatingTrigger(
            occurringBefore: HMSignificantEvent.sunset.rawValue,
            applyingOffset: offset
        )
        #expect(try await store(before, trigger, app) == .sun(.before, SunMoment(.sunset, offset: 60)))
        let after = HMEventTrigger.predicateForEvaluatingTrigger(
            occurringAfter: HMSignificantEvent.sunrise.rawValue,
            applyingOffset: nil
        )
        #expect(try await store(after, trigger, app) == .sun(.after, SunMoment(.sunrise)))
    }

    @Test func comparisonsOfACharacteristic() async throws {
        let (app, trigger, id) = try await start()
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 12, in: lamp.id))
        let operators: [(NSComparisonPredicate.Operator, Condition.Comparison)] = [
            (.lessThan, .less), (.lessThanOrEqualTo, .lessOrEqual), (.equalTo, .equal), (.notEqualTo, .notEqual),
            (.greaterThanOrEqualTo, .greaterOrEqual), (.greaterThan, .greater),
        ]
        for (operatorType, comparison) in operators {
            let predicate = HMEventTrigger.predicateForEvaluatingTrigger(
                brightness,
                relatedBy: operatorType,
                toValue: NSNumber(value: 40)
            )
            let condition = Condition.characteristic(identity, comparison, .integer(40))
            #expect(try await store(predicate, trigger, app) == condition)
            #expect(trigger.predicate == predicate)
        }
        for operatorType in [NSComparisonPredicate.Operator.like, .matches, .in, .between, .contains, .beginsWith] {
            let refused = HMEventTrigger.predicateForEvaluatingTrigger(
                brightness,
                relatedBy: operatorType,
                toValue: 40
            )
            #expect(await refusal(of: refused, trigger) == .invalidParameter)
        }
        let date = HMEventTrigger.predicateForEvaluatingTrigger(brightness, relatedBy: .equalTo, toValue: Date())
        #expect(await refusal(of: date, trigger) == .invalidValueType)
        let detached = HMEventTrigger.predicateForEvaluatingTrigger(
            HMCharacteristic(),
            relatedBy: .equalTo,
            toValue: 1
        )
        #expect(await refusal(of: detached, trigger) == .objectNotAssociatedToAnyHome)
        let text = HMEventTrigger.predicateForEvaluatingTrigger(brightness, relatedBy: .equalTo, toValue: "bright")
        await #expect(throws: HMError.self) { try await store(text, trigger, app) }
    }

    @Test func aCharacteristicOfAnotherHomeIsRefused() async throws {
        let (app, trigger, id) = try await start()
        let hut = try hub.addHome("Hut")
        try hub.addAccessories([Devices.lamp("Other")], in: hut)
        try hub.addRoom("Hall", in: id)
        while try await app.recorder.next() != "added room Hall of 1" {}
        let other = try #require(app.manager.homes.last?.accessories.first)
        let predicate = HMEventTrigger.predicateForEvaluatingTrigger(
            try other.characteristic(HMCharacteristicTypePowerState),
            relatedBy: .equalTo,
            toValue: true
        )
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [evening, predicate])
        #expect(await refusal(of: both, trigger) == .objectAssociatedToAnotherHome)
    }

    @Test func presence() async throws {
        let (app, trigger, id) = try await start()
        let viewer = try #require(hub.home(id)?.users.first?.id)
        let home = HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .currentUser)
        let predicate = HMEventTrigger.predicateForEvaluatingTrigger(withPresence: home)
        #expect(try await store(predicate, trigger, app) == .presence(Presence(.firstEntry, of: .users([viewer]))))
        let away = HMPresenceEvent(presenceEventType: .notAtHome, presenceUserType: .homeUsers)
        let absence = HMEventTrigger.predicateForEvaluatingTrigger(withPresence: away)
        #expect(try await store(absence, trigger, app) == .presence(Presence(.lastExit, of: .everyone)))
        let arrival = HMPresenceEvent(presenceEventType: .everyEntry, presenceUserType: .homeUsers)
        let refused = HMEventTrigger.predicateForEvaluatingTrigger(withPresence: arrival)
        await #expect(throws: HMError.self) { try await store(refused, trigger, app) }
    }

    // MARK: Combinations

    @Test func combinationsAreTakenApartAgain() async throws {
        let (app, trigger, _) = try await start()
        let either = NSCompoundPredicate(orPredicateWithSubpredicates: [morning, evening])
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            either, NSCompoundPredicate(notPredicateWithSubpredicate: morning),
        ])
        let condition = Condition.all([.any([beforeEight, afterSix]), .not(beforeEight)])
        #expect(try await store(both, trigger, app) == condition)
        let shown = try #require(trigger.predicate as? NSCompoundPredicate)
        #expect(shown.compoundPredicateType == .and)
        #expect(shown.subpredicates.count == 2)
        let first = try #require(shown.subpredicates.first as? NSCompoundPredicate)
        #expect(first.compoundPredicateType == .or)
        #expect(first.subpredicates == [morning, evening])
        let second = try #require(shown.subpredicates.last as? NSCompoundPredicate)
        #expect(second.compoundPredicateType == .not && second.subpredicates == [morning])
        // An app adds a condition to those that there are, as Apple's samples do.
        let more = NSCompoundPredicate(andPredicateWithSubpredicates: shown.subpredicates + [evening])
        let extended = Condition.all([.any([beforeEight, afterSix]), .not(beforeEight), afterSix])
        #expect(try await store(more, trigger, app) == extended)
    }

    @Test func aPredicateIsItsOwnCopy() throws {
        let copy = try #require(evening.copy() as? NSPredicate)
        #expect(copy === evening)
        #expect(evening == HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18)))
        #expect(evening != morning)
        #expect(evening != NSPredicate(value: true))
        #expect(
            evening.hash == HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18)).hash
        )
        #expect(Set([evening, morning, copy]).count == 2)
        #expect(!evening.evaluate(with: nil))
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [evening])
        #expect(!compound.evaluate(with: nil))
    }

    @Test func constantsMeanNoCondition() async throws {
        let (app, trigger, _) = try await start()
        let (yes, no) = (NSPredicate(value: true), NSPredicate(value: false))
        func all(_ terms: NSPredicate...) -> NSPredicate { NSCompoundPredicate(andPredicateWithSubpredicates: terms) }
        func any(_ terms: NSPredicate...) -> NSPredicate { NSCompoundPredicate(orPredicateWithSubpredicates: terms) }
        func not(_ term: NSPredicate) -> NSPredicate { NSCompoundPredicate(notPredicateWithSubpredicate: term) }
        for predicate in [yes, all(), all(yes), any(evening, yes), not(no), all(yes, any(no, yes))] {
            #expect(try await store(evening, trigger, app) == afterSix)
            #expect(try await store(predicate, trigger, app) == nil)
            #expect(trigger.predicate == nil)
        }
        #expect(try await store(all(yes, evening), trigger, app) == .all([afterSix]))
        #expect(try await store(any(no, evening), trigger, app) == .any([afterSix]))
        for predicate in [no, any(), all(evening, no), not(yes)] {
            #expect(await refusal(of: predicate, trigger) == .invalidParameter)
        }
    }

    @Test func predicatesThatTheHubCannotEvaluateAreRefused() async throws {
        let (app, trigger, _) = try await start()
        let block = NSPredicate { _, _ in true }
        #expect(await refusal(of: block, trigger) == .invalidParameter)
        let hidden = NSCompoundPredicate(andPredicateWithSubpredicates: [
            evening, NSCompoundPredicate(orPredicateWithSubpredicates: [block, morning]),
        ])
        #expect(await refusal(of: hidden, trigger) == .invalidParameter)
        let weeks = HMEventTrigger.predicateForEvaluatingTrigger(occurringOn: DateComponents(weekOfYear: 3))
        #expect(await refusal(of: weeks, trigger) == .invalidParameter)
        // Also for a trigger that is being added.
        let event = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)
        let new = HMEventTrigger(name: "New", events: [event], predicate: hidden)
        #expect(new.predicate === hidden)
        let home = try app.home()
        #expect(await code { try await home.addTrigger(new) } == .invalidParameter)
        #expect(home.triggers == [trigger])
        #expect(hub.requests.drain().isEmpty)
    }

    /// Returns the code with which a predicate is refused before it is sent.
    private func refusal(of predicate: NSPredicate, _ trigger: HMEventTrigger) async -> HMError.Code? {
        await HomeKitTests.code { try await trigger.updatePredicate(predicate) }
    }
}
