/// An angle in degrees: a latitude, positive to the north, or a longitude, positive to the east.
public typealias CLLocationDegrees = Double

/// A distance or a height in metres.
public typealias CLLocationDistance = Double

/// A place on the Earth, in WGS 84.
///
/// As on Apple's systems coordinates cannot be compared by `==`, so that an app may say what equal means.
///
/// - Since: iOS 2.0
public struct CLLocationCoordinate2D: Sendable {
    /// The latitude, -90 to 90.
    public var latitude: CLLocationDegrees
    /// The longitude, -180 to 180.
    public var longitude: CLLocationDegrees

    /// Creates the coordinate 0°, 0°.
    public init() {
        self.init(latitude: 0, longitude: 0)
    }

    /// Creates a coordinate; see ``CLLocationCoordinate2DIsValid(_:)`` for what is one.
    public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.latitude = latitude
        self.longitude = longitude
    }
}

/// A coordinate that is no place.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate.
public func CLLocationCoordinate2DMake(
    _ latitude: CLLocationDegrees,
    _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
    CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether a coordinate is a place: its latitude is within -90 and 90, its longitude within -180 and 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
    abs(coord.latitude) <= 90 && abs(coord.longitude) <= 180
}
