package import RelayAPI

/// Why a relay can't be asked.
package enum RelayClientError: Error, Hashable, Sendable {
    /// The URL isn't that of a relay.
    case invalidURL(String)
    /// The relay can't be reached, or the connection ended before the answer.
    case unreachable(String)
    /// The answer isn't a relay's.
    case invalidAnswer(String)
    /// The relay refuses the request.
    case refused(RelayError)
}
