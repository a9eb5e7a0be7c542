import Foundation
import HAPCatalog
@testable import HomeKit
import HomeModel
import HubAPI
import Testing

/// The kinds of events, in the form that apps can change and in the one that they can't.
struct EventTests {
    private let hub = ScriptedHub()
    private let lamp = Devices.lamp("Lamp")

    private func start() async throws -> (app: App, home: HMHome, id: UUID, power: HMCharacteristic) {
        let id = try hub.addHome("Villa")
        try hub.addAccessories([lamp], in: id)
        let app = try await App(on: hub)
        let power = try app.accessory("Lamp").characteristic(HMCharacteristicTypePowerState)
        return (app, try app.home(), id, power)
    }

    /// Adds a trigger with an event, and returns what the hub stores.
    private func store(_ event: HMEvent, _ name: String, _ app: App) async throws -> TriggerEvent.Occurrence? {
        let home = try app.home()
        let trigger = HMEventTrigger(name: name, events: [event], predicate: nil)
        async let added: Void = home.addTrigger(trigger)
        try await app.grant(HubMethods.addTrigger)
        try await added
        #expect(trigger.events == [event])
        guard
            case .event(let rule) = hub.home(home.uniqueIdentifier)?.triggers[id: trigger.uniqueIdentifier]?.definition
        else { return nil }
        #expect(rule.events.map(\.id) == [event.uniqueIdentifier])
        return rule.events.first?.occurrence
    }

