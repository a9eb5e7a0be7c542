public import Foundation

/// A snapshot of a camera. No object of this class exists here; see ``HMCameraProfile``.
/// - Since: iOS 10.0
public final class HMCameraSnapshot: HMCameraSource, @unchecked Sendable {
    // @unchecked restates the superclass's conformance.

    /// The date when the picture was taken.
    /// - Since: iOS 10.0
    public var captureDate: Date { picture.unreachable() }
}
