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