    /// Returns the object that another app sees for what the hub stores.
    private func shown(_ occurrence: TriggerEvent.Occurrence?, _ app: App) throws -> HMEvent {
        let reference = try app.home().homeReference
        let event = TriggerEvent(id: UUID(), occurrence: try #require(occurrence))
        return try #require(HMEvent.object(for: event, in: reference))
    }

    @Test func everyKindOfEventIsSupportedInAHome() async throws {
        let (app, home, id, _) = try await start()
        #expect(HMEvent.isSupported(for: home))
        #expect(HMLocationEvent.isSupported(for: home))
        try hub.change(.removeHome(id))
        while !app.manager.homes.isEmpty { _ = try await app.recorder.next() }
        #expect(!HMPresenceEvent.isSupported(for: home))
    }

    @Test func eventsAreEqualByTheirIdentity() {
        let event = HMDurationEvent(duration: 60)
        let other = HMDurationEvent(duration: 60)
        let time: HMTimeEvent = event
        #expect(event.uniqueIdentifier != other.uniqueIdentifier)
        #expect(event != other)
        #expect(time == event)
        #expect(Set<HMEvent>([event, other, time]).count == 2)
    }

    @Test func aChangeToAValue() async throws {
        let (app, _, id, power) = try await start()
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 11, in: lamp.id))
        let event = HMCharacteristicEvent<any NSCopying>(characteristic: power, triggerValue: NSNumber(value: 1))
        #expect(event.characteristic === power)
        #expect(event.triggerValue as? NSNumber == 1)
        #expect(try await store(event, "One", app) == .characteristic(identity, .bool(true)))
        let any = HMCharacteristicEvent<any NSCopying>(characteristic: power, triggerValue: nil)
        #expect(try await store(any, "Two", app) == .characteristic(identity, nil))
        let new = try #require(
            try shown(.characteristic(identity, .bool(true)), app) as? HMCharacteristicEvent<any NSCopying>
        )
        #expect(new.characteristic === power && new.triggerValue as? NSNumber == true)

        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let mutable = try #require(event.mutableCopy() as? HMMutableCharacteristicEvent<any NSCopying>)
        #expect(mutable.uniqueIdentifier != event.uniqueIdentifier)
        mutable.characteristic = brightness
        mutable.triggerValue = NSNumber(value: 40)
        #expect(mutable.characteristic === brightness)
        #expect(mutable.triggerValue as? NSNumber == 40)
        #expect(event.characteristic === power && event.triggerValue as? NSNumber == 1)
        let copy = try #require(mutable.copy() as? HMCharacteristicEvent<any NSCopying>)
        #expect(!(copy is HMMutableCharacteristicEvent<any NSCopying>) && copy.characteristic === brightness)
        let fresh = HMMutableCharacteristicEvent<NSNumber>(characteristic: brightness, triggerValue: 50)
        let dim = try #require(hub.home(id)?.identity(ofCharacteristic: 12, in: lamp.id))
        #expect(try await store(fresh, "Three", app) == .characteristic(dim, .integer(50)))
        let triggers = try app.home().triggers
        let last = try #require(triggers.last as? HMEventTrigger)
        // A later change of the app's object doesn't change the trigger.
        fresh.triggerValue = 60
        let stored = try #require(last.events.first as? HMCharacteristicEvent<any NSCopying>)
        #expect(stored.triggerValue as? NSNumber == 50)
    }

    @Test func aValueOfAnEventChangesBeforeItIsInATrigger() async throws {
        let (_, _, _, power) = try await start()
        let event = HMCharacteristicEvent<NSNumber>(characteristic: power, triggerValue: 1)
        let completed = Inbox<Bool>()
        event.updateTriggerValue(0) { completed.put($0 == nil) }
        #expect(try await completed.next())
        #expect(event.triggerValue == 0)
        #expect(hub.requests.drain().isEmpty)
    }

    @Test func theEntryIntoARange() async throws {
        let (app, _, id, power) = try await start()
        let brightness = try app.accessory("Lamp").characteristic(HMCharacteristicTypeBrightness)
        let identity = try #require(hub.home(id)?.identity(ofCharacteristic: 12, in: lamp.id))
        let range = HMNumberRange(minValue: 10, maxValue: 20.5)
        let event = HMCharacteristicThresholdRangeEvent(characteristic: brightness, thresholdRange: range)
        #expect(event.characteristic === brightness)
        #expect(event.thresholdRange === range)
        let stored = TriggerEvent.Occurrence.threshold(identity, ThresholdRange(minimum: 10, maximum: 20.5))
        #expect(try await store(event, "One", app) == stored)
        let new = try #require(try shown(stored, app) as? HMCharacteristicThresholdRangeEvent)
        #expect(new.characteristic === brightness && new.thresholdRange == range)
        let mutable = try #require(event.mutableCopy() as? HMMutableCharacteristicThresholdRangeEvent)
        mutable.characteristic = power
        mutable.thresholdRange = HMNumberRange(minValue: 1)
        #expect(mutable.characteristic === power && mutable.thresholdRange.maxValue == nil)
        #expect(event.characteristic === brightness && event.thresholdRange === range)
        #expect((mutable.copy() as? HMCharacteristicThresholdRangeEvent)?.thresholdRange.minValue == 1)
        let fresh = HMMutableCharacteristicThresholdRangeEvent(characteristic: brightness, thresholdRange: range)
        #expect(try await store(fresh, "Two", app) == stored)
    }

    @Test func aRangeHasOneBoundOrTwo() {
        let both = HMNumberRange(minValue: 1, maxValue: 2)
        #expect(both.minValue == 1 && both.maxValue == 2)
        let lower = HMNumberRange(minValue: 1)
        #expect(lower.minValue == 1 && lower.maxValue == nil)
        let upper = HMNumberRange(maxValue: 2)
        #expect(upper.minValue == nil && upper.maxValue == 2)
        #expect(both == HMNumberRange(minValue: 1.0, maxValue: 2.0))
        #expect(Set([both, lower, upper, HMNumberRange(minValue: 1)]).count == 3)
    }

    @Test func aTimeOfDay() async throws {
        let (app, _, _, _) = try await start()
        var components = DateComponents(month: 12, day: 24, hour: 18, minute: 30, second: 15)
        components.timeZone = TimeZone(identifier: "Asia/Tokyo")
        components.calendar = Calendar(identifier: .hebrew)
        let event = HMCalendarEvent(fire: components)
        #expect(event.fireDateComponents == components)
        let moment = CalendarMoment(
            month: 12,
            day: 24,
            hour: 18,
            minute: 30,
            second: 15,
            timeZone: "Asia/Tokyo",
            calendar: "hebrew"
        )
        #expect(try await store(event, "One", app) == .calendar(moment))
        let new = try #require(try shown(.calendar(moment), app) as? HMCalendarEvent)
        #expect(new.fireDateComponents == components)
        let mutable = try #require(event.mutableCopy() as? HMMutableCalendarEvent)
        mutable.fireDateComponents.hour = 19
        #expect(mutable.fireDateComponents.hour == 19)
        #expect(event.fireDateComponents.hour == 18)
        #expect((mutable.copy() as? HMCalendarEvent)?.fireDateComponents.hour == 19)
        #expect(event.copy() as? HMCalendarEvent === event)
        let fresh = HMMutableCalendarEvent(fire: DateComponents(hour: 7))
        #expect(try await store(fresh, "Two", app) == .calendar(CalendarMoment(hour: 7)))
    }

    @Test func sunriseAndSunset() async throws {
        let (app, _, _, _) = try await start()
        let offset = DateComponents(hour: -1, minute: -30)
        let event = HMSignificantTimeEvent(significantEvent: .sunset, offset: offset)
        #expect(event.significantEvent == .sunset)
        #expect(event.offset == offset)
        #expect(try await store(event, "One", app) == .sun(SunMoment(.sunset, offset: -90)))
        let new = try #require(try shown(.sun(SunMoment(.sunset, offset: -90)), app) as? HMSignificantTimeEvent)
        #expect(new.significantEvent == .sunset && new.offset == offset)
        #expect((try shown(.sun(SunMoment(.sunrise)), app) as? HMSignificantTimeEvent)?.offset == nil)
        let mutable = try #require(event.mutableCopy() as? HMMutableSignificantTimeEvent)
        mutable.significantEvent = .sunrise
        mutable.offset = DateComponents(minute: 5)
        #expect(mutable.significantEvent == .sunrise)
        #expect(mutable.offset == DateComponents(minute: 5))
        #expect(event.significantEvent == .sunset && event.offset == offset)
        let copy = try #require(mutable.copy() as? HMSignificantTimeEvent)
        #expect(copy.significantEvent == .sunrise && copy.offset == DateComponents(minute: 5))
        let fresh = HMMutableSignificantTimeEvent(significantEvent: .sunrise, offset: nil)
        #expect(fresh.offset == DateComponents())
        #expect(try await store(fresh, "Two", app) == .sun(SunMoment(.sunrise)))
    }

    @Test func theEndOfADuration() async throws {
        let (app, home, id, _) = try await start()
        let event = HMDurationEvent(duration: 59.6)
        #expect(event.duration == 59.6)
        let mutable = try #require(event.mutableCopy() as? HMMutableDurationEvent)
        mutable.duration = 120
        #expect(mutable.duration == 120 && event.duration == 59.6)
        #expect((mutable.copy() as? HMDurationEvent)?.duration == 120)
        let fresh = HMMutableDurationEvent(duration: 30)
        let trigger = HMEventTrigger(
            name: "Sunset",
            events: [HMSignificantTimeEvent(significantEvent: .sunset, offset: nil)],
            end: [event, fresh],
            recurrences: nil,
            predicate: nil
        )
        async let added: Void = home.addTrigger(trigger)
        try await app.grant(HubMethods.addTrigger)
        try await added
        guard case .event(let rule) = hub.home(id)?.triggers.first?.definition else { return #expect(Bool(false)) }
        #expect(rule.endEvents.map(\.occurrence) == [.duration(seconds: 60), .duration(seconds: 30)])
        #expect((try shown(.duration(seconds: 30), app) as? HMDurationEvent)?.duration == 30)
        // The app can change its own object, but not the one of the trigger.
        #expect(!(trigger.endEvents.last is HMMutableDurationEvent) && trigger.endEvents.last == fresh)
    }

    @Test func arrivalsAndDepartures() async throws {
        let (app, _, id, _) = try await start()
        let kinds: [(HMPresenceEventType, Presence.Kind)] = [
            (.everyEntry, .everyEntry), (.everyExit, .everyExit), (.firstEntry, .firstEntry), (.lastExit, .lastExit),
        ]
        for (index, (type, kind)) in kinds.enumerated() {
            let event = HMPresenceEvent(presenceEventType: type, presenceUserType: .homeUsers)
            #expect(event.presenceEventType == type && event.presenceUserType == .homeUsers)
            #expect(try await store(event, "Trigger \(index)", app) == .presence(Presence(kind, of: .everyone)))
            #expect(type.rawValue == UInt(index + 1))
        }
        #expect(HMPresenceEventType.atHome == .firstEntry && HMPresenceEventType.notAtHome == .lastExit)
        let users: [HMPresenceEventUserType] = [.currentUser, .homeUsers, .customUsers]
        #expect(users.map(\.rawValue) == [1, 2, 3])
        let viewer = try #require(hub.home(id)?.users.first?.id)
        let own = HMPresenceEvent(presenceEventType: .everyExit, presenceUserType: .currentUser)
        let stored = try await store(own, "Own", app)
        #expect(stored == .presence(Presence(.everyExit, of: .users([viewer]))))
        #expect((try shown(stored, app) as? HMPresenceEvent)?.presenceUserType == .currentUser)
        let some = TriggerEvent.Occurrence.presence(Presence(.lastExit, of: .users([UUID(), viewer])))
        let custom = try #require(try shown(some, app) as? HMPresenceEvent)
        #expect(custom.presenceUserType == .customUsers && custom.presenceEventType == .lastExit)
        // It can be sent back.
        #expect(try custom.occurrence(in: app.home().homeReference) == some)

        let mutable = try #require(own.mutableCopy() as? HMMutablePresenceEvent)
        mutable.presenceEventType = .everyEntry
        mutable.presenceUserType = .homeUsers
        #expect(mutable.presenceEventType == .everyEntry && mutable.presenceUserType == .homeUsers)
        #expect(own.presenceEventType == .everyExit && own.presenceUserType == .currentUser)
        #expect((mutable.copy() as? HMPresenceEvent)?.presenceEventType == .everyEntry)
        let fresh = HMMutablePresenceEvent(presenceEventType: .lastExit, presenceUserType: .homeUsers)
        #expect(try await store(fresh, "Fresh", app) == .presence(Presence(.lastExit, of: .everyone)))
    }

    @Test func regions() async throws {
        let (app, _, id, _) = try await start()
        let region = CLCircularRegion(
            center: CLLocationCoordinate2D(latitude: 52, longitude: 13),
            radius: 100,
            identifier: "Home"
        )
        region.notifyOnExit = false
        let event = HMLocationEvent(region: region)
        #expect(event.region == region)
        // A later change of the region doesn't change the event.
        region.notifyOnExit = true
        #expect(event.region?.notifyOnExit == false)
        let viewer = try #require(hub.home(id)?.users.first?.id)
        var stored = LocationRegion(
            identifier: "Home",
            latitude: 52,
            longitude: 13,
            radius: 100,
            onEntry: true,
            onExit: false,
            user: viewer
        )
        #expect(try await store(event, "One", app) == .location(stored))
        let new = try #require((try shown(.location(stored), app) as? HMLocationEvent)?.region)
        #expect(new == region && new.notifyOnEntry && !new.notifyOnExit)
        let hidden = HiddenLocation(onEntry: true, onExit: false, user: UUID())
        let other = try #require(try shown(.hiddenLocation(hidden), app) as? HMLocationEvent)
        #expect(other.region == nil)
        #expect(try other.occurrence(in: app.home().homeReference) == .hiddenLocation(hidden))

        let away = CLCircularRegion(center: region.center, radius: 500, identifier: "Away")
        let mutable = try #require(event.mutableCopy() as? HMMutableLocationEvent)
        mutable.region = away
        #expect(mutable.region == away && event.region == region)
        mutable.region = nil
        #expect((mutable.copy() as? HMLocationEvent)?.region == away)
        (stored.identifier, stored.radius, stored.onExit) = ("Away", 500, true)
        #expect(try await store(HMMutableLocationEvent(region: away), "Two", app) == .location(stored))

        async let moved: Void = event.updateRegion(away)
        try await app.grant(HubMethods.editTrigger)
        try await moved
        #expect(event.region == away)
        let first = try #require(try app.home().triggers.first as? HMEventTrigger)
        #expect((first.events.first as? HMLocationEvent)?.region == away)
    }
}
