public import Foundation

/// The setup payload in an accessory's QR code or NFC tag: a URL that begins with `X-HM://` and contains the setup code
/// and the setup ID.
///
/// - Since: iOS 11.3
public final class HMAccessorySetupPayload: NSObject, Sendable {
    /// The prefix of every setup payload.
    private static let scheme = "X-HM://"
    /// The number of letters and digits after the prefix.
    private static let length = 13

    /// The URL as the hub accepts it.
    let text: String
    /// A proof that the app's user owns the accessory, if any.
    let ownershipToken: HMAccessoryOwnershipToken?

    /// Creates a payload from a scanned URL. Returns `nil` if the URL isn't a setup payload. Its setup code is
    /// validated when the accessory is set up.
    ///
    /// - Since: iOS 11.3
    public convenience init?(url setupPayloadUrl: URL?) {
        guard let setupPayloadUrl else { return nil }
        self.init(url: setupPayloadUrl, ownershipToken: nil)
    }

    /// Creates a payload from a scanned URL and a proof of ownership. Returns `nil` if the URL isn't a setup payload.
    ///
    /// The proof isn't sent, because HAP over IP has no field for it.
    ///
    /// - Since: iOS 13.0
    public init?(url setupPayloadUrl: URL, ownershipToken: HMAccessoryOwnershipToken?) {
        let text = setupPayloadUrl.absoluteString
        let body = text.dropFirst(Self.scheme.count)
        guard text.uppercased().hasPrefix(Self.scheme), body.utf8.count == Self.length,
            body.utf8.filter({ !Self.isAlphanumeric($0) }).isEmpty
        else { return nil }
        self.text = text
        self.ownershipToken = ownershipToken
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
