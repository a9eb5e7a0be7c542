import HubAPI
import NIOCore

/// The connection that a request came on.
struct RequestConnection: Sendable {
    /// The channel: of the connection, or of the request's stream on it.
    let channel: any Channel
    /// Whether the connection is encrypted.
    let isEncrypted: Bool
    /// Whether many requests can be open on the connection, as in HTTP/2.
    let isMultiplexed: Bool

    /// Whether nobody else can read the connection: it is encrypted, or doesn't leave the machine.
    var isPrivate: Bool { isEncrypted || isLocal }

    /// Whether the connection doesn't leave the machine.
    var isLocal: Bool { Self.isLocal(channel.remoteAddress) }

    /// Throws if others can read the connection.
    ///
    /// - Throws: ``HubAPI/HubError/Code/insecureConnection``.
    func checkIsPrivate() throws(HubError) {
        guard !isPrivate else { return }
        let reason = "Backups, exports and imports need encryption, because others could read them on the way."
        throw HubError(.insecureConnection, "\(reason) Start the hub without --insecure-http.")
    }

    /// Returns whether an address is one of this machine's own that no other machine has.
    static func isLocal(_ address: SocketAddress?) -> Bool {
        guard let address = address?.ipAddress else { return false }
        return address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") || address == "::1"
    }
}

extension HubError.Code {
    /// The request is only possible over a connection that nobody else can read.
    static let insecureConnection = Self(rawValue: "insecureConnection")
}
