/// A protocol above TLS.
package enum ApplicationProtocol: String, Sendable {
    case http2 = "h2"
    case http1 = "http/1.1"
    /// The lines of a hub's sessions, between a hub and a device that know each other's keys.
    case hearth = "hearth/1"
    /// The exchange by which a device joins a hub.
    case hearthJoin = "hearth-join/1"
    /// The lines between two hubs that keep homes together.
    case hearthHub = "hearth-hub/1"

    /// The protocols between hubs and devices.
    static let pinned: [ApplicationProtocol] = [.hearth, .hearthJoin, .hearthHub]

    /// The name after a byte with its length, as the handshake has it (RFC 7301, 3.1).
    var wireName: [UInt8] { [UInt8(rawValue.utf8.count)] + Array(rawValue.utf8) }
}
