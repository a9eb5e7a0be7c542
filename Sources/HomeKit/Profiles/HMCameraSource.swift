public import Foundation

/// A source of camera images. No object of this class exists here; see ``HMCameraProfile``.
/// - Since: iOS 10.0
public class HMCameraSource: NSObject, @unchecked Sendable {
    // @unchecked because the class has subclasses. No object of it exists.

    let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// The ratio of the picture's width to its height.
    /// - Since: iOS 14.5
    public var aspectRatio: Double { picture.unreachable() }
}
