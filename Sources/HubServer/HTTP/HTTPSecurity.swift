import Foundation

/// How a listener protects its connections.
package enum HTTPSecurity: Hashable, Sendable {
    /// It doesn't: HTTP without encryption.
    case none
    /// HTTPS with a certificate of the hub's own authority.
    case ownAuthority
    /// HTTPS with a certificate and key in files, which are read again when they change.
    case files(certificate: String, key: String)
}
