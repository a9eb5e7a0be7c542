package import Foundation

/// The feed from which an agent reads a hub's homes while the hub is out of reach.
package struct AgentFeed: Hashable, Sendable, Codable {
    /// Why nothing is taken from a relay.
    package struct Problem: Hashable, Sendable, Codable {
        /// The kind of problem: `relayLies`, `relayRolledBack`, `feedForked`, `feedDamaged`, `notAddressed`, `updateNeeded`,
        /// `hubRolledBack`, or why lists of hubs aren't believed, such as `hubListForged`.
        package var code: String
        /// What is wrong and what to do, for people.
        package var reason: String

        /// Creates a problem.
        package init(code: String, reason: String) {
            self.code = code
            self.reason = reason
        }
    }

    /// The relay's address.
    package var relay: String
    /// The last entry that was read; `nil` before the first one.
    package var place: FeedLocation.Place?
    /// The hub's time of what was read; `nil` if it isn't known.
    package var asOf: Date?
    /// What is wrong with what the relay tells; `nil` for nothing. The homes stay as they are.
    package var problem: Problem?
    /// Whether nothing more is taken from the relay until the device has met the hub.
    package var isStopped: Bool
    /// Why the relay can't be asked; `nil` while it can.
    package var trouble: String?

    /// Creates a feed.
    package init(
        relay: String,
        place: FeedLocation.Place? = nil,
        asOf: Date? = nil,
        problem: Problem? = nil,
        isStopped: Bool = false,
        trouble: String? = nil
    ) {
        self.relay = relay
        self.place = place
        self.asOf = asOf
        self.problem = problem
        self.isStopped = isStopped
        self.trouble = trouble
    }
}
