import Foundation
import HubAPI

/// The connections to hubs that did the work of sessions with several hubs, so that a client's retries on its next session
/// count as its own. The oldest sessions are forgotten first.
struct RememberedSessions: Sendable {
    /// A connection of a session, as it is stored.
    struct Entry: Hashable, Sendable, Codable {
        /// The session.
        var session: UUID
        /// The agent's ID of the hub.
        var hub: UUID
        /// The connection.
        var connection: PreviousConnection
    }

    private var connections: [UUID: [UUID: PreviousConnection]] = [:]
    /// The sessions in their order.
    private var order: ArraySlice<UUID> = []

    init(_ entries: some Sequence<Entry> = []) {
        for entry in entries { remember(entry) }
    }

    /// Remembers a connection, in the place of an earlier one of the session to the same hub.
    mutating func remember(_ entry: Entry) {
        if connections[entry.session] == nil { order.append(entry.session) }
        connections[entry.session, default: [:]][entry.hub] = entry.connection
        if order.count > AgentLimits.rememberedSessions { connections[order.removeFirst()] = nil }
    }

    /// Returns what is known of a client's previous connection to a hub.
    func former(_ previous: PreviousConnection, at hub: UUID) -> FormerConnection {
        guard let connections = connections[previous.client] else { return .unknown }
        return connections[hub].map(FormerConnection.known) ?? .none
    }

    /// The connections in the order of their sessions.
    var entries: [Entry] {
        order.flatMap { session in
            (connections[session] ?? [:]).map { Entry(session: session, hub: $0.key, connection: $0.value) }
        }
    }
}
