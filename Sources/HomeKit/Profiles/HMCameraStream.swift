import Foundation

/// The live stream of a camera. No object of this class exists here; see ``HMCameraProfile``.
/// - Since: iOS 10.0
public final class HMCameraStream: HMCameraSource, @unchecked Sendable {
    // @unchecked restates the superclass's conformance.

    /// The audio of the stream.
    /// - Since: iOS 10.0
    public var audioStreamSetting: HMCameraAudioStreamSetting {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// Changes the audio of the stream.
    /// - Since: iOS 10.0
    @preconcurrency
    public func updateAudioStreamSetting(
        _ audioStreamSetting: HMCameraAudioStreamSetting,
        completionHandler completion: @escaping @Sendable ((any Error)?) -> Void
    ) {
        picture.unreachable()
    }

    /// Changes the audio of the stream; see the completion-handler form.
    /// - Since: iOS 10.0
    public func updateAudioStreamSetting(_ audioStreamSetting: HMCameraAudioStreamSetting) async throws {
        picture.unreachable()
    }
}
