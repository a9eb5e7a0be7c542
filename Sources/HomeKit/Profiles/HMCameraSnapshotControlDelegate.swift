public import Foundation

/// A delegate that receives snapshots of a camera. It is never called here; see ``HMCameraProfile``. Methods are
/// optional.
/// - Since: iOS 10.0
public protocol HMCameraSnapshotControlDelegate: NSObjectProtocol {
    /// A snapshot was taken, or failed with the error.
    /// - Since: iOS 10.0
    func cameraSnapshotControl(
        _ cameraSnapshotControl: HMCameraSnapshotControl,
        didTake snapshot: HMCameraSnapshot?,
        error: (any Error)?
    )
    /// The last snapshot changed.
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
