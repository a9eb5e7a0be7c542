public import Foundation

/// A delegate that receives the start and the end of a camera's live stream. It is never called here; see
/// ``HMCameraProfile``. Methods are optional.
/// - Since: iOS 10.0
public protocol HMCameraStreamControlDelegate: NSObjectProtocol {
    /// The stream started.
    /// - Since: iOS 10.0
    func cameraStreamControlDidStartStream(_ cameraStreamControl: HMCameraStreamControl)
    /// The stream stopped, or couldn't start. The error says why, unless the app stopped it.
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
