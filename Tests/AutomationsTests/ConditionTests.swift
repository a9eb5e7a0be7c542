import Automations
import Foundation
import HAPCatalog
import HomeModel
import Testing

@Suite struct ConditionTests {
    private let lamp = characteristic(.Characteristic.on)
    private let temperature = characteristic(.Characteristic.currentTemperature)
    private let ann = UUID()
    private let ben = UUID()

    private func evaluate(
        _ condition: Condition,
        at time: String = "2026-11-22 12:00",
        place: Place? = berlin,
        values: [CharacteristicIdentity: CharacteristicValue] = [:],
        presence: [UUID: Bool] = [:]
    ) throws -> Condition.Result {
        let circumstances = Circumstances(
            now: try date(time),
            timeZone: try #require(TimeZone(identifier: "Europe/Berlin")),
            place: place,
            users: [ann, ben],
            value: { values[$0] },
            isHome: { presence[$0] }
        )
        return condition.evaluate(in: circumstances)
    }

    private func isTrue(_ condition: Condition, at time: String, place: Place? = berlin) throws -> Bool {
        try evaluate(condition, at: time, place: place).isTrue
    }

    @Test func valuesAreCompared() throws {
        let cases: [(CharacteristicValue, Condition.Comparison, CharacteristicValue, Bool)] = [
            (.double(21.5), .greater, .integer(21), true), (.double(21.5), .less, .integer(21), false),
            (.integer(21), .lessOrEqual, .double(21), true), (.integer(21), .greaterOrEqual, .double(21), true),
            (.integer(21), .equal, .double(21), true), (.integer(21), .notEqual, .double(21), false),
            (.bool(true), .equal, .integer(1), true), (.bool(false), .notEqual, .integer(1), true),
            (.string("a"), .equal, .string("a"), true), (.string("a"), .notEqual, .string("b"), true),
            (.unsigned(.max), .greater, .integer(.max), true), (.double(.nan), .less, .integer(1), false),
            (.double(.nan), .greaterOrEqual, .integer(1), false),
            // A text and a number can't be compared.
            (.string("1"), .equal, .integer(1), false), (.string("1"), .notEqual, .integer(1), false),
            (.string("a"), .less, .string("b"), false),
        ]
        for (value, comparison, expected, isTrue) in cases {
            let result = try evaluate(.characteristic(temperature, comparison, expected), values: [temperature: value])
            #expect(result.isTrue == isTrue, "\(value) \(comparison) \(expected)")
            #expect(result.observations.map(\.value?.description) == [value.description])
        }
    }

    @Test func termThatIsNotKnownIsNotTrueAndNeitherIsItsOpposite() throws {
        let unknown: [Condition] = [
            .characteristic(lamp, .equal, .bool(true)), .characteristic(lamp, .notEqual, .bool(true)),
            .unknown(.object(["moon": .string("full")])), .presence(Presence(.firstEntry, of: .everyone)),
            .presence(Presence(Presence.Kind(rawValue: "orbit"), of: .everyone)),
            .sun(.after, SunMoment(SunMoment.Event(rawValue: "noon"))), .sun(.on, SunMoment(.sunset)),
        ]
        for term in unknown {
            for condition in [term, .not(term), .not(.not(term)), .all([term]), .not(.any([term, .all([term])]))] {
                #expect(try !evaluate(condition).isTrue, "\(condition)")
            }
            let known = Condition.calendar(.before, CalendarMoment(hour: 13))
            #expect(try evaluate(.any([term, known])).isTrue)
            #expect(try evaluate(.not(.all([term, .not(known)]))).isTrue)
            #expect(try !evaluate(.all([term, known])).isTrue)
        }
    }

