internal import Crypto
internal import HAP

/// A picture of what plays.
package struct Artwork: Hashable, Sendable {
    /// The maximum length of the file, in bytes.
    package static let lengthLimit = HTTPLimits.rtsp.bodyLength

    /// The media type, such as `image/jpeg`.
    package var contentType: String
    /// The bytes of the file.
    package var bytes: [UInt8]

    /// Creates artwork.
    package init(contentType: String, bytes: [UInt8]) {
        self.contentType = contentType
        self.bytes = bytes
    }

    /// Creates artwork from a file. Returns `nil` if it isn't JPEG or PNG, or is too long.
    package init?(file bytes: [UInt8]) {
        guard bytes.count <= Self.lengthLimit else { return nil }
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self.init(contentType: "image/jpeg", bytes: bytes)
        } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self.init(contentType: "image/png", bytes: bytes)
        } else {
            return nil
        }
    }

    /// The SHA-256 of the file, in hexadecimal.
    package var sha256: String { SHA256.hash(data: bytes).hexadecimal }
}
