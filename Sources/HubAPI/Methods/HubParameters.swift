package import Foundation

/// Names the other hub of the homes.
package struct RemoveHub: Hashable, Sendable, Codable {
    /// The hub's name, or the beginning of its ID.
    package var hub: String

    /// Creates a request.
    package init(hub: String) {
        self.hub = hub
    }
}

/// Lets the hub leave the homes to the other one.
package struct LeaveHub: Hashable, Sendable, Codable {
    /// Whether it leaves even if some accessories are then controlled by nobody; `nil` for no.
    package var isForced: Bool?

    /// Creates a request.
    package init(isForced: Bool? = nil) {
        self.isForced = isForced
    }
}

/// The hubs that keep the homes, and how they stand.
package struct HubsStatus: Hashable, Sendable, Codable {
    /// A hub.
    package struct Hub: Hashable, Sendable, Codable {
        /// The hub's ID.
        package var id: UUID
        /// The hub's name.
        package var name: String
        /// Whether it is the one that replies.
        package var isOwn: Bool
        /// Whether it leads, as far as the one that replies knows.
        package var isLeading: Bool
        /// Whether the one that replies is connected to it.
        package var isConnected: Bool
        /// The number of batches of changes that it lacks; `nil` if the one that replies doesn't know.
        package var behind: Int?

        /// Creates a hub.
        package init(
            id: UUID,
            name: String,
            isOwn: Bool,
            isLeading: Bool,
            isConnected: Bool,
            behind: Int? = nil
        ) {
            self.id = id
            self.name = name
            self.isOwn = isOwn
            self.isLeading = isLeading
            self.isConnected = isConnected
            self.behind = behind
        }
    }

    /// The relay that votes.
    package struct Relay: Hashable, Sendable, Codable {
        /// The relay's address.
        package var relay: String
        /// Whether it answered the last time it was asked.
        package var votes: Bool
        /// When it last answered the hub that replies, in that hub's time; `nil` if it hasn't since the hub's start.
        package var answered: Date?
        /// Why it didn't answer, for people; `nil` if it did.
        package var problem: String?

        /// Creates a description of the relay.
        package init(relay: String, votes: Bool, answered: Date? = nil, problem: String? = nil) {
            self.relay = relay
            self.votes = votes
            self.answered = answered
            self.problem = problem
        }
    }

    /// An accessory that the other hub doesn't control yet.
    package struct Pairing: Hashable, Sendable, Codable {
        /// The home's ID.
        package var home: UUID
        /// The accessory's name, or its server's device ID.
        package var accessory: String
        /// Whether the accessory has room for the other hub. Then it gets the pairing when it is reachable.
        package var isPossible: Bool

        /// Creates a description of the pairing.
        package init(home: UUID, accessory: String, isPossible: Bool) {
            self.home = home
            self.accessory = accessory
            self.isPossible = isPossible
        }
    }

    /// An accessory.
    package struct Accessory: Hashable, Sendable, Codable {
        /// The home's ID.
        package var home: UUID
        /// The accessory's name, or its server's device ID.
        package var accessory: String

        /// Names an accessory.
        package init(home: UUID, accessory: String) {
            self.home = home
            self.accessory = accessory
        }
    }

    /// The hubs, in the order in which they joined.
    package var hubs: [Hub]
    /// When the hub that leads began to, or when none led any longer, as far as the one that replies knows; `nil` if there is
    /// one hub.
    package var since: Date?
    /// The relay that votes; `nil` if there is one hub, or none votes.
    package var relay: Relay?
    /// The accessories that only the hub that replies controls.
    package var pairings: [Pairing]
    /// The accessories with which only the other hub is paired.
    package var foreign: [Accessory]
    /// The accessories that refused to prepare what automations write, as far as the hub that replies has written since its
    /// start. A write that they get late, they carry out late.
    package var unprepared: [Accessory]
    /// The names of the hubs that were removed and don't know it, because they were off.
    package var untold: [String]
    /// What would happen if the hub that replies stopped, for people.
    package var outlook: String

    /// Creates a status.
    package init(
        hubs: [Hub],
        since: Date? = nil,
        relay: Relay? = nil,
        pairings: [Pairing] = [],
        foreign: [Accessory] = [],
        unprepared: [Accessory] = [],
        untold: [String] = [],
        outlook: String
    ) {
        self.hubs = hubs
        self.since = since
        self.relay = relay
        self.pairings = pairings
        self.foreign = foreign
        self.unprepared = unprepared
        self.untold = untold
        self.outlook = outlook
    }
}
