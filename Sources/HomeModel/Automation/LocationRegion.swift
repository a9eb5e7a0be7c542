package import Foundation

/// A circle on the map that a user enters or leaves.
package struct LocationRegion: Hashable, Sendable, Codable {
    /// The app's identifier of the region.
    package var identifier: String
    /// The latitude of the center in degrees, -90 to 90.
    package var latitude: Double
    /// The longitude of the center in degrees, -180 to 180.
    package var longitude: Double
    /// The radius in meters, above 0.
    package var radius: Double
    /// Whether entering the region counts.
    package var onEntry: Bool
    /// Whether leaving the region counts.
    package var onExit: Bool
    /// The user; `nil` in a request, which is stored with the caller's ID.
    package var user: UUID?

    /// Creates a region.
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
