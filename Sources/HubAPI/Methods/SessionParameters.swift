package import Foundation

/// The client's introduction.
///
/// The user and the device aren't included: the listener knows them, and wouldn't trust a message that claimed them.
package struct Hello: Hashable, Sendable, Codable {
    /// The client's protocol version: ``HubProtocol/version``.
    package var version: Int
    /// The app's identifier, for example `com.example.lights`.
    package var app: String
    /// Why the app needs access to the homes, as in `NSHomeKitUsageDescription`.
    package var purpose: String
    /// The client's position in the logs; `nil` to receive the full state.
    package var seen: LogCursors?
    /// The client's previous connection, if it closed before all replies arrived and the client retries the requests on
    /// this one. Changes that the previous connection made count as the client's own.
    package var former: PreviousConnection?
    /// The characteristics to subscribe to from now on, including those that are unreachable at first; at most
    /// ``HubProtocol/subscriptionsPerConnection``. Clients pass what they subscribed to on an earlier connection.
    package var subscriptions: CharacteristicSet?
    /// Whether the client is an AI assistant with the name in ``app``; `nil` for `false`. The hub then lets it call the
    /// methods in ``HubMethods/forAssistants`` only, and asks a person before it unlocks or opens something. A claim is
    /// enough, because it takes rights away.
    package var isAssistant: Bool?
    /// The agent whose own session it is; `nil` for all other clients. An agent is told members by the home's own user IDs,
    /// and all values.
    package var agent: AgentIntroduction?

    /// Creates an introduction with this version.
    package init(
        version: Int = HubProtocol.version,
        app: String,
        purpose: String,
        seen: LogCursors? = nil,
        former: PreviousConnection? = nil,
        subscriptions: CharacteristicSet? = nil,
        isAssistant: Bool? = nil,
        agent: AgentIntroduction? = nil
    ) {
        self.version = version
        self.app = app
        self.purpose = purpose
        self.seen = seen
        self.former = former
        self.subscriptions = subscriptions
        self.isAssistant = isAssistant
        self.agent = agent
    }
}

/// The hub's introduction.
package struct Welcome: Hashable, Sendable, Codable {
    /// The hub's protocol version.
    package var version: Int
    /// The ID of the hub's run, new at each start. Replies to requests with idempotency keys are kept at least as long
    /// as it stays the same.
    package var run: UUID
    /// The ID of this connection, for a later ``Hello``; `nil` if the hub doesn't assign one.
    package var client: UUID?
    /// Whether the hub recognizes repeated requests of durable methods (``Method/isDurable``) after a restart; `nil`
    /// from hubs that don't support this.
    package var keepsRequests: Bool?
    /// The interfaces on which the hub finds accessories, by name or address, empty for all; `nil` for apps and from
    /// hubs that don't say it.
    package var interfaces: [String]?
    /// Whether the hub treats the client as an AI assistant. `nil` from hubs that don't know assistants, where a client
    /// must not act for one.
    package var isAssistant: Bool?
    /// What an agent has to tell its person, such as that the device was removed from a home; `nil` for nothing, and from
    /// hubs.
    package var notices: [String]?
    /// Whether an agent replies that has joined no hub, so that there is nothing to show or change; `nil` is `false`.
    package var hasNoHub: Bool?

    /// The hub's running clock, in milliseconds, which times of expiry are by. It never goes back while the hub's machine
    /// runs. `nil` from hubs that don't know expiry.
    package var clock: Int64?

    /// Creates the hub's introduction.
    package init(
        version: Int = HubProtocol.version,
        run: UUID,
        client: UUID? = nil,
        keepsRequests: Bool? = nil,
        interfaces: [String]? = nil,
        isAssistant: Bool? = nil,
        notices: [String]? = nil,
        hasNoHub: Bool? = nil,
        clock: Int64? = nil
    ) {
        self.clock = clock
        self.notices = notices
        self.hasNoHub = hasNoHub
        self.version = version
        self.run = run
        self.client = client
        self.keepsRequests = keepsRequests
        self.interfaces = interfaces
        self.isAssistant = isAssistant
    }

    /// An error if this code and the hub don't understand each other, otherwise `nil`.
    package var mismatch: HubError? { HubProtocol.mismatch(client: HubProtocol.version, hub: version) }
}

/// An earlier connection, as its ``Welcome`` identified it.
package struct PreviousConnection: Hashable, Sendable, Codable {
    /// The hub's run.
    package var run: UUID
    /// The ID of the connection.
    package var client: UUID

    /// Creates a reference to a connection.
    package init(run: UUID, client: UUID) {
        self.run = run
        self.client = client
    }
}
