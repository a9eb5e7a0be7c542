/// An angle in degrees: a latitude, positive to the north, or a longitude, positive to the east.
public typealias CLLocationDegrees = Double

/// A distance or an altitude in meters.
public typealias CLLocationDistance = Double

/// A coordinate on the Earth, in WGS 84.
///
/// As on Apple's systems, coordinates don't conform to `Equatable`, so an app can define equality itself.
///
/// - Since: iOS 2.0
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude, from -90 to 90.
    public var latitude: CLLocationDegrees
    /// The longitude, from -180 to 180.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0°, 0°.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate, which may be invalid; see ``CLLocationCoordinate2DIsValid(_:)``.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// An invalid coordinate.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Returns whether a coordinate is valid: its latitude is from -90 to 90, its longitude from -180 to 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}
