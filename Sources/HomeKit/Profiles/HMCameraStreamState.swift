/// Whether a camera sends its live picture.
/// - Since: iOS 10.0
public enum HMCameraStreamState: UInt, Sendable {
    /// It is about to.
    /// - Since: iOS 10.0
    case starting = 1
    /// It does.
    /// - Since: iOS 10.0
    case streaming = 2
    /// It is about to end.
    /// - Since: iOS 10.0
    case stopping = 3
    /// It does not.
    /// - Since: iOS 10.0
    case notStreaming = 4
}
