package import TLS

/// Whom a client of a relay believes.
package enum RelayTrust: Sendable {
    /// The authorities of the system.
    case system
    /// Only these certificates.
    case certificates([Certificate])
}
