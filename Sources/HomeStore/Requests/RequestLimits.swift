/// How much is kept of requests that were carried out. The oldest go first.
package enum RequestLimits {
    /// The most requests.
    package static let count = 4_096
    /// The most bytes in their replies.
    package static let bytes = 1 << 24
    /// How long a request is kept at the most, in milliseconds of the hub's clock: seven days. It is looked at when
    /// another request is stored.
    package static let age: Int64 = 7 * 24 * 60 * 60 * 1_000
}
