public import Foundation

/// What the QR code or NFC tag of an accessory says: a URL that begins with `X-HM://`, with the set-up code and which
/// accessory it is of.
///
/// - Since: iOS 11.3
public final class HMAccessorySetupPayload: NSObject, Sendable {
    /// Where every URL of a set-up code begins.
    private static let scheme = "X-HM://"
    /// How many letters and digits follow.
    private static let length = 13

    /// The URL's text, as the hub takes it.
    let text: String
    /// What shows that the app's user owns the accessory, if anything does.
    let ownershipToken: HMAccessoryOwnershipToken?

    /// Makes a payload of a scanned URL; nil if it is none of a set-up code. Whether the code in it can be used shows when
    /// the accessory is set up.
    ///
    /// - Since: iOS 11.3
    public convenience init?(url setupPayloadUrl: URL?) {
        guard let setupPayloadUrl else { return nil }
        self.init(url: setupPayloadUrl, ownershipToken: nil)
    }

    /// Makes a payload of a scanned URL and a proof of ownership; nil if the URL is none of a set-up code.
    ///
    /// The proof is kept and not sent: HAP over IP has no place for it.
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
