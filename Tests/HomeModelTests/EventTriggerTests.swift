import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct EventTriggerTests {
    private var test = TestHome()
    private let gadget: UUID

    init() throws {
        gadget = try test.addGadget("Gadget")
    }

    private func refusal(_ occurrence: TriggerEvent.Occurrence) -> HomeError.Code? {
        refusal(of: EventRule(events: [TriggerEvent(occurrence)]))
    }

    private func refusal(of condition: Condition) -> HomeError.Code? {
        let event = TriggerEvent(.sun(SunMoment(.sunset)))
        return refusal(of: EventRule(events: [event], condition: condition))
    }

    private func refusal(of rule: EventRule) -> HomeError.Code? {
        test.refusal(of: AddTrigger(id: UUID(), name: "Another", .event(rule)))
    }

    // MARK: Events

    @Test func anEventTriggerWaitsForAtLeastOneEvent() throws {
        #expect(refusal(of: EventRule(events: [])) == .noEvents)
        #expect(refusal(of: EventRule(events: [], endEvents: [TriggerEvent(.duration(seconds: 60))])) == .noEvents)
    }

    @Test func aCharacteristicThatTellsOfItsChangesIsAwaited() throws {
        let power = test.power(of: gadget)
        #expect(refusal(.characteristic(power, nil)) == nil)
        #expect(refusal(.characteristic(power, .integer(1))) == nil)
        #expect(refusal(.characteristic(power, .string("on"))) == .invalidValueType)
        #expect(refusal(.characteristic(test.brightness(of: gadget), .integer(1))) == .notNotifying)
        #expect(refusal(.characteristic(test.temperature(of: gadget), .double(61))) == .valueAboveMaximum)
        var unknown = power
        unknown.characteristic = UUID()
        #expect(refusal(.characteristic(unknown, nil)) == .notFound)
    }

    @Test mutating func aValueThatIsAwaitedIsKeptInItsCharacteristicsForm() throws {
        let event = TriggerEvent(.characteristic(test.power(of: gadget), .integer(1)))
        let id = try test.addTrigger("New", .event(EventRule(events: [event])))
        #expect(test.rule(of: id).events.map(\.occurrence) == [.characteristic(test.power(of: gadget), .bool(true))])
        #expect(test.rule(of: id).events.map(\.id) == [event.id])
    }

    @Test(
        arguments: [
            (ThresholdRange(minimum: 20, maximum: nil), nil), (ThresholdRange(minimum: nil, maximum: 5), nil),
            (ThresholdRange(minimum: 5, maximum: 5), nil),
            (ThresholdRange(minimum: 6, maximum: 5), HomeError.Code.invalidParameter),
            (ThresholdRange(minimum: nil, maximum: nil), .invalidParameter),
            (ThresholdRange(minimum: .nan, maximum: nil), .invalidParameter),
            (ThresholdRange(minimum: nil, maximum: .infinity), .invalidParameter),
        ] as [(ThresholdRange, HomeError.Code?)]
    )
    func aNumberIsAwaitedInARange(_ range: ThresholdRange, _ code: HomeError.Code?) {
        #expect(refusal(.threshold(test.temperature(of: gadget), range)) == code)
    }

    @Test func onlyANumberThatTellsOfItsChangesComesIntoARange() {
        let range = ThresholdRange(minimum: 1, maximum: 2)
        #expect(refusal(.threshold(test.power(of: gadget), range)) == .invalidValueType)
        #expect(refusal(.threshold(test.brightness(of: gadget), range)) == .notNotifying)
    }

    @Test func theSunIsAwaitedWithinHalfADayOfItsRisingAndSetting() {
        let most = HomeLimits.sunOffset
        for offset in [0, -most, most] {
            #expect(refusal(.sun(SunMoment(.sunrise, offset: offset))) == nil)
            #expect(refusal(.sun(SunMoment(.sunset, offset: offset))) == nil)
        }
        for offset in [-most - 1, most + 1, .min, .max] {
            #expect(refusal(.sun(SunMoment(.sunset, offset: offset))) == .invalidParameter)
        }
        #expect(refusal(.sun(SunMoment(.init(rawValue: "noon")))) == .invalidParameter)
    }

    @Test mutating func aTimeIsAwaitedWithoutRegardToYearAndWeekday() throws {
        let moment = CalendarMoment(year: 2030, month: 12, day: 24, weekday: 3, hour: 18, minute: 30)
        let id = try test.addTrigger("New", .event(EventRule(events: [TriggerEvent(.calendar(moment))])))
        let stored = CalendarMoment(month: 12, day: 24, hour: 18, minute: 30)
        #expect(test.rule(of: id).events.map(\.occurrence) == [.calendar(stored)])
        for unsatisfiable in [
            CalendarMoment(), CalendarMoment(year: 2030), CalendarMoment(hour: 24), CalendarMoment(minute: 60),
            CalendarMoment(month: 13), CalendarMoment(day: 32), CalendarMoment(hour: -1),
        ] {
            #expect(refusal(.calendar(unsatisfiable)) == .invalidParameter)
        }
    }

    @Test mutating func aTimeKeepsItsSecondItsTimeZoneAndItsCalendar() throws {
        let moment = CalendarMoment(hour: 18, second: 30, timeZone: "Asia/Tokyo", calendar: "hebrew")
        let rule = EventRule(
            events: [TriggerEvent(.calendar(moment))],
            condition: .calendar(.before, CalendarMoment(month: 13, timeZone: "Europe/Berlin", calendar: "coptic"))
        )
        let id = try test.addTrigger("New", .event(rule))
        #expect(test.rule(of: id) == rule)
        for unsatisfiable in [
            CalendarMoment(hour: 18, second: 60), CalendarMoment(hour: 18, timeZone: "Mars/Olympus"),
            CalendarMoment(hour: 18, calendar: "julian"), CalendarMoment(timeZone: "Asia/Tokyo"),
            CalendarMoment(calendar: "hebrew"), CalendarMoment(month: 13, calendar: "gregorian"),
        ] {
            #expect(refusal(.calendar(unsatisfiable)) == .invalidParameter)
            #expect(refusal(of: .calendar(.after, unsatisfiable)) == .invalidParameter)
        }
    }

    @Test mutating func peopleAreAwaited() throws {
        for kind in [Presence.Kind.everyEntry, .everyExit, .firstEntry, .lastExit] {
            #expect(refusal(.presence(Presence(kind, of: .everyone))) == nil)
            #expect(refusal(.presence(Presence(kind, of: .users([test.guest.user, test.owner.user])))) == nil)
        }
        #expect(refusal(.presence(Presence(.init(rawValue: "dance"), of: .everyone))) == .invalidParameter)
        #expect(refusal(.presence(Presence(.everyExit, of: .users([])))) == .invalidParameter)
        #expect(refusal(.presence(Presence(.everyExit, of: .users([UUID()])))) == .notFound)
        let twice = [test.guest.user, test.guest.user]
        #expect(refusal(.presence(Presence(.everyExit, of: .users(twice)))) == .invalidParameter)
        let event = TriggerEvent(.presence(Presence(.everyEntry, of: .caller)))
        let id = try test.addTrigger("New", .event(EventRule(events: [event])))
        let stored = Presence(.everyEntry, of: .users([test.owner.user]))
        #expect(test.rule(of: id).events.map(\.occurrence) == [.presence(stored)])
    }

    @Test mutating func aRegionIsAwaitedOfWhoeverAsks() throws {
        func region(
            _ latitude: Double = 48,
            _ longitude: Double = 11,
            _ radius: Double = 100,
            onEntry: Bool = true,
            identifier: String = "work"
        ) -> LocationRegion {
            LocationRegion(
                identifier: identifier,
                latitude: latitude,
                longitude: longitude,
                radius: radius,
                onEntry: onEntry,
                onExit: false
            )
        }
        for unsatisfiable in [
            region(91), region(-91), region(.nan), region(0, 181), region(0, -181), region(0, 0, 0),
            region(0, 0, .infinity), region(0, 0, Double(HomeLimits.regionRadius) + 1), region(onEntry: false),
        ] {
            #expect(refusal(.location(unsatisfiable)) == .invalidParameter)
        }
        #expect(refusal(.location(region(90, -180, Double(HomeLimits.regionRadius)))) == nil)
        let long = region(identifier: String(repeating: "x", count: 500_000))
        let id = try test.addTrigger("New", .event(EventRule(events: [TriggerEvent(.location(long))])))
        guard case .location(let stored)? = test.rule(of: id).events.first?.occurrence else {
            Issue.record("There is no region")
            return
        }
        #expect(stored.user == test.owner.user)
        #expect(stored.identifier.count == HomeLimits.reportedTextLength)
    }

    @Test func aDurationEndsATriggerAndFiresNone() {
        #expect(self.refusal(.duration(seconds: 60)) == .invalidParameter)
        func refusal(_ seconds: Int) -> HomeError.Code? {
            let end = TriggerEvent(.duration(seconds: seconds))
            return self.refusal(of: EventRule(events: [TriggerEvent(.sun(SunMoment(.sunset)))], endEvents: [end]))
        }
        #expect(refusal(1) == nil)
        #expect(refusal(HomeLimits.duration) == nil)
        #expect(refusal(0) == .invalidParameter)
        #expect(refusal(HomeLimits.duration + 1) == .invalidParameter)
    }

    @Test func eventsOfATriggerHaveIdentitiesOfTheirOwn() {
        let event = TriggerEvent(.sun(SunMoment(.sunset)))
        #expect(refusal(of: EventRule(events: [event, event])) == .invalidParameter)
    }

    @Test func anEventOfANewerVersionIsNotTakenFromAnApp() {
        #expect(refusal(.unknown(.object(["id": .string(UUID().uuidString)]))) == .invalidParameter)
    }

    @Test func aTriggerHasItsLimitOfEventsAndNotOneMore() {
        func events(_ count: Int) -> [TriggerEvent] {
            (0..<count).map { _ in TriggerEvent(.sun(SunMoment(.sunset))) }
        }
        let most = HomeLimits.eventsPerTrigger
        #expect(refusal(of: EventRule(events: events(most), endEvents: events(most))) == nil)
        #expect(refusal(of: EventRule(events: events(most + 1))) == .limitExceeded)
        #expect(refusal(of: EventRule(events: events(1), endEvents: events(most + 1))) == .limitExceeded)
    }

    @Test mutating func anEventNamesItsLimitOfPeopleAndNotOneMore() throws {
        var people = [test.owner.user, test.guest.user, test.administrator.user]
        while people.count < HomeLimits.peoplePerPresence {
            people.append(UUID())
            try test.ask(AddUser(id: people[people.count - 1], name: "Person \(people.count)", role: .guest))
        }
        #expect(refusal(.presence(Presence(.everyExit, of: .users(people)))) == nil)
        #expect(refusal(.presence(Presence(.everyExit, of: .users(people + [UUID()])))) == .limitExceeded)
    }

    // MARK: Conditions

    @Test func aValueIsComparedInAConditionIfItCanBeRead() {
        let (power, temperature) = (test.power(of: gadget), test.temperature(of: gadget))
        for comparison in Condition.Comparison.allCases {
            #expect(refusal(of: .characteristic(temperature, comparison, .integer(20))) == nil)
            let isEquality = comparison == .equal || comparison == .notEqual
            let code: HomeError.Code? = isEquality ? nil : .invalidValueType
            #expect(refusal(of: .characteristic(power, comparison, .bool(true))) == code)
        }
        #expect(refusal(of: .characteristic(temperature, .less, .string("warm"))) == .invalidValueType)
        #expect(refusal(of: .characteristic(temperature, .less, .double(.infinity))) == .invalidValue)
        #expect(refusal(of: .characteristic(test.brightness(of: gadget), .less, .integer(1))) == .notReadable)
        var unknown = power
        unknown.accessory = UUID()
        #expect(refusal(of: .characteristic(unknown, .equal, .bool(true))) == .notFound)
    }

    @Test func timesOfDayAndTheSunAreConditions() {
        let evening = CalendarMoment(hour: 18)
        let sunset = SunMoment(.sunset, offset: -30)
        for side in Condition.Side.allCases { #expect(refusal(of: .calendar(side, evening)) == nil) }
        #expect(refusal(of: .betweenCalendar(evening, CalendarMoment(weekday: 7, hour: 23))) == nil)
        #expect(refusal(of: .betweenCalendar(evening, CalendarMoment())) == .invalidParameter)
        #expect(refusal(of: .calendar(.on, CalendarMoment())) == .invalidParameter)
        #expect(refusal(of: .sun(.before, sunset)) == nil)
        #expect(refusal(of: .sun(.after, sunset)) == nil)
        #expect(refusal(of: .sun(.on, sunset)) == .invalidParameter)
        #expect(refusal(of: .betweenSun(SunMoment(.sunrise), sunset)) == nil)
        #expect(refusal(of: .betweenSun(SunMoment(.sunrise, offset: 9_999), sunset)) == .invalidParameter)
    }

    @Test mutating func aConditionTellsWhetherPeopleAreAtHomeAndNotThatTheyCome() throws {
        for kind in [Presence.Kind.firstEntry, .lastExit] {
            #expect(refusal(of: .presence(Presence(kind, of: .everyone))) == nil)
        }
        for kind in [Presence.Kind.everyEntry, .everyExit] {
            #expect(refusal(of: .presence(Presence(kind, of: .everyone))) == .invalidParameter)
        }
        let rule = EventRule(
            events: [TriggerEvent(.sun(SunMoment(.sunset)))],
            condition: .not(.presence(Presence(.lastExit, of: .caller)))
        )
        let id = try test.addTrigger("New", .event(rule))
        #expect(test.rule(of: id).condition == .not(.presence(Presence(.lastExit, of: .users([test.owner.user])))))
    }

    @Test func conditionsAreJoined() {
        let evening = Condition.calendar(.after, CalendarMoment(hour: 18))
        #expect(refusal(of: .all([evening, .any([evening, .not(evening)])])) == nil)
        #expect(refusal(of: .all([])) == .invalidParameter)
        #expect(refusal(of: .any([])) == .invalidParameter)
        #expect(refusal(of: .any([evening, .any([])])) == .invalidParameter)
        #expect(refusal(of: .unknown(.object([:]))) == .invalidParameter)
        #expect(refusal(of: .any([evening, .unknown(.null)])) == .invalidParameter)
    }

    @Test func aConditionHasItsLimitOfTermsAndNotOneMore() {
        let evening = Condition.calendar(.after, CalendarMoment(hour: 18))
        let most = Array(repeating: evening, count: HomeLimits.termsPerCondition - 1)
        #expect(refusal(of: .all(most)) == nil)
        #expect(refusal(of: .all(most + [evening])) == .limitExceeded)
        let deep = (1..<HomeLimits.termsPerCondition).reduce(evening) { condition, _ in .not(condition) }
        #expect(refusal(of: deep) == nil)
        #expect(refusal(of: .not(deep)) == .limitExceeded)
    }

    @Test mutating func aTriggerFiresOnSomeDaysOfTheWeek() throws {
        let event = TriggerEvent(.sun(SunMoment(.sunset)))
        let id = try test.addTrigger("New", .event(EventRule(events: [event], weekdays: [7, 1, 1])))
        #expect(test.rule(of: id).weekdays == [1, 7])
        for days in [[0], [8], [1, -1]] {
            #expect(test.refusal(of: EditTrigger(id, .weekdays(days))) == .invalidParameter)
        }
    }

    // MARK: Editing

    @Test mutating func everythingOfAnEventTriggerIsChangedByItself() throws {
        let id = try test.addTrigger("New", test.switching(gadget))
        let event = TriggerEvent(.sun(SunMoment(.sunrise)))
        let end = TriggerEvent(.duration(seconds: 60))
        let condition = Condition.calendar(.after, CalendarMoment(hour: 18))
        for edit in [
            TriggerEdit.events([event]), .endEvents([end]), .condition(condition), .weekdays([2]), .executesOnce(true),
        ] {
            #expect(try test.ask(EditTrigger(id, edit))?.subjects == [id])
            #expect(try test.ask(EditTrigger(id, edit)) == nil)
        }
        let rule = EventRule(
            events: [event],
            endEvents: [end],
            condition: condition,
            weekdays: [2],
            executesOnce: true
        )
        #expect(test.rule(of: id) == rule)
        try test.ask(EditTrigger(id, .condition(nil)))
        #expect(test.rule(of: id).condition == nil)
        #expect(test.refusal(of: EditTrigger(id, .events([]))) == .noEvents)
        #expect(test.refusal(of: EditTrigger(id, .events([end]))) == .invalidParameter)
        for edit in [TriggerEdit.fireDate(TestHome.time), .timeZone(nil), .recurrence(nil)] {
            #expect(test.refusal(of: EditTrigger(id, edit)) == .invalidParameter)
        }
    }

    @Test mutating func aTriggerOfANewerVersionIsKeptAndNotEnabled() throws {
        let scene = try test.addActionSet("Scene", lightingUp: gadget)
        let definition = TriggerDefinition.unknown(.object(["tide": .integer(1)]))
        let trigger = TriggerRecord(id: UUID(), name: "Tide", actionSets: [scene], definition: definition)
        test.home.apply(Change(verb: .triggerAdded, subjects: [], effects: [.put(.trigger(trigger))]))
        #expect(test.refusal(of: EnableTrigger(trigger.id, true)) == .invalidParameter)
        try test.ask(RenameTrigger(trigger.id, name: "Flood"))
        #expect(test.trigger(trigger.id)?.definition == definition)
    }
}
