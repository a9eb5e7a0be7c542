/// The audio of a camera's stream.
/// - Since: iOS 10.0
public enum HMCameraAudioStreamSetting: UInt, Sendable {
    /// No audio.
    /// - Since: iOS 10.0
    case muted = 1
    /// Audio from the camera.
    /// - Since: iOS 10.0
    case incomingAudioAllowed = 2
    /// Audio in both directions.
    /// - Since: iOS 10.0
    case bidirectionalAudioAllowed = 3
}
