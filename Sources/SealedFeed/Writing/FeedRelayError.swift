/// Why a relay doesn't answer a request. The request is tried again.
package struct FeedRelayError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, for people.
    package var message: String
    /// The time after which to try again, in seconds; `nil` if the relay doesn't say.
    package var retryAfter: Int?

    /// Creates an error.
    package init(_ message: String, retryAfter: Int? = nil) {
        self.message = message
        self.retryAfter = retryAfter
    }

    /// The message.
    package var description: String { message }
}
