import Foundation
package import TLS

/// By what hubs and devices recognize a relay whose certificate no authority has signed: the first 16 bytes of the SHA-256 digest of
/// its key.
///
/// It is the fragment of the relay's address, and so goes wherever the address goes: to devices, and into links.
package struct RelayPin: Hashable, Sendable, CustomStringConvertible {
    private static let byteCount = 16
    private static let prefix = "pin="

    private let bytes: [UInt8]

    /// Creates the pin of a certificate's key.
    package init(_ certificate: Certificate) {
        self.init(keyDigest: certificate.keyDigest)
    }

    init(keyDigest: [UInt8]) {
        bytes = Array(keyDigest.prefix(Self.byteCount))
    }

    /// Reads the fragment of a relay's address. Returns `nil` if it isn't a pin.
    package init?(fragment: String) {
        guard fragment.hasPrefix(Self.prefix) else { return nil }
        let text =
            String(fragment.dropFirst(Self.prefix.count)).replacing("-", with: "+").replacing("_", with: "/") + "=="
        guard let data = Data(base64Encoded: text), data.count == Self.byteCount else { return nil }
        bytes = Array(data)
        // There is one spelling of each pin.
        guard description == fragment else { return nil }
    }

    /// The pin as the fragment of an address.
    package var description: String {
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return Self.prefix + text.replacing("=", with: "")
    }
}
