package import Foundation

/// Begins to keep everybody's feeds at a relay, or moves them to another one.
package struct EnableSync: Hashable, Sendable, Codable {
    /// The relay's address, such as `https://relay.example.org`.
    package var relay: String
    /// The registration token that the relay's operator gave; `nil` for none.
    package var token: String?
    /// Whether an encrypted backup is kept at the relay; `nil` for as before.
    package var keepsVault: Bool?

    /// Creates a request.
    package init(relay: String, token: String? = nil, keepsVault: Bool? = nil) {
        self.relay = relay
        self.token = token
        self.keepsVault = keepsVault
    }
}

/// How the feeds stand.
package struct SyncStatus: Hashable, Sendable, Codable {
    /// What a feed's writer does. Unknown values are preserved.
    package struct State: Hashable, Sendable, Codable, RawRepresentable {
        /// The state's name.
        package var rawValue: String

        /// Creates a state from its name.
        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// It is starting, or writing.
        package static let writing = State(rawValue: "writing")
        /// The relay has everything.
        package static let current = State(rawValue: "current")
        /// It waits for the relay.
        package static let waiting = State(rawValue: "waiting")
        /// It writes nothing until somebody decides.
        package static let stopped = State(rawValue: "stopped")
    }

    /// A person's feed.
    package struct Feed: Hashable, Sendable, Codable {
        /// The person's name.
        package var person: String
        /// The feed's ID, 32 hexadecimal digits.
        package var feed: String
        /// The number of devices that may read it.
        package var devices: Int
        /// What its writer does.
        package var state: State
        /// When that began, in the hub's time.
        package var since: Date
        /// The number of the last entry that the relay has; 0 for none.
        package var entries: Int
        /// Why it waits or is stopped, for people; `nil` otherwise.
        package var reason: String?
        /// The error's code if it is stopped, such as `storeRolledBack`; `nil` otherwise.
        package var code: String?

        /// Creates a feed's status.
        package init(
            person: String,
            feed: String,
            devices: Int,
            state: State,
            since: Date,
            entries: Int,
            reason: String? = nil,
            code: String? = nil
        ) {
            self.person = person
            self.feed = feed
            self.devices = devices
            self.state = state
            self.since = since
            self.entries = entries
            self.reason = reason
            self.code = code
        }
    }

    /// The backup at the relay.
    package struct Vault: Hashable, Sendable, Codable {
        /// When it was made, in the hub's time; `nil` if there is none yet.
        package var made: Date?
        /// Why the last one could not be made, for people; `nil` if it was.
        package var problem: String?

        /// Creates a description of the backup.
        package init(made: Date? = nil, problem: String? = nil) {
            self.made = made
            self.problem = problem
        }
    }

    /// The relay's address; `nil` while sync is off.
    package var relay: String?
    /// The ID of the hub at the relay, 16 hexadecimal digits.
    package var house: String?
    /// The feeds, in the order of their persons' names.
    package var feeds: [Feed]
    /// The number of feeds that are still to be ended at a relay.
    package var ending: Int
    /// The backup at the relay; `nil` if none is kept.
    package var vault: Vault?

    /// Creates a status.
    package init(
        relay: String? = nil,
        house: String? = nil,
        feeds: [Feed] = [],
        ending: Int = 0,
        vault: Vault? = nil
    ) {
        self.vault = vault
        self.relay = relay
        self.house = house
        self.feeds = feeds
        self.ending = ending
    }
}
