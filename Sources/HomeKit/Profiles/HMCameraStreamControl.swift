import Foundation

/// A control that starts and stops a camera's live stream. No object of this class exists here; see
/// ``HMCameraProfile``.
/// - Since: iOS 10.0
public final class HMCameraStreamControl: HMCameraControl, @unchecked Sendable {
    // @unchecked restates the superclass's conformance.

    private let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// The delegate that receives the start and the end of the stream, held weakly.
    /// - Since: iOS 10.0
    public var delegate: (any HMCameraStreamControlDelegate)? {
        get { picture.unreachable() }
        set { picture.unreachable() }
    }

    /// The state of the stream.
    /// - Since: iOS 10.0
    public var streamState: HMCameraStreamState { picture.unreachable() }

    /// The stream, or `nil` if it isn't running.
    /// - Since: iOS 10.0
    public var cameraStream: HMCameraStream? { picture.unreachable() }

    /// Starts the stream.
    /// - Since: iOS 10.0
    public func startStream() { picture.unreachable() }

    /// Stops the stream.
    /// - Since: iOS 10.0
    public func stopStream() { picture.unreachable() }
}
