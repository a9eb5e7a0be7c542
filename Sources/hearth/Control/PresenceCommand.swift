import ArgumentParser
import Foundation
import HomeModel
import HomeText
import HubAPI

/// `hearth presence`: shows and reports which users are at home.
struct PresenceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "presence",
        abstract: "Show and report which users are at home.",
        discussion: """
            Automations can run when users arrive or leave, and can depend on who is home. “hearth presence Ann away” is \
            short for “hearth presence set Ann away”.

            Example: hearth presence set Ann away
            """,
        subcommands: [List.self, Set.self],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the users with their presence."
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: .hidden) var report: [String] = []

        private struct Row: Encodable {
            var id: UUID
            var name: String
            /// Left out if it was never reported.
            var isHome: Bool?
            var since: Date?
        }

        func run() async throws {
            let client = try await HomeClient(options)
            let home = try client.home()
            guard report.isEmpty else {
                try await PresenceReport(report).send(client, home)
                return ChangeOutput.print(options)
            }
            let users = try await client.call(HubMethods.presence, HomeTarget(home: home.home.id)).users
            if options.json {
                JSONLine(users.map { Row(id: $0.user, name: $0.name, isHome: $0.isHome, since: $0.since) }).print()
                return
            }
            let time = try await HubTime(of: client)
            var table = Table()
            for user in users {
                let state = user.isHome.map { $0 ? "home" : "away" } ?? "not reported"
                table.add(user.name, state, user.since.map { "since \(time.text($0))" } ?? "")
            }
            table.print()
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Report that a user is home, away or at a place.",
            discussion: """
                A user at a place counts as at home near the home's place (see “hearth home place”), and enters and leaves \
                the regions of automations.

                Example: hearth presence set Ann at 52.52,13.405
                """
        )
        @OptionGroup var options: ClientOptions
        @Argument(help: "The user, or “me”.") var user: String
        @Argument(help: ArgumentHelp("home, away, or at LAT,LON.", valueName: "presence")) var presence: [String]

        func run() async throws {
            let client = try await HomeClient(options)
            try await PresenceReport([user] + presence).send(client, try client.home())
            ChangeOutput.print(options)
        }
    }
}

/// A report such as `Ann away` or `me at 52.52,13.405`.
struct PresenceReport: Hashable {
    /// The user's name; `nil` for the user who runs the command.
    var user: String?
    var isHome: Bool?
    var place: Place?

    /// Reads a report.
    ///
    /// - Throws: `usage` if it isn't one.
    init(_ words: [String]) throws(CommandFailure) {
        let name = words.first ?? ""
        user = ["me", "i"].contains(name.lowercased()) ? nil : name
        switch words.dropFirst().first?.lowercased() {
        case "home"? where words.count == 2: isHome = true
        case "away"? where words.count == 2: isHome = false
        case "at"? where words.count > 2:
            // “at home” is no place.
            if words[2].lowercased() == "home" { isHome = true } else { place = try Place(words: Array(words[2...])) }
        default:
            throw CommandFailure("usage", "Use “\(name) home”, “\(name) away” or “\(name) at 52.52,13.405”.")
        }
    }

    /// Sends the report to the hub.
    func send(_ client: HomeClient, _ home: NamedHome) async throws {
        let user = try user.map { (name) throws(CommandFailure) in try home.user(name).id }
        let request = SetPresence(home: home.home.id, user: user, isHome: isHome, place: place)
        _ = try await client.call(HubMethods.setPresence, request)
    }
}

extension Place {
    /// Reads a latitude and a longitude: `52.52,13.405` or two words.
    ///
    /// - Throws: `invalidParameter` if they aren't two numbers on the map.
    init(words: [String]) throws(CommandFailure) {
        let parts = words.flatMap { $0.split(separator: ",") }.map { Double($0) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
            throw CommandFailure(
                "invalidParameter",
                "“\(words.joined(separator: " "))” is not a place. Use degrees of latitude and longitude, as in 52.52,13.405."
            )
        }
        self.init(latitude: latitude, longitude: longitude)
        guard isValid else {
            throw CommandFailure(
                "invalidParameter",
                "“\(words.joined(separator: " "))” is not on the map. A latitude is -90 to 90 degrees, a longitude -180 to 180."
            )
        }
    }
}
