/// Which sound goes with a camera's live picture.
/// - Since: iOS 10.0
public enum HMCameraAudioStreamSetting: UInt, Sendable {
    /// None.
    /// - Since: iOS 10.0
    case muted = 1
    /// What the camera hears.
    /// - Since: iOS 10.0
    case incomingAudioAllowed = 2
    /// What the camera hears, and what people say to it.
    /// - Since: iOS 10.0
    case bidirectionalAudioAllowed = 3
}
