import Automations
import Foundation
import Testing

@Suite struct LocalTimeTests {
    private let berlinZone: TimeZone

    init() throws {
        berlinZone = try #require(TimeZone(identifier: "Europe/Berlin"))
    }

    @Test func daysHaveTheDatesOfTheCalendar() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        for number in stride(from: -135_000, through: 2_900_000, by: 97) {
            let day = LocalDay(number: number)
            let date = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day, .weekday], from: date)
            // Foundation's calendar is Julian before October 15, 1582.
            #expect(parts.weekday == day.weekday)
            #expect(parts.year == day.date.year && parts.month == day.date.month && parts.day == day.date.day)
            #expect(LocalDay(year: day.date.year, month: day.date.month, day: day.date.day) == day)
        }
    }

    @Test func monthsAndDaysOutOfRangeAreCarriedOver() {
        #expect(LocalDay(year: 2026, month: 13, day: 1) == LocalDay(year: 2027, month: 1, day: 1))
        #expect(LocalDay(year: 2026, month: 0, day: 1) == LocalDay(year: 2025, month: 12, day: 1))
        #expect(LocalDay(year: 2026, month: 2, day: 29) == LocalDay(year: 2026, month: 3, day: 1))
        #expect(LocalDay(year: 2028, month: 2, day: 29) + 1 == LocalDay(year: 2028, month: 3, day: 1))
    }

    @Test func skippedTimeIsAsLongAfterTheChange() throws {
        let skipped = LocalTime(day: LocalDay(year: 2026, month: 3, day: 29), hour: 2, minute: 30)
        #expect(berlinZone.instant(of: skipped) == Date(timeIntervalSince1970: 1_774_747_800))
        #expect(berlinZone.localTime(at: berlinZone.instant(of: skipped)).hour == 3)
        #expect(berlinZone.localTime(at: berlinZone.instant(of: skipped)).minute == 30)
    }

    @Test func repeatedTimeIsTheFirstOfBoth() {
        let repeated = LocalTime(day: LocalDay(year: 2026, month: 10, day: 25), hour: 2, minute: 30)
        let first = berlinZone.instant(of: repeated)
        #expect(berlinZone.localTime(at: first) == repeated)
        #expect(berlinZone.localTime(at: first.addingTimeInterval(3_600)) == repeated)
    }

    @Test(arguments: [-Double.infinity, -1e300, -62_135_769_600, 0, 1e15, 1e300, .infinity, .nan])
    func extremeInstantsHaveATime(seconds: Double) {
        let time = berlinZone.localTime(at: Date(timeIntervalSince1970: seconds))
        #expect((0..<86_400).contains(time.secondOfDay))
        #expect((1...12).contains(time.day.date.month))
    }
}
