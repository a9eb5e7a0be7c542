import Foundation

/// The speaker or the microphone of a camera.
///
/// It comes from ``HMCameraProfile/speakerControl`` or ``HMCameraProfile/microphoneControl``. Properties may be read on any
/// thread; what they give are characteristics like any others, to be read, written and observed.
/// - Since: iOS 10.0
public final class HMCameraAudioControl: HMCameraControl, @unchecked Sendable {
    // @unchecked: restates what the superclass is; all that it has is constant and Sendable.

    private let serviceType: String
    private let source: ProfileServices

    init(_ serviceType: String, _ source: ProfileServices) {
        self.serviceType = serviceType
        self.source = source
    }

    /// Whether it is silent; nil when the camera does not tell.
    /// - Since: iOS 10.0
    public var mute: HMCharacteristic? { source.characteristic(HMCharacteristicTypeMute, in: serviceType) }

    /// How loud it is, in percent; nil when the camera does not tell.
    /// - Since: iOS 10.0
    public var volume: HMCharacteristic? { source.characteristic(HMCharacteristicTypeVolume, in: serviceType) }

    /// Whether the camera has it.
    var isThere: Bool { source.services.contains { $0.serviceType == serviceType } }
}
