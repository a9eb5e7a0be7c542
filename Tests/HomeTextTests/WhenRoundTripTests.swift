import Foundation
import HAPCatalog
import HomeModel
import HomeText
import Testing

/// Random definitions of the kinds that people can write.
private struct RandomDefinitions {
    var random: SeededGenerator
    let home: TextHome
    private var events = 0

    init(seed: UInt64, _ home: TextHome) {
        random = SeededGenerator(seed: seed)
        self.home = home
    }

    mutating func next() -> TriggerDefinition {
        events = 0
        if number(0...3) == 0 { return .timer(timer()) }
        let events = (0..<number(1...3)).map { _ in event(occurrence()) }
        let weekdays = flip() ? [] : (1...7).filter { _ in flip() }
        return .event(
            EventRule(
                events: events,
                endEvents: (0..<number(0...2)).map { _ in
                    event(flip() ? .duration(seconds: number(1...86_400)) : occurrence())
                },
                condition: flip() ? condition(3) : nil,
                weekdays: weekdays.count == 7 ? [] : weekdays,
                executesOnce: flip()
            )
        )
    }

    private mutating func event(_ occurrence: TriggerEvent.Occurrence) -> TriggerEvent {
        events += 1
        return TriggerEvent(id: TextHome.id(events), occurrence: occurrence)
    }

    private mutating func timer() -> TimerSchedule {
        let zone = pick([nil, "Europe/Berlin", "America/New_York"])
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone.flatMap { TimeZone(identifier: $0) } ?? TextHome.utc
        // No hour that is skipped or repeated anywhere.
        let parts = DateComponents(
            year: number(1_971...2_200),
            month: number(1...12),
            day: number(1...28),
            hour: number(4...22),
            minute: number(0...59)
        )
        let recurrence = RecurrenceInterval(
            weeks: number(0...4),
            days: number(0...6),
            hours: number(0...23),
            minutes: number(5...59)
        )
        return TimerSchedule(
            fireDate: calendar.date(from: parts) ?? .distantPast,
            timeZone: zone,
            recurrence: flip()
                ? pick([
                    recurrence, RecurrenceInterval(hours: 1), RecurrenceInterval(days: 1), RecurrenceInterval(weeks: 1),
                ]) : nil
        )
    }

    private mutating func occurrence() -> TriggerEvent.Occurrence {
        switch number(0...5) {
        case 0: return .sun(sun())
        case 1:
            let time = CalendarMoment(hour: number(0...23), minute: number(0...59))
            var yearly = time
            // A date that never comes isn't read.
            (yearly.month, yearly.day) = (number(1...12), number(1...28))
            var monthly = time
            monthly.day = number(1...31)
            return .calendar(pick([time, yearly, monthly, CalendarMoment(minute: number(0...59))]))
        case 2:
            let presence = pick([
                Presence(.everyEntry, of: .everyone), Presence(.everyExit, of: .everyone),
                Presence(.firstEntry, of: .everyone), Presence(.lastExit, of: .everyone),
                Presence(.everyEntry, of: .users([home.ann])), Presence(.everyExit, of: .users([home.ben, home.cem])),
                Presence(.firstEntry, of: .users([home.maryAnn, home.ann, home.ben])),
                Presence(.lastExit, of: .users([home.cem, home.ann])),
            ])
            return .presence(presence)
        case 3:
            let bounds = [number(-40...100), number(-40...100)].map(Double.init).sorted().map { $0 / 2 }
            let range = pick([
                ThresholdRange(minimum: bounds[0], maximum: bounds[1]),
                ThresholdRange(minimum: bounds[0], maximum: nil),
                ThresholdRange(minimum: nil, maximum: bounds[1]),
            ])
            return .threshold(pick(characteristics.filter { $0.1.metadata.format == .float }).0, range)
        default:
            let (identity, shape) = pick(characteristics)
            return .characteristic(identity, number(0...4) == 0 ? nil : value(of: shape))
        }
    }

    private mutating func condition(_ depth: Int) -> Condition {
        switch number(0...(depth > 0 ? 8 : 5)) {
        case 0: return .sun(pick([.before, .after]), sun())
        case 1: return .betweenSun(sun(), sun())
        case 2:
            let time = CalendarMoment(hour: number(0...23), minute: number(0...59))
            let other = CalendarMoment(hour: number(0...23), minute: number(0...59))
            return pick([
                .calendar(.before, time), .calendar(.after, time), .betweenCalendar(time, other),
                .calendar(.on, CalendarMoment(weekday: number(1...7))),
            ])
        case 3:
            let people = pick([
                Presence.People.everyone, .users([home.ann]), .users([home.ben, home.maryAnn]),
                .users([home.ann, home.ben, home.cem]),
            ])
            return .presence(Presence(pick([.firstEntry, .lastExit]), of: people))
        case 4:
            let (identity, shape) = pick(characteristics.filter { $0.1.metadata.format == .float })
            return .characteristic(identity, pick(Condition.Comparison.allCases), value(of: shape))
        case 5:
            let (identity, shape) = pick(characteristics)
            return .characteristic(identity, pick([.equal, .notEqual]), value(of: shape))
        case 6: return .not(condition(depth - 1))
        case 7: return .all((0..<number(2...3)).map { _ in condition(depth - 1) })
        default: return .any((0..<number(2...3)).map { _ in condition(depth - 1) })
        }
    }

    private mutating func sun() -> SunMoment {
        SunMoment(pick([.sunrise, .sunset]), offset: pick([0, number(-720...720)]))
    }

    private mutating func value(of shape: CharacteristicShape) -> CharacteristicValue {
        if let values = CharacteristicDefinition.of(shape.type)?.namedValues, !values.isEmpty {
            return .integer(pick(values).value)
        }
        switch shape.metadata.format {
        case .bool: return .bool(flip())
        case .string: return .string(pick(["Home Cinema", "a, b (c) or d", "{name}", "5"]))
        case .float: return .double(Double(number(0...200)) / 2)
        default: return .integer(Int64(number(0...100)))
        }
    }

    private var characteristics: [(CharacteristicIdentity, CharacteristicShape)] {
        home.home.accessories.flatMap(home.characteristics)
    }

    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func flip() -> Bool { Bool.random(using: &random) }
    private mutating func pick<Item>(_ items: [Item]) -> Item { items[number(0...items.count - 1)] }
}

struct WhenRoundTripTests {
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func descriptionOfADefinitionIsReadAsTheSameDefinition(seed: UInt64) {
        let home = TextHome.shared
        let vocabulary = home.vocabulary
        let sentence = home.sentence
        var definitions = RandomDefinitions(seed: seed, home)
        for _ in 0..<500 {
            let definition = definitions.next()
            let text = sentence.when(definition)
            var count = 0
            do throws(WhenError) {
                let read = try WhenParser.definition(
                    of: text,
                    in: vocabulary,
                    now: TextHome.now,
                    timeZone: TextHome.utc
                ) {
                    count += 1
                    return TextHome.id(count)
                }
                #expect(read == definition, "\(text)")
            } catch {
                Issue.record("\(text): \(error.reason)")
            }
        }
    }
}
