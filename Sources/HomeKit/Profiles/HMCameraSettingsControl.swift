import Foundation

/// The settings of a camera's picture and position.
///
/// Get it from ``HMCameraProfile/settingsControl``. Properties can be read from any thread. They return ordinary
/// characteristics, which can be read, written and observed, or `nil` if the camera lacks the setting.
/// - Since: iOS 10.0
public final class HMCameraSettingsControl: HMCameraControl, @unchecked Sendable {
    // @unchecked restates the superclass's conformance. All stored properties are immutable and Sendable.

    private let source: ProfileServices

    init(_ source: ProfileServices) {
        self.source = source
    }

    /// Whether night vision is on.
    /// - Since: iOS 10.0
    public var nightVision: HMCharacteristic? { source.characteristic(HMCharacteristicTypeNightVision) }

    /// The current horizontal tilt, in degrees.
    /// - Since: iOS 10.0
    public var currentHorizontalTilt: HMCharacteristic? {
        source.characteristic(HMCharacteristicTypeCurrentHorizontalTilt)
    }

    /// The target horizontal tilt, in degrees.
    /// - Since: iOS 10.0
    public var targetHorizontalTilt: HMCharacteristic? {
        source.characteristic(HMCharacteristicTypeTargetHorizontalTilt)
    }

    /// The current vertical tilt, in degrees.
    /// - Since: iOS 10.0
    public var currentVerticalTilt: HMCharacteristic? { source.characteristic(HMCharacteristicTypeCurrentVerticalTilt) }

    /// The target vertical tilt, in degrees.
    /// - Since: iOS 10.0
    public var targetVerticalTilt: HMCharacteristic? { source.characteristic(HMCharacteristicTypeTargetVerticalTilt) }

    /// The optical zoom.
    /// - Since: iOS 10.0
    public var opticalZoom: HMCharacteristic? { source.characteristic(HMCharacteristicTypeOpticalZoom) }

    /// The digital zoom.
    /// - Since: iOS 10.0
    public var digitalZoom: HMCharacteristic? { source.characteristic(HMCharacteristicTypeDigitalZoom) }

    /// The rotation of the image, in degrees.
    /// - Since: iOS 10.0
    public var imageRotation: HMCharacteristic? { source.characteristic(HMCharacteristicTypeImageRotation) }

    /// Whether the image is mirrored.
    /// - Since: iOS 10.0
    public var imageMirroring: HMCharacteristic? { source.characteristic(HMCharacteristicTypeImageMirroring) }

    /// Whether the camera has any of these settings.
    var isAvailable: Bool {
        let types: Set = [
            HMCharacteristicTypeNightVision, HMCharacteristicTypeCurrentHorizontalTilt,
            HMCharacteristicTypeTargetHorizontalTilt, HMCharacteristicTypeCurrentVerticalTilt,
            HMCharacteristicTypeTargetVerticalTilt, HMCharacteristicTypeOpticalZoom, HMCharacteristicTypeDigitalZoom,
            HMCharacteristicTypeImageRotation, HMCharacteristicTypeImageMirroring,
        ]
        return source.services.flatMap(\.characteristics).contains { types.contains($0.characteristicType) }
    }
}
