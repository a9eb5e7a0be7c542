import Foundation

/// How a camera looks and turns.
///
/// It comes from ``HMCameraProfile/settingsControl``. Properties may be read on any thread; what they give are
/// characteristics like any others, to be read, written and observed, and nil where the camera has no such.
/// - Since: iOS 10.0
public final class HMCameraSettingsControl: HMCameraControl, @unchecked Sendable {
    // @unchecked: restates what the superclass is; all that it has is constant and Sendable.

    private let source: ProfileServices

    init(_ source: ProfileServices) {
        self.source = source
    }

    /// Whether it sees in the dark.
    /// - Since: iOS 10.0
    public var nightVision: HMCharacteristic? { source.characteristic(HMCharacteristicTypeNightVision) }

    /// How far it is turned aside, in degrees.
    /// - Since: iOS 10.0
    public var currentHorizontalTilt: HMCharacteristic? {
        source.characteristic(HMCharacteristicTypeCurrentHorizontalTilt)
    }

    /// How far it shall turn aside, in degrees.
    /// - Since: iOS 10.0
    public var targetHorizontalTilt: HMCharacteristic? {
        source.characteristic(HMCharacteristicTypeTargetHorizontalTilt)
    }

    /// How far it is turned up or down, in degrees.
    /// - Since: iOS 10.0
    public var currentVerticalTilt: HMCharacteristic? { source.characteristic(HMCharacteristicTypeCurrentVerticalTilt) }

    /// How far it shall turn up or down, in degrees.
    /// - Since: iOS 10.0
    public var targetVerticalTilt: HMCharacteristic? { source.characteristic(HMCharacteristicTypeTargetVerticalTilt) }

    /// How much its lens enlarges.
    /// - Since: iOS 10.0
    public var opticalZoom: HMCharacteristic? { source.characteristic(HMCharacteristicTypeOpticalZoom) }

    /// How much it enlarges the picture that it took.
    /// - Since: iOS 10.0
    public var digitalZoom: HMCharacteristic? { source.characteristic(HMCharacteristicTypeDigitalZoom) }

    /// By how many degrees it turns the picture.
    /// - Since: iOS 10.0
    public var imageRotation: HMCharacteristic? { source.characteristic(HMCharacteristicTypeImageRotation) }

    /// Whether it mirrors the picture.
    /// - Since: iOS 10.0
    public var imageMirroring: HMCharacteristic? { source.characteristic(HMCharacteristicTypeImageMirroring) }

    /// Whether the camera has any of it.
    var isThere: Bool {
        let types: Set = [
            HMCharacteristicTypeNightVision, HMCharacteristicTypeCurrentHorizontalTilt,
            HMCharacteristicTypeTargetHorizontalTilt, HMCharacteristicTypeCurrentVerticalTilt,
            HMCharacteristicTypeTargetVerticalTilt, HMCharacteristicTypeOpticalZoom, HMCharacteristicTypeDigitalZoom,
            HMCharacteristicTypeImageRotation, HMCharacteristicTypeImageMirroring,
        ]
        return source.services.flatMap(\.characteristics).contains { types.contains($0.characteristicType) }
    }
}
