/// The reason why a peer didn't do what a test expected. The description has everything the peer has written so far.
public struct PeerProcessError: Error, CustomStringConvertible {
    /// What was expected, what happened, and the output so far.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
