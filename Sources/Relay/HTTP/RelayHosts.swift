import Foundation
import NIOCore
import RelayAPI
import WebServer

/// The hosts under which clients reach a relay. A session's proof is for one of them, so that a hostile relay can't use the
/// proofs that it gets at another one.
struct RelayHosts: Sendable {
    /// The public hosts and ports, as in the relay's URLs, in lowercase.
    let publicHosts: [String]
    /// The address that was requested.
    let address: HTTPAddress
    /// The names of the certificate; none without one.
    let names: @Sendable () -> [String]
    /// Whether the relay encrypts by itself.
    let isEncrypted: Bool

    /// Returns whether a request's host is this relay.
    func accepts(_ host: String, at local: SocketAddress?) -> Bool {
        if publicHosts.contains(host) { return true }
        guard let port = local?.port else { return false }
        let isStandard = port == (isEncrypted ? 443 : 80)
        var hosts = names()
        if RequestConnection.isLocal(local) { hosts += ["127.0.0.1", "localhost", "[::1]"] }
        if publicHosts.isEmpty, let address = local?.ipAddress {
            hosts.append(address.contains(":") ? "[\(address)]" : address)
        }
        return hosts.contains { host == "\($0):\(port)" || isStandard && host == $0 }
    }
}
