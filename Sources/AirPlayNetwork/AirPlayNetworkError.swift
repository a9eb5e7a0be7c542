package import AirPlay

/// An error of a receiver's or a sender's sockets.
package enum AirPlayNetworkError: Error, Hashable, Sendable {
    /// An address or a port can't be listened on.
    case portRefused(String)
    /// No receiver of this name was found.
    case notFound(String)
    /// The receiver requires encryption that needs Apple's keys.
    case encryptionRequired
    /// The receiver can't be reached.
    case unreachable(String)
    /// The receiver closed the connection, or didn't respond in time.
    case disconnected
    /// The receiver refused the stream.
    case failed(SenderFailure)
}
