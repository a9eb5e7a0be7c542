import CoreLocation
import Testing

// The example of Sources/CoreLocation/CoreLocation.docc/CoreLocation.md. A test looks for every block of that page in this
// file.

func isAtHome(_ location: CLLocation) -> Bool {
    let region = CLCircularRegion(
        center: CLLocationCoordinate2D(latitude: 48.5216, longitude: 9.0576),
        radius: 150,
        identifier: "home"
    )
    return region.contains(location.coordinate)
}

@Suite struct PageExampleTests {
    @Test func theExampleFindsLocationsInTheRegion() {
        #expect(isAtHome(CLLocation(latitude: 48.5217, longitude: 9.0577)))
        #expect(!isAtHome(CLLocation(latitude: 48.5316, longitude: 9.0576)))
    }
}
