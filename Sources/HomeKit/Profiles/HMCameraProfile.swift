import Foundation
import HomeModel

/// The camera profile of an accessory: its streams, microphone, speaker and settings.
///
/// An accessory has a camera profile, always the same object, while it has a service of type
/// ``HMServiceTypeCameraRTPStreamManagement``. The profile's services are those, and the camera's control, operating
/// mode, recording, microphone and speaker.
///
/// Pictures can't be shown on Linux, which lacks Apple's view for them, so ``streamControl`` and ``snapshotControl``
/// are `nil`. Settings work as for any other accessory.
/// - Since: iOS 10.0
public final class HMCameraProfile: HMAccessoryProfile, @unchecked Sendable {
    // @unchecked restates the superclass's conformance. All stored properties are immutable and Sendable.

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

    /// The control of the live stream. Always `nil`, because there is no way to show it.
    /// - Since: iOS 10.0
    public var streamControl: HMCameraStreamControl? { nil }

    /// The control of snapshots. Always `nil`, because there is no way to show them.
    /// - Since: iOS 10.0
    public var snapshotControl: HMCameraSnapshotControl? { nil }

    /// The camera's settings, or `nil` if it has none.
    /// - Since: iOS 10.0
    public var settingsControl: HMCameraSettingsControl? { settings.isAvailable ? settings : nil }

    /// The camera's speaker, or `nil` if it has none.
    /// - Since: iOS 10.0
    public var speakerControl: HMCameraAudioControl? { speaker.isAvailable ? speaker : nil }

    /// The camera's microphone, or `nil` if it has none.
    /// - Since: iOS 10.0
    public var microphoneControl: HMCameraAudioControl? { microphone.isAvailable ? microphone : nil }
}
