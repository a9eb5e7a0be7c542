public import Foundation

/// Hears that a camera's live picture comes or ends. It is never called here, as ``HMCameraProfile`` says; every method may
/// be left out.
/// - Since: iOS 10.0
public protocol HMCameraStreamControlDelegate: NSObjectProtocol {
    /// The picture comes.
    /// - Since: iOS 10.0
    func cameraStreamControlDidStartStream(_ cameraStreamControl: HMCameraStreamControl)
    /// The picture comes no longer; the error says why it ended by itself or did not come at all.
    /// - Since: iOS 10.0
    func cameraStreamControl(
        _ cameraStreamControl: HMCameraStreamControl,
        didStopStreamWithError error: (any Error)?
    )
}

extension HMCameraStreamControlDelegate {
    /// Does nothing.
    public func cameraStreamControlDidStartStream(_ cameraStreamControl: HMCameraStreamControl) {}
    /// Does nothing.
    public func cameraStreamControl(
        _ cameraStreamControl: HMCameraStreamControl,
        didStopStreamWithError error: (any Error)?
    ) {}
}
