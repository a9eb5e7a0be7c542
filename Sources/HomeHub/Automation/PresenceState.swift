import Foundation
import HomeModel

/// The stored presence of a user.
struct PresenceState: Codable {
    /// Whether the user is at home.
    var isHome: Bool
    /// Since when.
    var since: Date
    /// Where the user is; `nil` if the report didn't say.
    var place: Place?

    /// Creates a state.
    init(isHome: Bool, since: Date, place: Place?) {
        self.isHome = isHome
        self.since = since
        self.place = place
    }

    /// Decodes stored bytes; `nil` if they are of another version.
    init?(_ bytes: [UInt8]) {
        guard let state = try? JSONDecoder().decode(PresenceState.self, from: Data(bytes)) else { return nil }
        self = state
    }

    /// The form that is stored.
    var bytes: [UInt8] { (try? JSONEncoder().encode(self)).map(Array.init) ?? [] }
}
