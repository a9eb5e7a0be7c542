import ArgumentParser
import Foundation
import HomeModel
import HubAPI

/// `hearth home place`: shows, sets and removes a home's place on the map.
struct HomePlaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "place",
        abstract: "Show or set a home's place on the map.",
        usage: "hearth home place [<name>] [<latitude> <longitude>] [--remove] [<options>]",
        discussion: """
            Automations at sunrise and sunset depend on the place, and so do users' arrivals. Apps and \
            guests don't see it. Without coordinates, the command shows the place.

            Example: hearth home place 52.52 13.405
            """
    )
    @OptionGroup var options: ClientOptions
    @Argument(help: "The home (default: the primary home), then its latitude and longitude in degrees.")
    var words: [String] = []
    @Flag(help: "Remove the place.") var remove = false

    private struct Output: Encodable {
        var home: UUID
        var name: String
        var place: Place?
    }

    func run() async throws {
        let request = try HomePlaceRequest(words, isRemoval: remove)
        let client = try await HomeClient(options)
        let home = if let name = request.home { try client.home(named: name) } else { try client.home() }
        guard !remove, request.place == nil else {
            let change = InHome(home.home.id, SetHomePlace(request.place))
            _ = try await client.call(HubMethods.setHomePlace, change)
            return ChangeOutput.print(options)
        }
        guard let user = home.home.viewer, home.home.role(of: user)?.canEditLayout == true else {
            throw CommandFailure("insufficientPrivileges", "Only the owner and administrators see a home's place.")
        }
        let place = home.home.place
        if options.json {
            JSONLine(Output(home: home.home.id, name: home.name, place: place)).print()
        } else {
            ProgramOutput.line(
                place.map { "\($0.latitude) \($0.longitude)" } ?? "“\(home.name)” has no place on the map."
            )
        }
    }
}

/// The arguments of `hearth home place`.
struct HomePlaceRequest: Hashable {
    /// The home's name; `nil` for the one that the options name.
    var home: String?
    /// The place to set; `nil` to show or remove it.
    var place: Place?

    /// Reads the words: a home, coordinates, both or neither.
    init(_ words: [String], isRemoval: Bool) throws(CommandFailure) {
        var rest = words[...]
        if let first = rest.first, !Self.isNumber(first) { home = rest.popFirst() }
        guard !rest.isEmpty else { return }
        guard !isRemoval else { throw CommandFailure("usage", "Give either coordinates or --remove.") }
        place = try Place(words: Array(rest))
    }

    private static func isNumber(_ word: String) -> Bool {
        word.split(separator: ",").first.flatMap { Double($0) } != nil
    }
}
