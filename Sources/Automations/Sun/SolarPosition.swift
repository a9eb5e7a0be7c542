import Foundation

/// The position of the sun at an instant, by the formulas of NOAA's solar calculator, which follow Meeus, Astronomical
/// Algorithms (1991).
struct SolarPosition {
    /// The angle above the celestial equator, in radians.
    let declination: Double
    /// Seconds by which a sundial is ahead of a clock of mean solar time.
    let equationOfTime: Double

    /// Creates the position at an instant.
    ///
    /// - Parameter seconds: The seconds since January 1, 1970, in UTC.
    init(at seconds: Double) {
        // Centuries since January 1, 2000, noon.
        let t = (seconds - 946_728_000) / (86_400 * 36_525)
        let meanLongitude = Self.radians(280.46646 + t * (36_000.76983 + t * 0.0003032))
        let meanAnomaly = Self.radians(357.52911 + t * (35_999.05029 - t * 0.0001537))
        let eccentricity = 0.016708634 - t * (0.000042037 + t * 0.0000001267)
        let center =
            sin(meanAnomaly) * (1.914602 - t * (0.004817 + t * 0.000014))
            + sin(2 * meanAnomaly) * (0.019993 - t * 0.000101) + sin(3 * meanAnomaly) * 0.000289
        let node = Self.radians(125.04 - 1_934.136 * t)
        let apparentLongitude = meanLongitude + Self.radians(center - 0.00569 - 0.00478 * sin(node))
        let meanObliquity = 23 + (26 + (21.448 - t * (46.815 + t * (0.00059 - t * 0.001813))) / 60) / 60
        let obliquity = Self.radians(meanObliquity + 0.00256 * cos(node))

        declination = asin(sin(obliquity) * sin(apparentLongitude))
        let y = pow(tan(obliquity / 2), 2)
        let equation =
            y * sin(2 * meanLongitude) - 2 * eccentricity * sin(meanAnomaly)
            + 4 * eccentricity * y * sin(meanAnomaly) * cos(2 * meanLongitude)
            - y * y * sin(4 * meanLongitude) / 2 - 1.25 * eccentricity * eccentricity * sin(2 * meanAnomaly)
        // The Earth turns by 2π in a day.
        equationOfTime = equation * 86_400 / (2 * .pi)
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
