import Foundation

/// The shortest path between two coordinates on the WGS 84 ellipsoid.
///
/// The length is computed by Vincenty's inverse formula (Survey Review 176, 1975). Its iteration doesn't converge for
/// nearly antipodal coordinates; their great circle is used instead.
struct Geodesic {
    /// WGS 84: the semi-major axis in metres, and the flattening.
    private static let equatorialRadius = 6_378_137.0
    private static let flattening = 1 / 298.257223563
    private static let polarRadius = equatorialRadius * (1 - flattening)
    private static let meanRadius = (2 * equatorialRadius + polarRadius) / 3

    /// The tolerance for millimeter accuracy, and the maximum number of iterations.
    private static let tolerance = 1e-12
    private static let iterations = 100

    private let start: CLLocationCoordinate2D
    private let end: CLLocationCoordinate2D

    init(from start: CLLocationCoordinate2D, to end: CLLocationCoordinate2D) {
        self.start = start
        self.end = end
    }

    /// The length in metres.
    var length: CLLocationDistance { ellipsoidLength ?? greatCircleLength }

    private static func radians(_ degrees: CLLocationDegrees) -> Double { degrees * .pi / 180 }

    /// The difference in longitude in the shorter direction.
    private var longitudeDifference: Double {
        Self.radians((end.longitude - start.longitude).remainder(dividingBy: 360))
    }

    /// The length on the ellipsoid, or `nil` if the iteration doesn't converge.
    private var ellipsoidLength: CLLocationDistance? {
        let flattening = Self.flattening
        let difference = longitudeDifference
        // The latitudes on the auxiliary sphere.
        let startLatitude = atan((1 - flattening) * tan(Self.radians(start.latitude)))
        let endLatitude = atan((1 - flattening) * tan(Self.radians(end.latitude)))
        let (sinStart, cosStart) = (sin(startLatitude), cos(startLatitude))
        let (sinEnd, cosEnd) = (sin(endLatitude), cos(endLatitude))

        var lambda = difference
        for _ in 0..<Self.iterations {
            let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
            let sinSigma = hypot(cosEnd * sinLambda, cosStart * sinEnd - sinStart * cosEnd * cosLambda)
            if sinSigma == 0 { return 0 }
            let cosSigma = sinStart * sinEnd + cosStart * cosEnd * cosLambda
            let sigma = atan2(sinSigma, cosSigma)
            let sinAlpha = cosStart * cosEnd * sinLambda / sinSigma
            let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
            // On the equator the midpoint is undefined.
            let cosMiddle = cosSquaredAlpha == 0 ? 0 : cosSigma - 2 * sinStart * sinEnd / cosSquaredAlpha
            let correction = flattening / 16 * cosSquaredAlpha * (4 + flattening * (4 - 3 * cosSquaredAlpha))
            let inner = cosMiddle + correction * cosSigma * (2 * cosMiddle * cosMiddle - 1)
            let previous = lambda
            lambda =
                difference + (1 - correction) * flattening * sinAlpha * (sigma + correction * sinSigma * inner)
            guard abs(lambda) <= .pi else { return nil }
            if abs(lambda - previous) <= Self.tolerance {
                return Self.arc(sigma, sinSigma, cosSigma, cosSquaredAlpha, cosMiddle)
            }
        }
        return nil
    }

    private static func arc(
        _ sigma: Double,
        _ sinSigma: Double,
        _ cosSigma: Double,
        _ cosSquaredAlpha: Double,
        _ cosMiddle: Double
    ) -> CLLocationDistance {
        let (major, minor) = (equatorialRadius * equatorialRadius, polarRadius * polarRadius)
        let square = cosSquaredAlpha * (major - minor) / minor
        let scale = 1 + square / 16384 * (4096 + square * (square * (320 - 175 * square) - 768))
        let series = square / 1024 * (256 + square * (square * (74 - 47 * square) - 128))
        let first = cosSigma * (2 * cosMiddle * cosMiddle - 1)
        let second = series / 6 * cosMiddle * (4 * sinSigma * sinSigma - 3) * (4 * cosMiddle * cosMiddle - 3)
        let delta = series * sinSigma * (cosMiddle + series / 4 * (first - second))
        return polarRadius * scale * (sigma - delta)
    }

    private var greatCircleLength: CLLocationDistance {
        let (latitude, other) = (Self.radians(start.latitude), Self.radians(end.latitude))
        let chord =
            pow(sin((other - latitude) / 2), 2)
            + cos(latitude) * cos(other) * pow(sin(longitudeDifference / 2), 2)
        return 2 * Self.meanRadius * asin(min(1, chord.squareRoot()))
    }
}
