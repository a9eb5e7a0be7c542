public import Foundation

/// The places within a distance of a centre.
///
/// - Since: iOS 7.0
public final class CLCircularRegion: CLRegion, @unchecked Sendable {
    // @unchecked: as its superclass; what it has itself is constant.

    /// The centre.
    public let center: CLLocationCoordinate2D
    /// The distance from the centre in metres, up to which a place is in the region.
    public let radius: CLLocationDistance

    /// Creates a region.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Whether a place is in the region: no farther from its centre than its radius, along the Earth's surface.
    ///
    /// - Returns: False for a coordinate that is no place, and for all if the centre is none.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        guard CLLocationCoordinate2DIsValid(coordinate), CLLocationCoordinate2DIsValid(center) else { return false }
        return Geodesic(from: center, to: coordinate).length <= radius
    }

    // MARK: Copying and coding

    override func duplicate() -> CLRegion {
        CLCircularRegion(center: center, radius: radius, identifier: identifier)
    }

    /// Writes everything.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: "latitude")
        coder.encode(center.longitude, forKey: "longitude")
        coder.encode(radius, forKey: "radius")
    }

    /// Reads what ``encode(with:)`` wrote; not what Apple's class writes.
    public required init?(coder: NSCoder) {
        center = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude")
        )
        radius = coder.decodeDouble(forKey: "radius")
        super.init(coder: coder)
    }

    /// Whether the other is a circle with the same identifier, centre and radius.
    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CLCircularRegion else { return false }
        return other.radius == radius && other.center.latitude == center.latitude
            && other.center.longitude == center.longitude
    }

    /// The identifier, the centre and the radius.
    public override var description: String {
        "CLCircularRegion (identifier:'\(identifier)', center:<\(center.latitude),\(center.longitude)>, radius:\(radius)m)"
    }
}
