public import Foundation

/// The uncertainty of a measurement in meters. Negative if it is unknown.
public typealias CLLocationAccuracy = Double

/// A speed in meters per second. Negative if it is unknown.
public typealias CLLocationSpeed = Double

/// A direction in degrees, clockwise from north. Negative if it is unknown.
public typealias CLLocationDirection = Double

/// A measured location and the time of the measurement. It is immutable.
///
/// - Since: iOS 2.0
public final class CLLocation: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The coordinate.
    public let coordinate: CLLocationCoordinate2D
    /// The altitude above sea level. Only valid if ``verticalAccuracy`` is positive.
    public let altitude: CLLocationDistance
    /// The uncertainty of the coordinate. Negative if it is unknown.
    public let horizontalAccuracy: CLLocationAccuracy
    /// The uncertainty of the altitude. Negative if it is unknown.
    public let verticalAccuracy: CLLocationAccuracy
    /// The direction of travel. Negative if it is unknown.
    public let course: CLLocationDirection
    /// The speed. Negative if it is unknown.
    public let speed: CLLocationSpeed
    /// The time of the measurement.
    public let timestamp: Date

    /// Creates a location with the current time and without altitude, course and speed.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: Date()
        )
    }

    /// Creates a location without course and speed.
    public convenience init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        timestamp: Date
    ) {
        self.init(
            coordinate: coordinate,
            altitude: altitude,
            horizontalAccuracy: hAccuracy,
            verticalAccuracy: vAccuracy,
            course: -1,
            speed: -1,
            timestamp: timestamp
        )
    }

    /// Creates a location.
    public init(
        coordinate: CLLocationCoordinate2D,
        altitude: CLLocationDistance,
        horizontalAccuracy hAccuracy: CLLocationAccuracy,
        verticalAccuracy vAccuracy: CLLocationAccuracy,
        course: CLLocationDirection,
        speed: CLLocationSpeed,
        timestamp: Date
    ) {
        self.coordinate = coordinate
        self.altitude = altitude
        horizontalAccuracy = hAccuracy
        verticalAccuracy = vAccuracy
        self.course = course
        self.speed = speed
        self.timestamp = timestamp
    }

    /// Returns the distance to another location in meters, along the Earth's surface. Altitudes are ignored.
    ///
    /// - Returns: The length of the geodesic on the WGS 84 ellipsoid, accurate to a millimeter. For nearly antipodal
    ///   locations, the length of the great circle, accurate to half a percent.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesic(from: coordinate, to: location.coordinate).length
    }

    // MARK: Copying and coding

    /// Returns the location itself, because it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always `true`.
    public static var supportsSecureCoding: Bool { true }

    /// Encodes all properties.
    public func encode(with coder: NSCoder) {
        coder.encode(coordinate.latitude, forKey: "latitude")
        coder.encode(coordinate.longitude, forKey: "longitude")
        coder.encode(altitude, forKey: "altitude")
        coder.encode(horizontalAccuracy, forKey: "horizontalAccuracy")
        coder.encode(verticalAccuracy, forKey: "verticalAccuracy")
        coder.encode(course, forKey: "course")
        coder.encode(speed, forKey: "speed")
        coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    }

    /// Decodes the format of ``encode(with:)``, which differs from that of Apple's class.
    public init?(coder: NSCoder) {
        coordinate = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude")
        )
        altitude = coder.decodeDouble(forKey: "altitude")
        horizontalAccuracy = coder.decodeDouble(forKey: "horizontalAccuracy")
        verticalAccuracy = coder.decodeDouble(forKey: "verticalAccuracy")
        course = coder.decodeDouble(forKey: "course")
        speed = coder.decodeDouble(forKey: "speed")
        timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: "timestamp"))
    }

    /// The coordinate, its uncertainty and the time.
    public override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m @ \(timestamp)"
    }
}
