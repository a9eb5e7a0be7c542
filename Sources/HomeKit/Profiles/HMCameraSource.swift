public import Foundation

/// Something that a camera shows. There is no object of it here, as ``HMCameraProfile`` says.
/// - Since: iOS 10.0
public class HMCameraSource: NSObject, @unchecked Sendable {
    // @unchecked: the class has subclasses, so the compiler cannot know; there is no object of it.

    let picture: UnavailableMedia

    init(_ picture: UnavailableMedia) {
        self.picture = picture
    }

    /// The picture's width by its height.
    /// - Since: iOS 14.5
    public var aspectRatio: Double { picture.unreachable() }
}
