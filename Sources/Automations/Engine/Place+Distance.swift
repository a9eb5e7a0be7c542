package import HomeModel
import Foundation

extension Place {
    /// The mean radius of the Earth in meters.
    private static let earthRadius = 6_371_008.8

    /// Returns the length in meters of the great circle to another place.
    package func distance(to other: Place) -> Double {
        let (start, end) = (latitude * .pi / 180, other.latitude * .pi / 180)
        let longitude = (other.longitude - longitude) * .pi / 180
        let chord = pow(sin((end - start) / 2), 2) + cos(start) * cos(end) * pow(sin(longitude / 2), 2)
        return 2 * Self.earthRadius * asin(min(1, chord.squareRoot()))
    }
}
