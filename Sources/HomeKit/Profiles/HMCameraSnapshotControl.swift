import Foundation

/// A control that takes snapshots of a camera. No object of this class exists here; see ``HMCameraProfile``.
/// - Since: iOS 10.0
public final class HMCameraSnapshotControl: HMCameraControl, @unchecked Sendable {
    // @unchecked restates the superclass's conformance.

    private let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// The delegate that receives snapshots, held weakly.
    /// - Since: iOS 10.0
    public var delegate: (any HMCameraSnapshotControlDelegate)? {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// The last snapshot.
    /// - Since: iOS 10.0
    public var mostRecentSnapshot: HMCameraSnapshot? { picture.unreachable() }

    /// Takes a snapshot.
    /// - Since: iOS 10.0
    public func takeSnapshot() { picture.unreachable() }
}
