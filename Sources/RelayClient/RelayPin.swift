import Foundation
package import TLS

/// By what hubs and devices recognize a relay whose certificate no authority has signed: the first 16 bytes of the SHA-256 digest of
/// its key.
///
/// It is the fragment of the relay's address, and so goes wherever the address goes: to devices, and into links. While a relay is about
/// to get another key, its address has the pins of both.
package struct RelayPin: Hashable, Sendable, CustomStringConvertible {
    /// The maximum number of pins in an address: that of the key that a relay has, and that of the one that it will have.
    package static let maximumCount = 2

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

    /// Reads the fragment of a relay's address, in which pins are separated by `&`. Returns `nil` if it isn't that.
    static func pins(fragment: String) -> Set<RelayPin>? {
        let parts = fragment.split(separator: "&", omittingEmptySubsequences: false)
        let pins = Set(parts.compactMap { RelayPin(text: String($0)) })
        guard pins.count == parts.count, pins.count <= maximumCount else { return nil }
        return pins
    }

    /// Reads a pin as ``description`` writes it. Returns `nil` if the text is anything else.
    private init?(text pin: String) {
        guard pin.hasPrefix(Self.prefix) else { return nil }
        let text =
            String(pin.dropFirst(Self.prefix.count)).replacing("-", with: "+").replacing("_", with: "/") + "=="
        guard let data = Data(base64Encoded: text), data.count == Self.byteCount else { return nil }
        bytes = Array(data)
        // There is one spelling of each pin.
        guard description == pin else { return nil }
    }

    /// The pin as the fragment of an address.
    package var description: String {
        let text = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return Self.prefix + text.replacing("=", with: "")
    }
}
