public import Foundation

/// A single picture of a camera. There is no object of it here, as ``HMCameraProfile`` says.
/// - Since: iOS 10.0
public final class HMCameraSnapshot: HMCameraSource, @unchecked Sendable {
    // @unchecked: restates what the superclass is.

    /// When the picture was taken.
    /// - Since: iOS 10.0
    public var captureDate: Date { picture.unreachable() }
}
