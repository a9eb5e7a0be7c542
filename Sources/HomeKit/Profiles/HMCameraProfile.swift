import Foundation
import HomeModel

/// The camera that an accessory is: its streams, microphone, speaker and settings.
///
/// It exists while the accessory has a service of ``HMServiceTypeCameraRTPStreamManagement``, and stays the same object as
/// long. Its services are those, and the camera's control, operating mode, recording, microphone and speaker.
///
/// Pictures cannot be shown on Linux, where there is no view of Apple's to show them: ``streamControl`` and
/// ``snapshotControl`` are nil. What can be set is set as of any other accessory.
/// - Since: iOS 10.0
public final class HMCameraProfile: HMAccessoryProfile, @unchecked Sendable {
    // @unchecked: restates what the superclass is; all that it has is constant and Sendable.

    private let settings: HMCameraSettingsControl
    private let speaker: HMCameraAudioControl
    private let microphone: HMCameraAudioControl

    init(of accessory: HMAccessory) {
        let source = ProfileServices(of: accessory)
        settings = HMCameraSettingsControl(source)
        speaker = HMCameraAudioControl(HMServiceTypeSpeaker, source)
        microphone = HMCameraAudioControl(HMServiceTypeMicrophone, source)
        super.init(Home.cameraID(of: accessory.uniqueIdentifier), source)
    }

    /// What starts and ends the live picture: always nil, since there is nothing to show one.
    /// - Since: iOS 10.0
    public var streamControl: HMCameraStreamControl? { nil }

    /// What takes single pictures: always nil, since there is nothing to show one.
    /// - Since: iOS 10.0
    public var snapshotControl: HMCameraSnapshotControl? { nil }

    /// How the camera looks and turns; nil when nothing of it can be set or read.
    /// - Since: iOS 10.0
    public var settingsControl: HMCameraSettingsControl? { settings.isThere ? settings : nil }

    /// The camera's speaker; nil when it has none.
    /// - Since: iOS 10.0
    public var speakerControl: HMCameraAudioControl? { speaker.isThere ? speaker : nil }

    /// The camera's microphone; nil when it has none.
    /// - Since: iOS 10.0
    public var microphoneControl: HMCameraAudioControl? { microphone.isThere ? microphone : nil }
}
