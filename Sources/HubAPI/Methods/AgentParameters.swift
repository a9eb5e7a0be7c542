package import Foundation

/// What an agent needs to show its person's homes to apps while the hub is out of reach.
package struct HomeKeys: Hashable, Sendable, Codable {
    /// The person's own user ID.
    package var user: UUID
    /// The alias key of each of the person's homes, by the home's ID.
    package var keys: [UUID: Data]
    /// The signed list of the hubs that keep the homes, which an agent pins; `nil` as long as there was only one.
    package var hubs: Data?

    private enum CodingKeys: String, CodingKey {
        case user, keys, hubs
    }

    /// Creates the reply.
    package init(user: UUID, keys: [UUID: Data], hubs: Data? = nil) {
        self.user = user
        self.keys = keys
        self.hubs = hubs
    }

    /// Decodes the reply.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        user = try container.decode(UUID.self, forKey: .user)
        keys = try container.decode(UUIDKeyedDictionary<Data>.self, forKey: .keys).values
        hubs = try container.decodeIfPresent(Data.self, forKey: .hubs)
    }

    /// Encodes the reply.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(user, forKey: .user)
        try container.encode(UUIDKeyedDictionary(values: keys), forKey: .keys)
        try container.encodeIfPresent(hubs, forKey: .hubs)
    }
}

/// The hubs that an agent has joined.
package struct AgentHubs: Hashable, Sendable, Codable {
    /// A hub.
    package struct Hub: Hashable, Sendable, Codable {
        /// The agent's ID of the hub.
        package var id: UUID
        /// The hub's name.
        package var name: String
        /// The hub's public key.
        package var key: String
        /// How it can be reached, and its homes.
        package var standing: HubStanding
        /// The names of its homes.
        package var homes: [String]
        /// Why the hub can't be reached; `nil` while it is near.
        package var problem: String?
        /// The code of that; `nil` while it is near.
        package var problemCode: String?
        /// Where its homes are read while it can't be reached; `nil` if the hub has no relay.
        package var feed: AgentFeed?

        /// Creates a hub.
        package init(
            id: UUID,
            name: String,
            key: String,
            standing: HubStanding,
            homes: [String],
            problem: String? = nil,
            problemCode: String? = nil,
            feed: AgentFeed? = nil
        ) {
            self.problemCode = problemCode
            self.id = id
            self.name = name
            self.key = key
            self.standing = standing
            self.homes = homes
            self.problem = problem
            self.feed = feed
        }
    }

    /// The hubs, in the order in which the device joined them.
    package var hubs: [Hub]
    /// What the agent has to tell its person, such as that the device was removed from a hub. Told once.
    package var notices: [String]

    /// Creates the list.
    package init(hubs: [Hub], notices: [String]) {
        self.hubs = hubs
        self.notices = notices
    }
}

/// Joins a hub with an invitation.
package struct JoinHub: Hashable, Sendable, Codable {
    /// The invitation's link or code.
    package var invitation: String
    /// The name that the device gets.
    package var name: String
    /// Where the hub is, such as `192.168.1.7:51234`; `nil` to find it on the network.
    package var place: String?

    /// Creates the parameters.
    package init(invitation: String, name: String, place: String? = nil) {
        self.invitation = invitation
        self.name = name
        self.place = place
    }
}

/// The result of joining a hub.
package struct HubJoining: Hashable, Sendable, Codable {
    /// The agent's ID of the hub.
    package var hub: UUID
    /// The hub's name.
    package var name: String
    /// The six digits that somebody at the home compares before the device is let in; `nil` if it is in already.
    package var digits: String?

    /// Creates the result.
    package init(hub: UUID, name: String, digits: String? = nil) {
        self.hub = hub
        self.name = name
        self.digits = digits
    }
}

/// Names a hub of an agent's: its ID, its name, or a home's.
package struct AgentHubTarget: Hashable, Sendable, Codable {
    /// The ID or the name.
    package var hub: String

    /// Creates the parameters.
    package init(hub: String) {
        self.hub = hub
    }
}
