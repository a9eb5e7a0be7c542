import Foundation

/// A home's place on the map, for sunrise, sunset and people's arrivals.
package struct Place: Hashable, Sendable, Codable {
    /// The latitude in degrees, -90 to 90; north is positive.
    package var latitude: Double
    /// The longitude in degrees, -180 to 180; east is positive.
    package var longitude: Double

    /// Creates a place.
    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Whether the coordinates are on the map.
    package var isValid: Bool { (-90...90).contains(latitude) && (-180...180).contains(longitude) }
}

extension Place {
    /// Earth's mean radius in meters (IUGG).
    private static let earthRadius = 6_371_008.8

    /// Returns the distance to another place in meters, along the surface of a sphere. It is within 0.6 % of the
    /// ellipsoid's.
    package func distance(to other: Place) -> Double {
        func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
        func haversine(_ angle: Double) -> Double { sin(angle / 2) * sin(angle / 2) }
        let chord =
            haversine(radians(other.latitude - latitude))
            + cos(radians(latitude)) * cos(radians(other.latitude)) * haversine(radians(other.longitude - longitude))
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }
}
