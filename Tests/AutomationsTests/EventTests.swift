import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

/// Triggers that fire on values, people and places.
@Suite struct EventTests {
    private let lamp = characteristic(.Characteristic.on)
    private let temperature = characteristic(.Characteristic.currentTemperature)
    private let button = characteristic(.Characteristic.programmableSwitchEvent)

    // MARK: - Characteristics

    @Test func valueFiresOnItsChangeOnly() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let on = test.add(on: .characteristic(lamp, .bool(true)))
        let any = test.add(on: .characteristic(lamp, nil))
        // A first value is no change.
        #expect(test.set(lamp, .bool(false)) == [])
        #expect(test.set(lamp, .bool(true)).map(\.trigger) == [on, any])
        #expect(test.set(lamp, .bool(true)) == [])
        // Some accessories send numbers.
        #expect(test.set(lamp, .integer(1)) == [])
        #expect(test.set(lamp, .integer(0)).map(\.trigger) == [any])
        #expect(test.set(lamp, .integer(1)).map(\.trigger) == [on, any])
        #expect(test.set(lamp, nil) == [])
        #expect(test.set(lamp, .bool(true)) == [])
    }

    @Test func rangeFiresWhenItIsEnteredOnly() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let warm = test.add(on: .threshold(temperature, ThresholdRange(minimum: 25, maximum: nil)))
        let mild = test.add(on: .threshold(temperature, ThresholdRange(minimum: 18, maximum: 25)))
        _ = test.add(on: .threshold(temperature, ThresholdRange(minimum: nil, maximum: nil)))
        #expect(test.set(temperature, .double(26)) == [])
        #expect(test.set(temperature, .double(27)) == [])
        #expect(test.set(temperature, .double(24.9)).map(\.trigger) == [mild])
        #expect(test.set(temperature, .double(25)).map(\.trigger) == [warm])
        #expect(test.set(temperature, .double(25.1)) == [])
        #expect(test.set(temperature, .double(24)).map(\.trigger) == [mild])
        #expect(test.set(temperature, .double(17)) == [])
        #expect(test.set(temperature, .integer(18)).map(\.trigger) == [mild])
        #expect(test.set(temperature, .string("hot")) == [])
        #expect(test.set(temperature, .double(.nan)) == [])
    }

    @Test func momentaryCharacteristicFiresAtEachEvent() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let single = test.add(on: .characteristic(button, .integer(0)))
        #expect(test.set(button, .integer(0)).map(\.trigger) == [single])
        #expect(test.set(button, .integer(0)).map(\.trigger) == [single])
        #expect(test.set(button, .integer(1)) == [])
    }

    @Test func valueThatNobodyWatchesIsNoEvent() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .characteristic(lamp, nil))
        #expect(test.engine.watches(accessory: lamp.accessory))
        #expect(!test.engine.watches(accessory: temperature.accessory))
        test.values[lamp] = .bool(false)
        let source = EventSource(id: UUID())
        let elsewhere = test.engine.characteristicChanged(
            lamp,
            in: UUID(),
            from: .bool(false),
            to: .bool(true),
            source: source,
            at: test.now,
            known: .nothing
        )
        #expect(elsewhere.decisions == [] && elsewhere.held == [])
        try test.edit(trigger) { $0.isEnabled = false }
        #expect(!test.engine.watches(accessory: lamp.accessory))
        #expect(test.set(lamp, .bool(true)) == [])
    }

    @Test func conditionSeesTheNewValue() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let isOn = Condition.characteristic(lamp, .equal, .bool(true))
        _ = test.add(on: .characteristic(lamp, nil), if: isOn)
        let source = EventSource(id: UUID(), parent: UUID())
        let decisions = test.engine.characteristicChanged(
            lamp,
            in: test.home.id,
            from: .bool(false),
            to: .bool(true),
            source: source,
            at: test.now,
            known: .nothing
        ).decisions
        #expect(decisions.map(\.outcome) == [.fire])
        #expect(decisions.map(\.parent) == [source.parent])
        #expect(decisions.map(\.observations) == [[Observation(isOn, isTrue: true, value: .bool(true))]])
    }

    @Test func conditionThatTriggersShareIsEvaluatedOnce() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let isOn = Condition.characteristic(lamp, .equal, .bool(true))
        let triggers = (1...3).map { _ in test.add(on: .characteristic(temperature, nil), if: isOn) }
        let range = test.add(on: .threshold(temperature, ThresholdRange(minimum: 20, maximum: 30)), if: isOn)
        let other = test.add(on: .characteristic(temperature, nil), if: .not(isOn))
        // On a Sunday.
        let monday = test.add(on: .characteristic(temperature, nil), if: isOn, weekdays: [2])
        test.values[lamp] = .bool(false)
        test.values[temperature] = .double(10)

        let decisions = test.set(temperature, .double(21))
        #expect(test.held.map { Set($0.members.map(\.trigger)) }.contains(Set(triggers)))
        #expect(Set(test.held.flatMap(\.members).map(\.trigger)) == Set(triggers + [range]))
        #expect(test.held.allSatisfy { $0.observations == [Observation(isOn, isTrue: false, value: .bool(false))] })
        #expect(decisions.filter { $0.outcome == .fire }.map(\.trigger) == [other])
        #expect(decisions.filter { $0.outcome == .held(.wrongWeekday) }.map(\.trigger) == [monday])

        // What is edited or removed leaves the list, and the others fire in their order once the condition is true.
        try test.edit(triggers[0]) { $0.isEnabled = false }
        test.values[lamp] = .bool(true)
        #expect(
            test.set(temperature, .double(22)).filter { $0.outcome == .fire }.map(\.trigger) == Array(triggers[1...])
        )
        #expect(test.held.map { $0.members.map(\.trigger) } == [[other]])
    }

    @Test func triggerThatWaitsTwiceForAValueIsHeldOnce() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let events = [
            TriggerEvent(id: UUID(), occurrence: .characteristic(temperature, nil)),
            TriggerEvent(id: UUID(), occurrence: .characteristic(temperature, .double(21))),
        ]
        let condition = Condition.characteristic(lamp, .equal, .bool(true))
        let trigger = test.add(.event(EventRule(events: events, condition: condition)))
        test.values[temperature] = .double(10)
        #expect(test.set(temperature, .double(21)).map(\.trigger) == [trigger])
    }

    @Test func oneChangeFiresATriggerOnce() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let events = [
            TriggerEvent(id: UUID(), occurrence: .characteristic(temperature, nil)),
            TriggerEvent(id: UUID(), occurrence: .characteristic(temperature, .integer(25))),
            TriggerEvent(id: UUID(), occurrence: .threshold(temperature, ThresholdRange(minimum: 25, maximum: nil))),
        ]
        _ = test.add(.event(EventRule(events: events)))
        test.values[temperature] = .double(20)
        #expect(test.set(temperature, .double(25)).map(\.event) == [events[0]])
    }

    // MARK: - Presence

    @Test func arrivalsAndDeparturesFireForTheirPeople() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        func presence(_ kind: Presence.Kind, _ people: Presence.People = .everyone) -> TriggerEvent.Occurrence {
            .presence(Presence(kind, of: people))
        }
        let every = test.add(on: presence(.everyEntry))
        let everyExit = test.add(on: presence(.everyExit))
        let first = test.add(on: presence(.firstEntry))
        let last = test.add(on: presence(.lastExit))
        let bens = test.add(on: presence(.firstEntry, .users([test.ben])))
        _ = test.add(on: presence(Presence.Kind(rawValue: "orbit")))
        // A first report of an absence is no departure; Ben's whereabouts don't count until they are known.
        #expect(test.report(test.ann, isHome: false) == [])
        #expect(test.report(test.ann, isHome: true).map(\.trigger) == [every, first])
        #expect(test.report(test.ann, isHome: true) == [])
        #expect(test.report(test.ann, isHome: false).map(\.trigger) == [everyExit, last])
        #expect(test.report(test.ann, isHome: true).map(\.trigger) == [every, first])
        #expect(test.report(test.ben, isHome: true).map(\.trigger) == [every, bens])
        #expect(test.report(test.ann, isHome: false).map(\.trigger) == [everyExit])
        #expect(test.report(test.ben, isHome: false).map(\.trigger) == [everyExit, last])
    }

    // MARK: - Locations

    private func north(_ meters: Double) -> Place {
        Place(latitude: berlin.latitude + meters / 111_195, longitude: berlin.longitude)
    }

    private func region(radius: Double, of user: UUID, onEntry: Bool = true, onExit: Bool = true) -> LocationRegion {
        LocationRegion(
            identifier: "work",
            latitude: berlin.latitude,
            longitude: berlin.longitude,
            radius: radius,
            onEntry: onEntry,
            onExit: onExit,
            user: user
        )
    }

    @Test func regionIsEnteredWithinItsRadiusAndLeftBeyondItsMargin() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let trigger = test.add(on: .location(region(radius: 500, of: test.ann)))
        #expect(test.locate(test.ann, north(1_000)) == [])
        #expect(test.locate(test.ann, north(501)) == [])
        #expect(test.locate(test.ann, north(499)).map(\.trigger) == [trigger])
        // A tenth of the radius around the edge.
        for meters in [501, 549, 499, 549.0] { #expect(test.locate(test.ann, north(meters)) == [], "\(meters)") }
        #expect(test.locate(test.ann, north(551)).map(\.trigger) == [trigger])
        #expect(test.locate(test.ann, north(501)) == [])
        #expect(test.locate(test.ben, north(0)) == [])
        #expect(test.locate(test.ann, Place(latitude: .nan, longitude: 0)) == [])
    }

    @Test func regionFiresInTheDirectionsThatItAsksFor() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        let entry = test.add(on: .location(region(radius: 500, of: test.ann, onExit: false)))
        let exit = test.add(on: .location(region(radius: 500, of: test.ann, onEntry: false)))
        // A first location in the region enters it.
        #expect(test.locate(test.ann, north(0)).map(\.trigger) == [entry])
        #expect(test.locate(test.ann, north(1_000)).map(\.trigger) == [exit])
        #expect(test.locate(test.ann, north(2_000)) == [])
    }

    @Test func lastLocationCountsAfterARestart() throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        test.places[test.ann] = north(0)
        _ = test.add(on: .location(region(radius: 500, of: test.ann)))
        #expect(test.locate(test.ann, north(10)) == [])
        #expect(test.locate(test.ann, north(2_000)).count == 1)
    }

    @Test(arguments: [(10.0, 20.0), (200, 20), (1_000, 100), (2_000, 200), (50_000, 200)])
    func marginIsATenthOfTheRadiusWithinItsLimits(radius: Double, margin: Double) throws {
        var test = try TestHome(at: date("2026-11-22 12:00"))
        _ = test.add(on: .location(region(radius: radius, of: test.ann)))
        #expect(test.locate(test.ann, north(0)).count == 1)
        #expect(test.locate(test.ann, north(radius + margin - 1)) == [])
        #expect(test.locate(test.ann, north(radius + margin + 1)).count == 1)
    }

    @Test func distancesAreThoseOfTheGreatCircle() {
        let paris = Place(latitude: 48.8566, longitude: 2.3522)
        #expect(abs(berlin.distance(to: paris) - 877_500) < 1_000)
        #expect(berlin.distance(to: berlin) == 0)
        let east = Place(latitude: 0, longitude: 179.9)
        let west = Place(latitude: 0, longitude: -179.9)
        #expect(abs(east.distance(to: west) - 22_239) < 1)
        let poles = (Place(latitude: 90, longitude: 0), Place(latitude: -90, longitude: 100))
        #expect(abs(poles.0.distance(to: poles.1) - 20_015_115) < 10)
    }
}
