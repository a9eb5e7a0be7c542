/// The limits of stored requests. Beyond them, the oldest are removed.
package enum RequestLimits {
    /// The maximum number of requests.
    package static let count = 4_096
    /// The maximum number of bytes of all replies.
    package static let bytes = 1 << 24
    /// The maximum age of a request in milliseconds of the hub's clock: seven days. It is checked when another request
    /// is stored.
    package static let age: Int64 = 7 * 24 * 60 * 60 * 1_000
}
