/// Why a peer did not do what a test waited for. The description shows everything the peer has said so far.
public struct PeerProcessError: Error, CustomStringConvertible {
    /// What was expected, what happened, and the output so far.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}
