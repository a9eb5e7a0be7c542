import Foundation

extension TLSIdentity {
    /// The times between which a certificate of a key is valid: 2020 to the end of 9999. Nobody checks them, because the
    /// clocks of homes are often wrong; the key decides.
    private static let validity = (
        from: Date(timeIntervalSince1970: 1_577_836_800), to: Date(timeIntervalSince1970: 253_402_300_799)
    )

    /// Creates the identity of an Ed25519 key: a certificate that contains nothing but the key, signed by it.
    ///
    /// - Parameter seed: The key's seed, 32 bytes.
    package init(ed25519Seed seed: [UInt8]) throws(TLSError) {
        let key = try PrivateKey(ed25519Seed: seed)
        let draft = try CertificateDraft(key: key, from: Self.validity.from, to: Self.validity.to)
        self.init(chain: [try draft.signed(by: key, of: nil)], key: key)
    }
}
