public import Foundation

/// A picture: the bytes of a JPEG or PNG file. Apple's systems have `UIImage` or `NSImage` in its place.
public struct MPArtworkImage: Hashable, Sendable {
    /// The bytes.
    public let data: Data

    /// Creates a picture from the bytes of a JPEG or PNG file.
    public init(data: Data) {
        self.data = data
    }
}

/// The picture of what plays.
/// - Since: iOS 3.0
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
    // @unchecked because the class is open and apps' handlers aren't Sendable. Only the thread that reports calls it.

    /// The greatest size of the picture.
    /// - Since: iOS 5.0
    public let bounds: CGRect
    private let handler: (CGSize) -> MPArtworkImage

    /// Creates artwork.
    ///
    /// - Parameters:
    ///   - boundsSize: The greatest size.
    ///   - requestHandler: A closure that returns the picture in a size. It is called when the artwork is reported.
    /// - Since: iOS 10.0
    public init(boundsSize: CGSize, requestHandler: @escaping (CGSize) -> MPArtworkImage) {
        bounds = CGRect(origin: CGPoint(x: 0, y: 0), size: boundsSize)
        handler = requestHandler
    }

    /// Returns the picture in a size.
    /// - Since: iOS 3.0
    open func image(at size: CGSize) -> MPArtworkImage? { handler(size) }
}
