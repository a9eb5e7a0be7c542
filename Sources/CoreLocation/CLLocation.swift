public import Foundation

/// How far a measurement may be off, in metres; negative when it is not known at all.
public typealias CLLocationAccuracy = Double

/// A speed in metres a second; negative when it is not known.
public typealias CLLocationSpeed = Double

/// A direction in degrees from north by east; negative when it is not known.
public typealias CLLocationDirection = Double

/// Where something was measured to be, and when. Nothing of it changes.
///
/// - Since: iOS 2.0
public final class CLLocation: NSObject, NSCopying, NSSecureCoding, Sendable {
    /// The place.
    public let coordinate: CLLocationCoordinate2D
    /// The height above the sea; only of use if ``verticalAccuracy`` is positive.
    public let altitude: CLLocationDistance
    /// How far the place may be off; negative when it is not known.
    public let horizontalAccuracy: CLLocationAccuracy
    /// How far the height may be off; negative when it is not known.
    public let verticalAccuracy: CLLocationAccuracy
    /// Where it was moving to; negative when that is not known.
    public let course: CLLocationDirection
    /// How fast it was moving; negative when that is not known.
    public let speed: CLLocationSpeed
    /// When it was measured.
    public let timestamp: Date

    /// Creates the location of a place, of whose height and movement nothing is known, as it is now.
    public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
        self.init(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude),
            altitude: 0,
            horizontalAccuracy: 0,
            verticalAccuracy: -1,
            timestamp: Date()
        )
    }

    /// Creates a location of whose movement nothing is known.
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

    /// The distance to another location in metres, along the Earth's surface; heights do not count.
    ///
    /// - Returns: The geodesic on the ellipsoid of WGS 84, to a millimetre; for places almost opposite each other on the
    ///   Earth the great circle, to half a per cent.
    public func distance(from location: CLLocation) -> CLLocationDistance {
        Geodesic(from: coordinate, to: location.coordinate).length
    }

    // MARK: Copying and coding

    /// The location itself, since it never changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    /// Always true.
    public static var supportsSecureCoding: Bool { true }

    /// Writes everything.
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

    /// Reads what ``encode(with:)`` wrote; not what Apple's class writes.
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

    /// The place and how well it is known.
    public override var description: String {
        "<\(coordinate.latitude),\(coordinate.longitude)> +/- \(horizontalAccuracy)m @ \(timestamp)"
    }
}
