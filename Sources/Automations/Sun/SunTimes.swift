package import Foundation
package import HomeModel

/// The sunrise and the sunset of a day at a place, to the second.
///
/// Both are where the center of the sun is 0.833° below the horizon: the usual allowance for refraction and the sun's
/// radius. Near the poles, refraction can shift them by minutes; at the poles themselves there are none.
package struct SunTimes: Hashable, Sendable {
    /// The sunrise; `nil` if the sun doesn't rise on this day.
    package var sunrise: Date?
    /// The sunset; `nil` if the sun doesn't set on this day.
    package var sunset: Date?

    /// Computes the times around a day's noon.
    ///
    /// The sunset may be after the next midnight, and the sunrise before the previous one, where nights are short or a
    /// zone's time differs much from solar time.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - day: The day.
    ///   - zone: The zone in which the day is counted.
    package init(at place: Place, on day: LocalDay, in zone: TimeZone) {
        let noon = zone.instant(of: LocalTime(day: day, hour: 12, minute: 0))
        self.init(at: place, on: SolarDay(nearest: noon, at: place))
    }

    /// Computes the times of a solar day.
    init(at place: Place, on day: SolarDay) {
        guard place.isValid else { return }
        sunrise = Self.crossing(at: place, on: day, isRising: true)
        sunset = Self.crossing(at: place, on: day, isRising: false)
    }

    /// The time of an event; `nil` if it is unknown or doesn't happen on this day.
    package subscript(event: SunMoment.Event) -> Date? {
        switch event {
        case .sunrise: sunrise
        case .sunset: sunset
        default: nil
        }
    }

    /// The sun's distance from the zenith at sunrise and sunset, in radians.
    private static let zenith = 90.833 * Double.pi / 180
    /// Enough iterations for the time to change by less than a second, except on the first and last days of a polar night.
    private static let iterations = 5

    private static func crossing(at place: Place, on day: SolarDay, isRising: Bool) -> Date? {
        let latitude = place.latitude * .pi / 180
        let meanNoon = day.meanNoon(at: place)
        var time = meanNoon
        for _ in 0..<iterations {
            let sun = SolarPosition(at: time)
            let cosine =
                (cos(zenith) - sin(latitude) * sin(sun.declination)) / (cos(latitude) * cos(sun.declination))
            // At the poles, it is infinite or not a number.
            guard (-1...1).contains(cosine) else { return nil }
            let angle = acos(cosine) * 86_400 / (2 * .pi)
            time = meanNoon - sun.equationOfTime + (isRising ? -angle : angle)
        }
        return Date(timeIntervalSince1970: time.rounded())
    }
}
