/// The state of a camera's live stream.
/// - Since: iOS 10.0
public enum HMCameraStreamState: UInt, Sendable {
    /// The stream is starting.
    /// - Since: iOS 10.0
    case starting = 1
    /// The stream is running.
    /// - Since: iOS 10.0
    case streaming = 2
    /// The stream is stopping.
    /// - Since: iOS 10.0
    case stopping = 3
    /// The stream isn't running.
    /// - Since: iOS 10.0
    case notStreaming = 4
}
