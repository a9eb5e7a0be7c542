public import Foundation

/// Hears of single pictures of a camera. It is never called here, as ``HMCameraProfile`` says; every method may be left out.
/// - Since: iOS 10.0
public protocol HMCameraSnapshotControlDelegate: NSObjectProtocol {
    /// A picture was taken, or could not be, as the error says.
    /// - Since: iOS 10.0
    func cameraSnapshotControl(
        _ cameraSnapshotControl: HMCameraSnapshotControl,
        didTake snapshot: HMCameraSnapshot?,
        error: (any Error)?
    )
    /// Another picture is the last one.
    /// - Since: iOS 10.1
    func cameraSnapshotControlDidUpdateMostRecentSnapshot(_ cameraSnapshotControl: HMCameraSnapshotControl)
}

extension HMCameraSnapshotControlDelegate {
    /// Does nothing.
    public func cameraSnapshotControl(
        _ cameraSnapshotControl: HMCameraSnapshotControl,
        didTake snapshot: HMCameraSnapshot?,
        error: (any Error)?
    ) {}
    /// Does nothing.
    public func cameraSnapshotControlDidUpdateMostRecentSnapshot(_ cameraSnapshotControl: HMCameraSnapshotControl) {}
}
