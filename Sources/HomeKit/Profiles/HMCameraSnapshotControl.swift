import Foundation

/// What takes single pictures of a camera. There is no object of it here, as ``HMCameraProfile`` says.
/// - Since: iOS 10.0
public final class HMCameraSnapshotControl: HMCameraControl, @unchecked Sendable {
    // @unchecked: restates what the superclass is.

    private let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// Who hears of pictures; held weakly.
    /// - Since: iOS 10.0
    public var delegate: (any HMCameraSnapshotControlDelegate)? {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// The picture that was taken last.
    /// - Since: iOS 10.0
    public var mostRecentSnapshot: HMCameraSnapshot? { picture.unreachable() }

    /// Takes a picture.
    /// - Since: iOS 10.0
    public func takeSnapshot() { picture.unreachable() }
}
