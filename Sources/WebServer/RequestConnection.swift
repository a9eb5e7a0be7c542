package import NIOCore

/// The connection that a request came on.
package struct RequestConnection: Sendable {
    /// The channel: of the connection, or of the request's stream on it.
    package let channel: any Channel
    /// Whether the connection is encrypted.
    package let isEncrypted: Bool
    /// Whether many requests can be open on the connection, as in HTTP/2.
    package let isMultiplexed: Bool

    /// Whether nobody else can read the connection: it is encrypted, or doesn't leave the machine.
    package var isPrivate: Bool { isEncrypted || isLocal }

    /// Whether the connection doesn't leave the machine.
    package var isLocal: Bool { Self.isLocal(channel.remoteAddress) }

    /// Returns whether an address is one of this machine's own that no other machine has.
    package static func isLocal(_ address: SocketAddress?) -> Bool {
        address?.ipAddress.map { isLocal($0) } ?? false
    }

    /// Returns whether an IP address is one of this machine's own that no other machine has.
    static func isLocal(_ address: String) -> Bool {
        address.hasPrefix("127.") || address.hasPrefix("::ffff:127.") || address == "::1"
    }
}
