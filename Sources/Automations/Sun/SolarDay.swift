import Foundation
import HomeModel

/// A day from one solar midnight to the next: at each place, it has at most one sunrise and one sunset.
struct SolarDay {
    /// The number of days since January 1, 1970.
    let number: Int

    /// Creates a day from its number.
    init(number: Int) {
        self.number = number
    }

    /// Creates the day at a place whose noon is nearest to an instant.
    init(nearest instant: Date, at place: Place) {
        let meanTime = Double(instant.milliseconds) / 1_000 + place.longitude * Self.secondsPerDegree
        let days = ((meanTime - Self.noon) / 86_400).rounded()
        number = days.isFinite ? Int(days) : 0
    }

    /// Returns the noon of mean solar time at a place, in seconds since January 1, 1970, UTC.
    func meanNoon(at place: Place) -> Double {
        Double(number) * 86_400 + Self.noon - place.longitude * Self.secondsPerDegree
    }

    private static let noon = 43_200.0
    /// The Earth turns by 360° in a day.
    private static let secondsPerDegree = 240.0
}
