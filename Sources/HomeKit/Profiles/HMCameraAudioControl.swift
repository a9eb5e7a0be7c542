import Foundation

/// The speaker or the microphone of a camera.
///
/// Get it from ``HMCameraProfile/speakerControl`` or ``HMCameraProfile/microphoneControl``. Properties can be read from
/// any thread. They return ordinary characteristics, which can be read, written and observed.
/// - Since: iOS 10.0
public final class HMCameraAudioControl: HMCameraControl, @unchecked Sendable {
    // @unchecked restates the superclass's conformance. All stored properties are immutable and Sendable.

    private let serviceType: String
    private let source: ProfileServices

    init(_ serviceType: String, _ source: ProfileServices) {
        self.serviceType = serviceType
        self.source = source
    }

    /// Whether it is muted, or `nil` if the camera doesn't report that.
    /// - Since: iOS 10.0
    public var mute: HMCharacteristic? { source.characteristic(HMCharacteristicTypeMute, in: serviceType) }

    /// The volume in percent, or `nil` if the camera doesn't report that.
    /// - Since: iOS 10.0
    public var volume: HMCharacteristic? { source.characteristic(HMCharacteristicTypeVolume, in: serviceType) }

    /// Whether the camera has this speaker or microphone.
    var isAvailable: Bool { source.services.contains { $0.serviceType == serviceType } }
}
