/// Why bytes on a secured connection can't be read, or no more can be sent. The connection must be closed.
public enum FrameError: Error, Hashable, Sendable {
    /// A frame's length is 0 or over 1024.
    case invalidLength(Int)
    /// A frame was not sealed with this key and the counter that is due: forged, altered, repeated or out of order.
    case authenticationFailed
    /// An earlier call threw; nothing that came after it can be trusted.
    case closed
    /// The cryptographic library failed to seal, or every counter of this key is used up.
    case sealingFailed
}
