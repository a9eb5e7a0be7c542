import Foundation

/// What starts and ends the live picture of a camera. There is no object of it here, as ``HMCameraProfile`` says.
/// - Since: iOS 10.0
public final class HMCameraStreamControl: HMCameraControl, @unchecked Sendable {
    // @unchecked: restates what the superclass is.

    private let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// Who hears that the picture comes or ends; held weakly.
    /// - Since: iOS 10.0
    public var delegate: (any HMCameraStreamControlDelegate)? {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// Whether the picture comes.
    /// - Since: iOS 10.0
    public var streamState: HMCameraStreamState { picture.unreachable() }

    /// The picture, while it comes.
    /// - Since: iOS 10.0
    public var cameraStream: HMCameraStream? { picture.unreachable() }

    /// Starts the picture.
    /// - Since: iOS 10.0
    public func startStream() { picture.unreachable() }

    /// Ends the picture.
    /// - Since: iOS 10.0
    public func stopStream() { picture.unreachable() }
}
