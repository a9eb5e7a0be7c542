import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

struct EventTriggerTests {
    private let hub = ScriptedHub()
    private let lamp = Devices.lamp("Lamp")

    private func start() async throws -> (app: App, home: HMHome, id: UUID, power: HMCharacteristic) {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([lamp], in: id)
        let app = try await App(on: hub)
        let power = try app.accessory("Lamp").characteristic(HMCharacteristicTypePowerState)
        return (app, try app.home(), id, power)
    }

    /// Adds a trigger, and returns the rule that the hub stores.
    @discardableResult
    private func add(_ trigger: HMEventTrigger, to home: HMHome, _ app: App) async throws -> EventRule? {
        async let added: Void = home.addTrigger(trigger)
        let request = try await app.grant(HubMethods.addTrigger)
        try await added
        guard case .event(let rule) = request.definition else { return nil }
        return rule
    }

    private func stored(_ trigger: HMTrigger, in home: UUID) -> EventRule? {
        guard case .event(let rule) = hub.home(home)?.triggers[id: trigger.uniqueIdentifier]?.definition else {
            return nil
        }
        return rule
    }

    private let sunset = HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)

    @Test func aTriggerKeepsItsParts() async throws {
        let (app, home, id, power) = try await start()
        let change = HMCharacteristicEvent<any NSCopying>(characteristic: power, triggerValue: NSNumber(value: true))
        let end = HMDurationEvent(duration: 600)
        let trigger = HMEventTrigger(
            name: "Motion",
            events: [change, sunset],
            end: [end],
            recurrences: [DateComponents(weekday: 2), DateComponents(weekday: 7)],
            predicate: HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18))
        )
        func check() {
            #expect(trigger.events.count == 2)
            #expect(trigger.events.first === change && trigger.events.last === sunset)
            #expect(trigger.endEvents.count == 1 && trigger.endEvents.first === end)
            #expect(trigger.recurrences == [DateComponents(weekday: 2), DateComponents(weekday: 7)])
            #expect(trigger.predicate?.description == "now() > {hour: 18 }")
            #expect(!trigger.executeOnce)
        }
        check()
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        let rule = EventRule(
            events: [
                TriggerEvent(id: change.uniqueIdentifier, occurrence: .characteristic(identity, .integer(1))),
                TriggerEvent(id: sunset.uniqueIdentifier, occurrence: .sun(SunMoment(.sunset))),
            ],
            endEvents: [TriggerEvent(id: end.uniqueIdentifier, occurrence: .duration(seconds: 600))],
            condition: .calendar(.after, CalendarMoment(hour: 18)),
            weekdays: [2, 7]
        )
        #expect(try await add(trigger, to: home, app) == rule)
        // The objects are those that the app made.
        check()
        #expect(trigger.predicate === trigger.predicate)
        #expect(home.triggers.first === trigger)
    }

    @Test func aTriggerWithoutEndAndConditionFiresEveryDay() async throws {
        let (app, home, _, _) = try await start()
        let trigger = HMEventTrigger(name: "Dusk", events: [sunset], predicate: nil)
        let rule = try await add(trigger, to: home, app)
        #expect(rule?.condition == nil && rule?.weekdays == [] && rule?.endEvents == [])
        #expect(trigger.predicate == nil && trigger.recurrences == nil && trigger.endEvents.isEmpty)
    }

    @Test func theHubsTriggersHaveObjectsToo() async throws {
        let (app, home, id, power) = try await start()
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        let change = TriggerEvent(id: UUID(), occurrence: .characteristic(identity, .bool(true)))
        let rule = EventRule(events: [change], weekdays: [1], executesOnce: true)
        let trigger = UUID()
        try hub.change(AddTrigger(id: trigger, name: "Motion", .event(rule)), in: id)
        #expect(try await app.recorder.next() == "added trigger Motion of 1")
        let motion = try #require(home.triggers.first as? HMEventTrigger)
        #expect(motion.executeOnce)
        #expect(motion.recurrences == [DateComponents(weekday: 1)])
        let event = try #require(motion.events.first as? HMCharacteristicEvent<any NSCopying>)
        #expect(event.uniqueIdentifier == change.id)
        #expect(event.characteristic === power)
        #expect(event.triggerValue as? NSNumber == true)
        #expect(motion.events.first === event)
        // Another client changes the event.
        let new = TriggerEvent(id: change.id, occurrence: .characteristic(identity, nil))
        try hub.change(EditTrigger(trigger, .events([new])), in: id)
        #expect(try await app.recorder.next() == "updated trigger Motion: false, []")
        let later = try #require(motion.events.first as? HMCharacteristicEvent<any NSCopying>)
        #expect(later == event)
        #expect(later.triggerValue == nil)
    }

    @Test func partsChange() async throws {
        let (app, home, id, _) = try await start()
        let trigger = HMEventTrigger(name: "Dusk", events: [sunset], predicate: nil)
        try await add(trigger, to: home, app)
        let morning = HMCalendarEvent(fire: DateComponents(hour: 7))
        async let updated: Void = trigger.updateEvents([morning])
        try await app.grant(HubMethods.editTrigger)
        try await updated
        #expect(trigger.events.count == 1 && trigger.events.first === morning)
        let end = HMDurationEvent(duration: 60)
        async let ended: Void = trigger.updateEndEvents([end])
        try await app.grant(HubMethods.editTrigger)
        try await ended
        #expect(trigger.endEvents.first === end)
        async let weekly: Void = trigger.updateRecurrences([DateComponents(weekday: 3)])
        try await app.grant(HubMethods.editTrigger)
        try await weekly
        #expect(trigger.recurrences == [DateComponents(weekday: 3)])
        async let once: Void = trigger.updateExecuteOnce(true)
        #expect(try await app.grant(HubMethods.editTrigger).edit == .executesOnce(true))
        try await once
        #expect(trigger.executeOnce)
        let completed = Inbox<HMError.Code?>()
        let evening = HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18))
        trigger.updatePredicate(evening) { completed.put(($0 as? HMError)?.code) }
        try await app.grant(HubMethods.editTrigger)
        #expect(try await completed.next() == nil)
        #expect(trigger.predicate == evening)
        trigger.updatePredicate(nil) { completed.put(($0 as? HMError)?.code) }
        try await app.grant(HubMethods.editTrigger)
        #expect(try await completed.next() == nil)
        #expect(trigger.predicate == nil)
        let rule = EventRule(
            events: [
                TriggerEvent(id: morning.uniqueIdentifier, occurrence: .calendar(CalendarMoment(hour: 7)))
            ],
            endEvents: [TriggerEvent(id: end.uniqueIdentifier, occurrence: .duration(seconds: 60))],
            weekdays: [3],
            executesOnce: true
        )
        #expect(stored(trigger, in: id) == rule)
        #expect(app.recorder.notes.drain().isEmpty)
    }

    @Test func partsChangeBeforeTheTriggerIsInAHome() async throws {
        let (app, home, _, _) = try await start()
        let trigger = HMEventTrigger(name: "Dusk", events: [], predicate: nil)
        #expect(trigger.triggerActivationState == .disabled)
        let end = HMDurationEvent(duration: 60)
        try await trigger.addEvent(sunset)
        let morning = HMCalendarEvent(fire: DateComponents(hour: 7))
        try await trigger.addEvent(morning)
        try await trigger.removeEvent(morning)
        #expect(await code { try await trigger.removeEvent(morning) } == .notFound)
        try await trigger.updateEndEvents([end])
        try await trigger.updateRecurrences([DateComponents(weekday: 3)])
        try await trigger.updateExecuteOnce(true)
        let evening = HMEventTrigger.predicateForEvaluatingTrigger(occurringAfter: DateComponents(hour: 18))
        try await trigger.updatePredicate(evening)
        #expect(trigger.events == [sunset] && trigger.endEvents == [end] && trigger.executeOnce)
        #expect(trigger.predicate === evening)
        let rule = try await add(trigger, to: home, app)
        #expect(rule?.events.map(\.id) == [sunset.uniqueIdentifier])
        #expect(rule?.condition == .calendar(.after, CalendarMoment(hour: 18)))
        #expect(rule?.executesOnce == true && rule?.weekdays == [3])
    }

    @Test func singleEventsComeAndGo() async throws {
        let (app, home, _, _) = try await start()
        let trigger = HMEventTrigger(name: "Dusk", events: [sunset], predicate: nil)
        try await add(trigger, to: home, app)
        let morning = HMCalendarEvent(fire: DateComponents(hour: 7))
        async let added: Void = trigger.addEvent(morning)
        try await app.grant(HubMethods.editTrigger)
        try await added
        #expect(trigger.events.last === morning)
        #expect(trigger.events.count == 2)
        async let removed: Void = trigger.removeEvent(sunset)
        try await app.grant(HubMethods.editTrigger)
        try await removed
        #expect(trigger.events == [morning])
        async let last = code { try await trigger.removeEvent(morning) }
        try await app.grant(HubMethods.editTrigger)
        #expect(await last == .missingParameter)
        #expect(await code { try await trigger.removeEvent(sunset) } == .notFound)
    }

    @Test func anEventOfATriggerChangesInTheHome() async throws {
        let (app, home, id, power) = try await start()
        let change = HMCharacteristicEvent<NSNumber>(characteristic: power, triggerValue: 1)
        let trigger = HMEventTrigger(name: "Motion", events: [change], end: [sunset], recurrences: nil, predicate: nil)
        try await add(trigger, to: home, app)
        // The app's object is equal to the one that can be cast to the usual class.
        let shown = try #require(trigger.events.first as? HMCharacteristicEvent<any NSCopying>)
        #expect(shown == change && shown !== change)
        let completed = Inbox<HMError.Code?>()
        shown.updateTriggerValue(NSNumber(value: 0)) { completed.put(($0 as? HMError)?.code) }
        try await app.grant(HubMethods.editTrigger)
        #expect(try await completed.next() == nil)
        #expect(shown.triggerValue as? NSNumber == 0)
        #expect(trigger.events.first === shown)
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        #expect(stored(trigger, in: id)?.events.map(\.occurrence) == [.characteristic(identity, .bool(false))])
        #expect(stored(trigger, in: id)?.endEvents.count == 1)
        shown.updateTriggerValue(NSString("on")) { completed.put(($0 as? HMError)?.code) }
        try await app.grant(HubMethods.editTrigger)
        #expect(try await completed.next() == .invalidValueType)
        #expect(shown.triggerValue as? NSNumber == 0)
    }

    // MARK: Refusals

    @Test(arguments: [
        ([DateComponents(month: 1)], HMError.Code.recurrenceTooLarge),
        ([DateComponents(year: 1, weekday: 2)], .recurrenceTooLarge), ([DateComponents(day: 1)], .invalidParameter),
        ([DateComponents(weekday: 2), DateComponents()], .invalidParameter),
        ([DateComponents(weekday: 8)], .invalidParameter),
    ])
    func recurrencesAreDaysOfTheWeek(_ recurrences: [DateComponents], _ expected: HMError.Code) async throws {
        let (app, home, _, _) = try await start()
        let hubAnswers = Task { while true { try await app.grant(HubMethods.addTrigger) } }
        defer { hubAnswers.cancel() }
        let trigger = HMEventTrigger(
            name: "Dusk",
            events: [sunset],
            end: nil,
            recurrences: recurrences,
            predicate: nil
        )
        #expect(await code { try await home.addTrigger(trigger) } == expected)
        #expect(home.triggers.isEmpty)
    }

    @Test func eventsThatCannotHappenHaveTheirCodes() async throws {
        let (app, home, _, power) = try await start()
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let label = try app.accessory("Lamp").characteristic(Devices.label.longForm)
        let hubAnswers = Task { while true { try await app.grant(HubMethods.addTrigger) } }
        defer { hubAnswers.cancel() }
        func refusal(of event: HMEvent) async -> HMError.Code? {
            let trigger = HMEventTrigger(name: "Event", events: [event], predicate: nil)
            return await code { try await home.addTrigger(trigger) }
        }
        let here = CLLocationCoordinate2D(latitude: 52, longitude: 13)
        let silent = CLCircularRegion(center: here, radius: 100, identifier: "Home")
        (silent.notifyOnEntry, silent.notifyOnExit) = (false, false)
        func change(_ characteristic: HMCharacteristic, _ value: (any NSCopying)?) -> HMEvent {
            HMCharacteristicEvent<any NSCopying>(characteristic: characteristic, triggerValue: value)
        }
        let cases: [(HMEvent, HMError.Code)] = [
            (change(label, nil), .notificationNotSupported), (change(power, NSString("on")), .invalidValueType),
            (change(power, NSDate()), .invalidValueType),
            (change(brightness, NSNumber(value: 101)), .valueHigherThanMaximum),
            (change(HMCharacteristic(), nil), .objectNotAssociatedToAnyHome),
            (
                HMCharacteristicThresholdRangeEvent(characteristic: label, thresholdRange: HMNumberRange(minValue: 1)),
                .notificationNotSupported
            ),
            (
                HMCharacteristicThresholdRangeEvent(
                    characteristic: brightness,
                    thresholdRange: HMNumberRange(minValue: 2, maxValue: 1)
                ),
                .invalidParameter
            ),
            (HMDurationEvent(duration: 60), .invalidParameter),
            (HMCalendarEvent(fire: DateComponents()), .invalidParameter),
            (HMCalendarEvent(fire: DateComponents(hour: 24)), .invalidParameter),
            (HMCalendarEvent(fire: DateComponents(hour: 7, weekOfYear: 1)), .invalidParameter),
            (
                HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(hour: 13)), .invalidParameter
            ),
            (
                HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(second: 1)), .invalidParameter
            ),
            (
                HMSignificantTimeEvent(significantEvent: .sunset, offset: DateComponents(hour: .max - 1)),
                .invalidParameter
            ),
            (HMSignificantTimeEvent(significantEvent: .init("noon"), offset: nil), .invalidParameter),
            (HMPresenceEvent(presenceEventType: .atHome, presenceUserType: .customUsers), .invalidParameter),
            (HMLocationEvent(region: try #require(silent.withoutShape)), .invalidClass),
            (HMLocationEvent(region: silent), .invalidParameter),
            (HMLocationEvent(region: CLCircularRegion(center: here, radius: 0, identifier: "")), .invalidParameter),
        ]
        for (index, (event, expected)) in cases.enumerated() {
            #expect(await refusal(of: event) == expected, "case \(index)")
        }
        for duration in [0, .infinity, .nan, 86_401] {
            let end = [HMDurationEvent(duration: duration)]
            let trigger = HMEventTrigger(name: "Event", events: [sunset], end: end, recurrences: nil, predicate: nil)
            #expect(await code { try await home.addTrigger(trigger) } == .invalidParameter, "\(duration)")
        }
        let none = HMEventTrigger(name: "Event", events: [], predicate: nil)
        #expect(await code { try await home.addTrigger(none) } == .missingParameter)
        #expect(home.triggers.isEmpty)
    }

    // MARK: Activation

    @Test func aTriggerShowsWhetherTheHubWaitsForItsEvents() async throws {
        let (app, home, id, _) = try await start()
        let trigger = HMEventTrigger(name: "Dusk", events: [sunset], predicate: nil)
        try await add(trigger, to: home, app)
        #expect(trigger.triggerActivationState == .disabled)
        let set = UUID()
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        try hub.change(AddActionSet(id: set, name: "Movie"), in: id)
        try hub.change(AddAction(identity, value: .bool(true), actionSet: set), in: id)
        try hub.change(AddActionSetToTrigger(actionSet: set, trigger: trigger.uniqueIdentifier), in: id)
        try hub.change(EnableTrigger(trigger.uniqueIdentifier, true), in: id)
        while !trigger.isEnabled { _ = try await app.recorder.next() }
        #expect(trigger.triggerActivationState == .enabled)
        var record = try #require(hub.home(id)?.triggers[id: trigger.uniqueIdentifier])
        let later = TriggerEvent(id: UUID(), occurrence: .unknown(.object([:])))
        record.definition = .event(EventRule(events: [later]))
        let change = Change(verb: .triggerUpdated, subjects: [record.id], effects: [.put(.trigger(record))])
        hub.tell(.change(LogChange(home: id, lineage: hub.lineage, revision: 1, change: change, isMine: false)))
        while trigger.triggerActivationState == .enabled { _ = try await app.recorder.next() }
        #expect(trigger.triggerActivationState == .disabledNoCompatibleHomeHub)
        #expect(trigger.events.isEmpty)
        hub.lose()
        while try await app.recorder.hubStates.next() != .disconnected {}
        #expect(trigger.triggerActivationState == .disabledNoHomeHub)
        let states: [HMEventTriggerActivationState] = [
            .disabled, .disabledNoHomeHub, .disabledNoCompatibleHomeHub, .disabledNoLocationServicesAuthorization,
            .enabled,
        ]
        #expect(states.map(\.rawValue) == [0, 1, 2, 3, 4])
    }
}

extension CLCircularRegion {
    /// A region with the same identifier that isn't a circle.
    fileprivate var withoutShape: CLRegion? {
        let archiver = NSKeyedArchiver(requiringSecureCoding: true)
        encode(with: archiver)
        return (try? NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)).flatMap { CLRegion(coder: $0) }
    }
}
