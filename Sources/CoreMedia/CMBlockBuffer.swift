public import Foundation
import Synchronization

/// Bytes of media.
///
/// This is a class because sample buffers share it. Its bytes can be changed on any thread.
/// - Since: iOS 4.0
public final class CMBlockBuffer: Sendable {
    /// The maximum number of bytes: 256 MiB.
    public static let lengthLimit = 268_435_456

    private let bytes: Mutex<Data>

    /// Creates a buffer of zeros.
    ///
    /// - Throws: `NSError` with the code ``kCMBlockBufferBadLengthParameterErr`` if the length is negative or above
    ///   ``lengthLimit``.
    /// - Since: iOS 13.0
    public init(length: Int) throws {
        guard (0...Self.lengthLimit).contains(length) else { throw mediaError(kCMBlockBufferBadLengthParameterErr) }
        bytes = Mutex(Data(count: length))
    }

    /// The number of bytes.
    /// - Since: iOS 13.0
    public var dataLength: Int { bytes.withLock { $0.count } }

    /// Returns a copy of the bytes.
    /// - Since: iOS 13.0
    public func dataBytes() throws -> Data { bytes.withLock { $0 } }

    /// Replaces bytes from a position.
    ///
    /// - Throws: `NSError` with the code ``kCMBlockBufferBadLengthParameterErr`` if they don't fit.
    /// - Since: iOS 13.0
    public func replaceDataBytes(with source: UnsafeRawBufferPointer, offset: Int = 0) throws {
        let new = Data(source)
        try bytes.withLock { bytes in
            guard offset >= 0, offset <= bytes.count, new.count <= bytes.count - offset else {
                throw mediaError(kCMBlockBufferBadLengthParameterErr)
            }
            bytes.replaceSubrange(offset..<offset + new.count, with: new)
        }
    }
}
