public import Foundation

/// A circular region around a center.
///
/// - Since: iOS 7.0
public final class CLCircularRegion: CLRegion, @unchecked Sendable {
    // @unchecked restates the superclass's conformance. All stored properties are immutable.

    /// The center.
    public let center: CLLocationCoordinate2D
    /// The radius in meters. Coordinates at this distance are in the region.
    public let radius: CLLocationDistance

    /// Creates a region.
    public init(center: CLLocationCoordinate2D, radius: CLLocationDistance, identifier: String) {
        self.center = center
        self.radius = radius
        super.init(identifier: identifier)
    }

    /// Returns whether a coordinate is in the region: at most ``radius`` away from the center, along the Earth's
    /// surface.
    ///
    /// - Returns: `false` if the coordinate or the center is invalid.
    public func contains(_ coordinate: CLLocationCoordinate2D) -> Bool {
        guard CLLocationCoordinate2DIsValid(coordinate), CLLocationCoordinate2DIsValid(center) else { return false }
        return Geodesic(from: center, to: coordinate).length <= radius
    }

    // MARK: Copying and coding

    override func duplicate() -> CLRegion {
        CLCircularRegion(center: center, radius: radius, identifier: identifier)
    }

    /// Encodes all properties.
    public override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(center.latitude, forKey: "latitude")
        coder.encode(center.longitude, forKey: "longitude")
        coder.encode(radius, forKey: "radius")
    }

    /// Decodes the format of ``encode(with:)``, which differs from that of Apple's class.
    public required init?(coder: NSCoder) {
        center = CLLocationCoordinate2D(
            latitude: coder.decodeDouble(forKey: "latitude"),
            longitude: coder.decodeDouble(forKey: "longitude")
        )
        radius = coder.decodeDouble(forKey: "radius")
        super.init(coder: coder)
    }

    /// Whether the other object is a circular region with the same identifier, center and radius.
    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? CLCircularRegion else { return false }
        return other.radius == radius && other.center.latitude == center.latitude
            && other.center.longitude == center.longitude
    }

    /// The identifier, the center and the radius.
    public override var description: String {
        "CLCircularRegion (identifier:'\(identifier)', center:<\(center.latitude),\(center.longitude)>, radius:\(radius)m)"
    }
}
