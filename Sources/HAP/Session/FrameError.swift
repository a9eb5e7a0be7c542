/// An error in the frames of a secured connection. Close the connection.
public enum FrameError: Error, Hashable, Sendable {
    /// A frame's length is 0 or greater than 1024.
    case invalidLength(Int)
    /// A frame was not sealed with this key and the expected counter: it is forged, altered, repeated or out of order.
    case authenticationFailed
    /// An earlier call threw an error, so later bytes can't be trusted.
    case closed
    /// The cryptographic library failed, or the key's counter is exhausted.
    case sealingFailed
}
