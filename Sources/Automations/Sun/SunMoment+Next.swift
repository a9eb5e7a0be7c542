package import Foundation
package import HomeModel

extension SunMoment {
    /// Returns the first time after an instant; `nil` if there is none, or if the moment is outside the limits of homes.
    package func next(after instant: Date, at place: Place) -> Date? {
        guard isKnown, place.isValid else { return nil }
        let instant = instant.withinCalendar
        let first = SolarDay(nearest: instant.addingTimeInterval(-Double(offset) * 60), at: place).number - 1
        for number in first...first + AutomationLimits.sunSearch {
            let times = SunTimes(at: place, on: SolarDay(number: number))
            if let time = times[event].map(adding), time > instant { return time }
        }
        return nil
    }

    /// Returns the time on a day; `nil` if the sun doesn't rise or set on it, or if the moment is outside the limits of
    /// homes.
    func time(on day: LocalDay, at place: Place, in zone: TimeZone) -> Date? {
        guard isKnown else { return nil }
        return SunTimes(at: place, on: day, in: zone)[event].map(adding)
    }

    private var isKnown: Bool {
        [.sunrise, .sunset].contains(event) && (-HomeLimits.sunOffset...HomeLimits.sunOffset).contains(offset)
    }

    private func adding(to time: Date) -> Date { time.addingTimeInterval(Double(offset) * 60) }
}
