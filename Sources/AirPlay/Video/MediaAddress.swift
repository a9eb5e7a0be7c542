internal import Foundation

/// The address of a film or a song that a receiver fetches itself. It begins with `http://` or `https://`.
package struct MediaAddress: Hashable, Sendable, CustomStringConvertible {
    /// The maximum length in bytes.
    package static let lengthLimit = 8_192

    /// The address as it was written.
    package let description: String

    /// Reads an address. Returns `nil` if it has another scheme or no host, is too long, or has characters that no
    /// address has.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.lengthLimit, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            let parts = URLComponents(string: text), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false
        else { return nil }
        description = text
    }
}
