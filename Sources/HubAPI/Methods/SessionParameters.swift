package import Foundation

/// What a client says of itself.
///
/// The user and device are not here: the listener knows them, and a message that claimed them would not be believed.
package struct Hello: Hashable, Sendable, Codable {
    /// The version of the protocol that the client speaks: ``HubProtocol/version``.
    package var version: Int
    /// The app's identifier, for example `com.example.lights`.
    package var app: String
    /// Why the app wants to use the home: `NSHomeKitUsageDescription`.
    package var purpose: String
    /// How far the client has followed the logs before; nil has it told everything.
    package var seen: LogCursors?
    /// The client's last connection, if it ended before all replies were there and the client asks again on this one:
    /// what was changed by it is the client's own.
    package var former: PreviousConnection?
    /// The characteristics of whose changes the client hears from this greeting on, also once they are reachable again;
    /// at most ``HubProtocol/subscriptionsPerConnection``. For what it subscribed to on an earlier connection.
    package var subscriptions: CharacteristicSet?

    /// Makes the greeting of this version.
    package init(
        version: Int = HubProtocol.version,
        app: String,
        purpose: String,
        seen: LogCursors? = nil,
        former: PreviousConnection? = nil,
        subscriptions: CharacteristicSet? = nil
    ) {
        self.version = version
        self.app = app
        self.purpose = purpose
        self.seen = seen
        self.former = former
        self.subscriptions = subscriptions
    }
}

/// What the hub says of itself.
package struct Welcome: Hashable, Sendable, Codable {
    /// The version of the protocol that the hub speaks.
    package var version: Int
    /// Another one each time the hub starts. Replies to requests with keys are kept as long as it is the same, at least.
    package var run: UUID
    /// The identity of this connection, for a later greeting; nil of hubs that give none.
    package var client: UUID?
    /// Whether requests of durable methods (``Method/isDurable``) are known again by later starts of the hub; nil of hubs
    /// that know none.
    package var keepsRequests: Bool?

    /// Makes the hub's answer.
    package init(
        version: Int = HubProtocol.version,
        run: UUID,
        client: UUID? = nil,
        keepsRequests: Bool? = nil
    ) {
        self.version = version
        self.run = run
        self.client = client
        self.keepsRequests = keepsRequests
    }

    /// Why this code does not understand the hub; nil when it does.
    package var mismatch: HubError? { HubProtocol.mismatch(client: HubProtocol.version, hub: version) }
}

/// A connection that was, as its ``Welcome`` named it.
package struct PreviousConnection: Hashable, Sendable, Codable {
    /// The start of the hub.
    package var run: UUID
    /// The connection.
    package var client: UUID

    /// Names a connection.
    package init(run: UUID, client: UUID) {
        self.run = run
        self.client = client
    }
}
