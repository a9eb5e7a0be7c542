package import Foundation

/// A circle on the map that a person comes into or leaves.
package struct LocationRegion: Hashable, Sendable, Codable {
    /// What the app calls the region.
    package var identifier: String
    /// The latitude of the middle in degrees, -90 to 90.
    package var latitude: Double
    /// The longitude of the middle in degrees, -180 to 180.
    package var longitude: Double
    /// The radius in metres, above 0.
    package var radius: Double
    /// Whether coming into it counts.
    package var onEntry: Bool
    /// Whether leaving it counts.
    package var onExit: Bool
    /// The person; nil in a request, where a decision puts whoever asks.
    package var user: UUID?

    /// Makes a region.
    package init(
        identifier: String,
        latitude: Double,
        longitude: Double,
        radius: Double,
        onEntry: Bool,
        onExit: Bool,
        user: UUID? = nil
    ) {
        self.identifier = identifier
        self.latitude = latitude
        self.longitude = longitude
        self.radius = radius
        self.onEntry = onEntry
        self.onExit = onExit
        self.user = user
    }
}
