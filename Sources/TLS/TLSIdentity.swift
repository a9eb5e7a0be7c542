package import Foundation

/// What a server proves its identity with: a certificate, those of its issuers, and the private key.
package struct TLSIdentity: Sendable {
    /// The server's certificate first, then those that lead to an authority that clients trust.
    package let chain: [Certificate]
    /// The private key of the first certificate.
    package let key: PrivateKey

    init(chain: [Certificate], key: PrivateKey) {
        self.chain = chain
        self.key = key
    }

    /// Reads an identity in PEM's format.
    ///
    /// - Parameters:
    ///   - chain: The certificates, the server's first.
    ///   - key: The private key, not encrypted.
    package init(pemChain chain: [UInt8], pemKey key: [UInt8]) throws(TLSError) {
        self.init(chain: try Certificate.chain(pem: chain), key: try PrivateKey(pem: key))
    }

    /// The identity in PEM's format: certificates and key.
    package func pem() throws(TLSError) -> [UInt8] {
        var text: [UInt8] = []
        for certificate in chain { text += try certificate.pem() }
        return text + (try key.pem())
    }

    /// Reads what ``pem()`` returned.
    package init(pem: [UInt8]) throws(TLSError) {
        try self.init(pemChain: pem, pemKey: pem)
    }

    /// The host names and IP addresses that the certificate is for, in lowercase.
    package var names: [String] { chain[0].names }

    /// The end of the certificate's validity.
    package var expires: Date { chain[0].expires }
}