    @Test func eachTermIsObservedOnce() throws {
        let before = Condition.calendar(.before, CalendarMoment(hour: 13))
        let after = Condition.calendar(.after, CalendarMoment(hour: 13))
        let value = Condition.characteristic(lamp, .equal, .bool(true))
        let result = try evaluate(.any([before, .not(.all([after, value]))]), values: [lamp: .bool(false)])
        #expect(result.isTrue)
        #expect(
            result.observations == [
                Observation(before, isTrue: true), Observation(after, isTrue: false),
                Observation(value, isTrue: false, value: .bool(false)),
            ]
        )
    }

    @Test func emptyCombinationsAreAllAndNone() throws {
        #expect(try evaluate(.all([])).isTrue)
        #expect(try !evaluate(.any([])).isTrue)
    }

    @Test func timeOfDayIsBeforeOrFromTheMomentOn() throws {
        let nine = CalendarMoment(hour: 9, minute: 30)
        for (time, side) in [
            ("09:29:59", Condition.Side.before), ("09:30", .after), ("09:31", .after), ("23:59", .after),
        ] {
            for other in [Condition.Side.before, .after] {
                #expect(
                    try isTrue(.calendar(other, nine), at: "2026-11-22 \(time)") == (side == other),
                    "\(time) \(other)"
                )
            }
        }
        #expect(try isTrue(.calendar(.on, nine), at: "2026-11-22 09:30:59"))
        #expect(try !isTrue(.calendar(.on, nine), at: "2026-11-22 09:31"))
        #expect(try isTrue(.calendar(.after, CalendarMoment(hour: 9)), at: "2026-11-22 09:10"))
        #expect(try isTrue(.calendar(.on, CalendarMoment(hour: 9)), at: "2026-11-22 09:10"))
    }

    @Test func dateIsBeforeOnOrAfterTheDay() throws {
        let christmas = CalendarMoment(month: 12, day: 24)
        let times = [
            ("2026-12-23 23:59", Condition.Side.before), ("2026-12-24 00:00", .on), ("2026-12-25 00:00", .after),
        ]
        for (time, side) in times {
            for other in Condition.Side.allCases {
                #expect(try isTrue(.calendar(other, christmas), at: time) == (side == other), "\(time) \(other)")
            }
        }
        let date = CalendarMoment(year: 2027, month: 2, day: 1)
        #expect(try isTrue(.calendar(.before, date), at: "2026-12-24 12:00"))
        #expect(try isTrue(.calendar(.on, CalendarMoment(weekday: 1)), at: "2026-11-22 12:00"))
        #expect(try !isTrue(.calendar(.on, CalendarMoment()), at: "2026-11-22 12:00"))
        #expect(try !isTrue(.calendar(.after, CalendarMoment()), at: "2026-11-22 12:00"))
    }

    @Test func periodIncludesItsBeginningAndSpansMidnight() throws {
        let night = Condition.betweenCalendar(CalendarMoment(hour: 22, minute: 0), CalendarMoment(hour: 6, minute: 30))
        for (time, expected) in [("21:59", false), ("22:00", true), ("00:00", true), ("06:29", true), ("06:30", false)]
        {
            #expect(try isTrue(night, at: "2026-11-22 \(time)") == expected, "\(time)")
        }
        let day = Condition.betweenCalendar(CalendarMoment(hour: 6), CalendarMoment(hour: 22))
        for (time, expected) in [("05:59", false), ("06:00", true), ("21:59", true), ("22:00", false)] {
            #expect(try isTrue(day, at: "2026-11-22 \(time)") == expected, "\(time)")
        }
        let same = Condition.betweenCalendar(CalendarMoment(hour: 9), CalendarMoment(hour: 9, minute: 0))
        #expect(try !isTrue(same, at: "2026-11-22 09:00"))
    }

    @Test func periodOfDaysIncludesItsLastDayAndSpansTheYear() throws {
        let holidays = Condition.betweenCalendar(CalendarMoment(month: 12, day: 20), CalendarMoment(month: 1, day: 6))
        let times = [
            ("2026-12-19 23:59", false), ("2026-12-20 00:00", true), ("2027-01-06 23:59", true),
            ("2027-01-07 00:00", false),
        ]
        for (time, expected) in times { #expect(try isTrue(holidays, at: time) == expected, "\(time)") }
    }

    @Test func momentHasItsOwnTimeZoneSecondsAndCalendar() throws {
        let tokyo = CalendarMoment(hour: 20, timeZone: "Asia/Tokyo")
        #expect(try isTrue(.calendar(.after, tokyo), at: "2026-11-22 12:00"))
        #expect(try !isTrue(.calendar(.after, tokyo), at: "2026-11-22 11:59"))
        let second = CalendarMoment(hour: 12, minute: 0, second: 30)
        #expect(try isTrue(.calendar(.before, second), at: "2026-11-22 12:00:29"))
        #expect(try isTrue(.calendar(.on, second), at: "2026-11-22 12:00:30"))
        #expect(try !isTrue(.calendar(.on, second), at: "2026-11-22 12:00:31"))
        let hebrew = CalendarMoment(month: 1, day: 1, calendar: "hebrew")
        #expect(try isTrue(.calendar(.on, hebrew), at: "2027-10-02 12:00"))
        #expect(try !isTrue(.calendar(.on, hebrew), at: "2027-10-03 12:00"))
        for unknown in [CalendarMoment(hour: 9, calendar: "martian"), CalendarMoment(hour: 9, timeZone: "Nowhere")] {
            for side in Condition.Side.allCases {
                #expect(try !isTrue(.calendar(side, unknown), at: "2026-11-22 12:00"))
                #expect(try !isTrue(.not(.calendar(side, unknown)), at: "2026-11-22 12:00"))
            }
        }
    }

    @Test func sunIsComparedWithTodaysEvent() throws {
        // On this day, the sun rises at 7:40 and sets at 16:04.
        let result = try evaluate(.sun(.after, SunMoment(.sunset)), at: "2026-11-22 16:02")
        #expect(!result.isTrue)
        let sunset = try #require(result.observations.first?.moments.first)
        #expect(abs(sunset.timeIntervalSince(try date("2026-11-22 16:04"))) < 60)
        #expect(try isTrue(.sun(.after, SunMoment(.sunset)), at: "2026-11-22 16:06"))
        #expect(try isTrue(.sun(.after, SunMoment(.sunset, offset: -20)), at: "2026-11-22 15:46"))
        #expect(try isTrue(.sun(.before, SunMoment(.sunrise)), at: "2026-11-22 07:38"))
        #expect(try !isTrue(.sun(.before, SunMoment(.sunrise)), at: "2026-11-22 07:43"))
        #expect(try !isTrue(.sun(.after, SunMoment(.sunset)), at: "2026-11-22 20:00", place: nil))
    }

    @Test func sunsetToSunriseSpansMidnight() throws {
        let night = Condition.betweenSun(SunMoment(.sunset), SunMoment(.sunrise))
        for (time, expected) in [("15:50", false), ("16:10", true), ("00:00", true), ("07:30", true), ("07:50", false)]
        {
            #expect(try isTrue(night, at: "2026-11-22 \(time)") == expected, "\(time)")
            let day = Condition.betweenSun(SunMoment(.sunrise), SunMoment(.sunset))
            #expect(try isTrue(day, at: "2026-11-22 \(time)") == !expected, "\(time)")
        }
        // From 19:00 to 3:00, and until 7:40 on the next morning.
        let evening = Condition.betweenSun(SunMoment(.sunset, offset: 180), SunMoment(.sunset, offset: 660))
        for (time, expected) in [("19:10", true), ("02:50", true), ("03:10", false), ("18:50", false)] {
            #expect(try isTrue(evening, at: "2026-11-22 \(time)") == expected, "\(time)")
        }
    }

    @Test func sunThatDoesNotRiseIsNotKnown() throws {
        let tromsø = Place(latitude: 69.649, longitude: 18.956)
        let terms: [Condition] = [
            .sun(.after, SunMoment(.sunset)), .sun(.before, SunMoment(.sunrise)),
            .betweenSun(SunMoment(.sunset), SunMoment(.sunrise)),
        ]
        for term in terms {
            for condition in [term, .not(term)] {
                let result = try evaluate(condition, at: "2026-12-21 20:00", place: tromsø)
                #expect(!result.isTrue)
                #expect(result.observations.map(\.moments) == [[]])
            }
        }
    }

    @Test func presenceCountsThoseWhoseWhereaboutsAreKnown() throws {
        let someone = Condition.presence(Presence(.firstEntry, of: .everyone))
        let nobody = Condition.presence(Presence(.lastExit, of: .everyone))
        #expect(try evaluate(someone, presence: [ann: true, ben: false]).isTrue)
        #expect(try !evaluate(nobody, presence: [ann: true, ben: false]).isTrue)
        #expect(try evaluate(nobody, presence: [ann: false, ben: false]).isTrue)
        #expect(try evaluate(nobody, presence: [ann: false]).isTrue)
        #expect(try !evaluate(.not(nobody), presence: [:]).isTrue)
        let bens = Condition.presence(Presence(.firstEntry, of: .users([ben])))
        #expect(try !evaluate(bens, presence: [ann: true, ben: false]).isTrue)
        let result = try evaluate(someone, presence: [ann: true, ben: false])
        #expect(result.observations.map(\.present) == [[ann]])
    }
}
