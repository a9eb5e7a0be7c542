/// Why a relay doesn't do what a request asks for. The request is tried again.
package struct FeedRelayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of reasons.
    package enum Reason: Hashable, Sendable {
        /// The relay can't be reached, or can't answer now.
        case outOfReach
        /// The relay doesn't know the house or the feed.
        case unknown
        /// The relay no longer has the entries.
        case dropped
        /// The relay has something newer.
        case outdated
        /// The relay refuses the request, or it can't be made.
        case refused
    }

    /// The kind.
    package var reason: Reason
    /// What is wrong and what to do, for people.
    package var message: String
    /// The time after which to try again, in seconds; `nil` if the relay doesn't say.
    package var retryAfter: Int?

    /// Creates an error.
    package init(_ message: String, reason: Reason = .outOfReach, retryAfter: Int? = nil) {
        self.reason = reason
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The message.
    package var description: String { message }
}
