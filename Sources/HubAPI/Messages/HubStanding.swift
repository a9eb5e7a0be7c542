package import Foundation

/// How a hub of an agent's can be reached, and since when.
///
/// A hub never sends it: whoever is connected to a hub itself knows that it is there. An agent sends it before the first
/// reset or resumption of a connection for every hub that isn't near, and whenever it changes.
package struct HubStanding: Hashable, Sendable, Codable {
    /// The way to the hub. Unknown ones are preserved.
    package struct State: Hashable, Sendable, Codable, RawRepresentable {
        /// The state's name.
        package var rawValue: String

        /// Creates a state from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The hub is connected, in its own network or through a relay.
        package static let near = State(rawValue: "near")
        /// The hub can't be reached. Its homes are as they were at ``HubStanding/asOf``.
        package static let away = State(rawValue: "away")
        /// The device has left the hub, or was removed from it. Its homes are gone.
        package static let gone = State(rawValue: "gone")
    }

    /// The ID that the agent uses for the hub.
    package var hub: UUID
    /// The homes that the hub stores.
    package var homes: [UUID]
    /// The way to the hub.
    package var state: State
    /// When the state began.
    package var since: Date
    /// The time that the homes are as of: of the last contact with the hub, or of what its feed has told since; `nil` while it
    /// is near.
    package var asOf: Date?
    /// Whether the hub, which has a feed, was not heard of for more than a day, neither itself nor by the feed; `nil` for
    /// `false`.
    package var isSilent: Bool?
    /// Whether the hub is connected through a relay; `nil` for `false`.
    package var isRelayed: Bool?

    /// Creates a standing.
    package init(
        hub: UUID,
        homes: [UUID],
        state: State,
        since: Date,
        asOf: Date? = nil,
        isSilent: Bool? = nil,
        isRelayed: Bool? = nil
    ) {
        self.hub = hub
        self.homes = homes
        self.state = state
        self.since = since
        self.asOf = asOf
        self.isSilent = isSilent
        self.isRelayed = isRelayed
    }
}
