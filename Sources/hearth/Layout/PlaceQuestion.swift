import Foundation
import HomeModel
import HubAPI

/// Asks on a terminal where a new home is.
struct PlaceQuestion {
    private static let attempts = 3

    /// The city of the hub's time zone, which Return accepts.
    var suggestion: ZoneCity?

    /// The text of the question.
    var text: String {
        let coordinates = "Latitude and longitude in degrees"
        guard let suggestion else { return "\(coordinates), or Return to leave it out: " }
        let place = "\(suggestion.place.latitude) \(suggestion.place.longitude)"
        return "\(coordinates), Return for \(suggestion.name) (\(place)), or “none”: "
    }

    /// Returns the answered place; `nil` for none.
    func place(of answer: String) throws(CommandFailure) -> Place? {
        let words = answer.split(whereSeparator: \.isWhitespace).map { String($0) }
        if words.isEmpty { return suggestion?.place }
        return words == ["none"] ? nil : try Place(words: words)
    }

    /// Asks for the place of a home and sets it.
    static func ask(for home: UUID, _ client: HomeClient) async throws {
        let question = PlaceQuestion(suggestion: ZoneCity(of: try await HubTime(of: client).timeZone))
        ProgramOutput.note("Where is it? Automations at sunrise and sunset, and when people arrive, depend on it.")
        for _ in 0..<attempts {
            ProgramOutput.note(question.text, terminator: "")
            guard let answer = readLine() else { return ProgramOutput.note("") }
            let place: Place?
            do throws(CommandFailure) {
                place = try question.place(of: answer)
            } catch {
                ProgramOutput.note(error.reason)
                continue
            }
            if let place { _ = try await client.call(HubMethods.setHomePlace, InHome(home, SetHomePlace(place))) }
            return
        }
        ProgramOutput.note("Set it later with “hearth home place”.")
    }
}
