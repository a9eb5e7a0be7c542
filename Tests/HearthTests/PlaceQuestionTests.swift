@testable import hearth
import Foundation
import HomeModel
import Testing

struct PlaceQuestionTests {
    private static let table = """
        #country-codes	coordinates	TZ	comments
        DE,DK,NO,SE,SJ	+5230+01322	Europe/Berlin	most of Germany
        US	+404251-0740023	America/New_York	Eastern (most areas)
        AR	-3124-06411	America/Argentina/Cordoba	Argentina (most areas)
        XX	+9930+01322	Europe/Nowhere
        """

    @Test(arguments: [
        ("Europe/Berlin", "Berlin", 52.5, 13.4), ("America/New_York", "New York", 40.7, -74),
        ("America/Argentina/Cordoba", "Cordoba", -31.4, -64.2),
    ])
    func aTimeZoneHasACity(zone: String, name: String, latitude: Double, longitude: Double) throws {
        let city = try #require(ZoneCity(of: zone, in: Self.table))
        #expect(city.name == name)
        #expect(city.place == Place(latitude: latitude, longitude: longitude))
    }

    @Test(arguments: ["Europe/Nowhere", "Etc/UTC", ""])
    func aTimeZoneWithoutAPlaceOnTheMapHasNone(zone: String) {
        #expect(ZoneCity(of: zone, in: Self.table) == nil)
    }

    @Test func returnAcceptsTheSuggestionAndNoneRefusesIt() throws {
        let berlin = try #require(ZoneCity(of: "Europe/Berlin", in: Self.table))
        let question = PlaceQuestion(suggestion: berlin)
        #expect(question.text.contains("Return for Berlin (52.5 13.4)"))
        #expect(try question.place(of: "") == berlin.place)
        #expect(try question.place(of: "none") == nil)
        #expect(try question.place(of: "48.1, 11.6") == Place(latitude: 48.1, longitude: 11.6))
        #expect(try PlaceQuestion(suggestion: nil).place(of: " ") == nil)
    }

    @Test(arguments: ["Berlin", "91 0", "1 2 3", "48.1"])
    func anAnswerThatIsNoPlaceIsExplained(answer: String) {
        #expect(throws: CommandFailure.self) { try PlaceQuestion(suggestion: nil).place(of: answer) }
    }
}
