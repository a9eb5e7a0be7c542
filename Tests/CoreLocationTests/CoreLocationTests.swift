import CoreLocation
import Foundation
import Testing

@Suite struct CoreLocationTests {
    /// Converts degrees, minutes and seconds, as surveyors write them.
    private static func degrees(_ degrees: Double, _ minutes: Double, _ seconds: Double) -> Double {
        degrees + minutes / 60 + seconds / 3600
    }

    private static func distance(_ start: (Double, Double), _ end: (Double, Double)) -> CLLocationDistance {
        CLLocation(latitude: end.0, longitude: end.1)
            .distance(from: CLLocation(latitude: start.0, longitude: start.1))
    }

    // MARK: Distances

    @Test func theDistanceOfSurveyedPlacesIsWhatWasMeasured() {
        // The line from Flinders Peak to Buninyong of the Geocentric Datum of Australia, on GRS 80, which equals WGS 84
        // to a tenth of a millimeter.
        let peak = (-Self.degrees(37, 57, 3.72030), Self.degrees(144, 25, 29.52440))
        let buninyong = (-Self.degrees(37, 39, 10.15610), Self.degrees(143, 55, 35.38390))
        #expect(abs(Self.distance(peak, buninyong) - 54_972.271) < 0.001)
        #expect(abs(Self.distance(buninyong, peak) - 54_972.271) < 0.001)
    }

    @Test func degreesAreLongerAlongTheEquatorThanTowardsThePole() {
        #expect(abs(Self.distance((0, 10), (0, 11)) - 111_319.4908) < 0.001)
        #expect(abs(Self.distance((0, 10), (1, 10)) - 110_574.3886) < 0.001)
        #expect(abs(Self.distance((0, 0), (90, 0)) - 10_001_965.7293) < 0.001)
        #expect(Self.distance((90, 17), (90, -120)) < 0.001)
    }

    @Test func theShorterWayRoundIsTaken() {
        #expect(abs(Self.distance((0, 179.5), (0, -179.5)) - 111_319.4908) < 0.001)
        #expect(abs(Self.distance((0, 359.5), (0, 0.5)) - 111_319.4908) < 0.001)
    }

    @Test func samePlacesAreNoDistanceApart() {
        #expect(Self.distance((48.5, 9.1), (48.5, 9.1)) == 0)
        #expect(Self.distance((0, 180), (0, -180)) < 0.001)
    }

    @Test(arguments: [(0.5, 179.7, 19_944_127.0), (0, 180, 20_003_931.0), (0, 179.9, 20_000_000.0)])
    func oppositePlacesAreHalfTheEarthApartToHalfAPerCent(_ latitude: Double, _ longitude: Double, _ length: Double) {
        #expect(abs(Self.distance((0, 0), (latitude, longitude)) - length) < length / 200)
    }

    // MARK: Coordinates

    @Test(arguments: [(90.0, 180.0), (-90, -180), (0, 0)])
    func placesAreValidUpToTheirBounds(_ latitude: Double, _ longitude: Double) {
        #expect(CLLocationCoordinate2DIsValid(CLLocationCoordinate2DMake(latitude, longitude)))
    }

    @Test(arguments: [(90.0.nextUp, 0.0), (0, 180.0.nextUp), (0, -180.0.nextUp), (.nan, 0), (0, .infinity)])
    func whatIsBeyondIsNoPlace(_ latitude: Double, _ longitude: Double) {
        #expect(!CLLocationCoordinate2DIsValid(CLLocationCoordinate2D(latitude: latitude, longitude: longitude)))
        #expect(!CLLocationCoordinate2DIsValid(kCLLocationCoordinate2DInvalid))
    }

    // MARK: Regions

    @Test func aCircleContainsWhatIsNoFartherThanItsRadius() {
        let center = CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37)
        let region = CLCircularRegion(center: center, radius: 150, identifier: "Home")
        let metre = 1 / 111_319.4908 / cos(48.2 * .pi / 180)
        #expect(region.contains(center))
        #expect(region.contains(CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37 + 149 * metre)))
        #expect(!region.contains(CLLocationCoordinate2D(latitude: 48.2, longitude: 16.37 + 151 * metre)))
        #expect(!region.contains(kCLLocationCoordinate2DInvalid))
        #expect(!CLCircularRegion(center: center, radius: -1, identifier: "").contains(center))
        let nowhere = CLCircularRegion(center: kCLLocationCoordinate2DInvalid, radius: 1e9, identifier: "")
        #expect(!nowhere.contains(center))
    }

    @Test func bothCrossingsMatterUnlessTheAppSaysOtherwise() {
        let region = CLCircularRegion(center: CLLocationCoordinate2D(), radius: 100, identifier: "Home")
        #expect(region.notifyOnEntry && region.notifyOnExit)
        region.notifyOnExit = false
        #expect(region.notifyOnEntry && !region.notifyOnExit)
    }

    @Test func aCopyIsChangedByItself() throws {
        let region = CLCircularRegion(center: CLLocationCoordinate2DMake(1, 2), radius: 3, identifier: "Home")
        region.notifyOnEntry = false
        let copy = try #require(region.copy() as? CLCircularRegion)
        #expect(copy == region && copy !== region && copy.hash == region.hash)
        #expect(!copy.notifyOnEntry && copy.notifyOnExit)
        copy.notifyOnEntry = true
        #expect(!region.notifyOnEntry)
    }

    @Test func regionsAreEqualByIdentifierCentreAndRadius() {
        func region(_ latitude: Double = 1, _ radius: Double = 3, _ identifier: String = "Home") -> CLRegion {
            CLCircularRegion(
                center: CLLocationCoordinate2D(latitude: latitude, longitude: 2),
                radius: radius,
                identifier: identifier
            )
        }
        #expect(region() == region())
        #expect(region() != region(1.5))
        #expect(region() != region(1, 4))
        #expect(region() != region(1, 3, "Work"))
        #expect(Set([region(), region(), region(2)]).count == 2)
    }

    @Test func regionsAndLocationsCanBeArchived() throws {
        let region = CLCircularRegion(center: CLLocationCoordinate2DMake(1.5, -2.5), radius: 3, identifier: "Home")
        region.notifyOnExit = false
        let data = try NSKeyedArchiver.archivedData(withRootObject: region, requiringSecureCoding: true)
        let restored = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLCircularRegion.self, from: data))
        #expect(restored == region)
        #expect(restored.notifyOnEntry && !restored.notifyOnExit)

        let location = CLLocation(
            coordinate: CLLocationCoordinate2DMake(1.5, -2.5),
            altitude: 4,
            horizontalAccuracy: 5,
            verticalAccuracy: 6,
            course: 7,
            speed: 8,
            timestamp: Date(timeIntervalSinceReferenceDate: 9)
        )
        let bytes = try NSKeyedArchiver.archivedData(withRootObject: location, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: bytes))
        #expect(again.coordinate.latitude == 1.5 && again.coordinate.longitude == -2.5)
        #expect(again.altitude == 4 && again.horizontalAccuracy == 5 && again.verticalAccuracy == 6)
        #expect(again.course == 7 && again.speed == 8)
        #expect(again.timestamp == location.timestamp)
    }

    @Test func ofAPlaceAloneHeightAndMovementAreNotKnown() {
        let location = CLLocation(latitude: 1, longitude: 2)
        #expect(location.verticalAccuracy < 0 && location.course < 0 && location.speed < 0)
        #expect(location.horizontalAccuracy == 0)
    }
}
