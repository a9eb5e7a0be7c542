/// The response to a proof.
package struct SessionReply: Hashable, Sendable, Codable {
    /// What to present as the bearer token of requests.
    package var token: String
    /// The end of its validity, in milliseconds since 1970 by the relay's clock.
    package var expires: Int64

    /// Creates a response.
    package init(token: String, expires: Int64) {
        self.token = token
        self.expires = expires
    }
}
