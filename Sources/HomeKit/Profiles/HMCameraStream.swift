import Foundation

/// The live picture of a camera. There is no object of it here, as ``HMCameraProfile`` says.
/// - Since: iOS 10.0
public final class HMCameraStream: HMCameraSource, @unchecked Sendable {
    // @unchecked: restates what the superclass is.

    /// Which sound goes with the picture.
    /// - Since: iOS 10.0
    public var audioStreamSetting: HMCameraAudioStreamSetting {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// Chooses which sound goes with the picture.
    /// - Since: iOS 10.0
    @preconcurrency
    public func updateAudioStreamSetting(
        _ audioStreamSetting: HMCameraAudioStreamSetting,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        picture.unreachable()
    }

    /// Chooses which sound goes with the picture; see the form with a completion.
    /// - Since: iOS 10.0
    public func updateAudioStreamSetting(_ audioStreamSetting: HMCameraAudioStreamSetting) async throws {
        picture.unreachable()
    }
}
