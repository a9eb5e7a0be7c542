package import NIOCore

/// A way to another hub. Whoever is found there proves with its key that it is the hub.
package enum HubWay: Sendable {
    /// An address on this network.
    case address(SocketAddress)
    /// A connected socket that somebody else opens, such as through a relay.
    case socket(open: @Sendable () async throws -> CInt)
}
