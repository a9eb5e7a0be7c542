import Crypto

/// The bytes of the key exchange, which precedes the configuration.
enum KeyExchange {
    /// The version of the exchange, which a request begins with.
    static let version: UInt8 = 1
    /// Another value that controllers send in its place, for the same exchange.
    static let alternativeVersion: UInt8 = 0x10
    /// The length of an X25519 public key.
    static let keyLength = 32
    /// The length of the certificate of an accessory without an authentication chip: its Ed25519 public key.
    static let certificateLength = 32
    private static let lengthLength = 4

    /// Returns the body of a request.
    static func request(_ publicKey: [UInt8]) -> [UInt8] { [version] + publicKey }

    /// Reads the public key in a request.
    static func publicKey(ofRequest body: [UInt8]) throws(WirelessSetupError) -> [UInt8] {
        guard body.count == keyLength + 1 else { throw .malformedMessage("a key exchange has \(keyLength + 1) bytes") }
        guard body[0] == version || body[0] == alternativeVersion else {
            throw .malformedMessage("version \(body[0]) of the key exchange is unknown")
        }
        return Array(body.dropFirst())
    }

    /// A reply: a public key, a certificate and a signature, the latter encrypted.
    struct Reply: Hashable, Sendable {
        var publicKey: [UInt8]
        var certificate: [UInt8]
        var sealedSignature: [UInt8]

        init(publicKey: [UInt8], certificate: [UInt8], sealedSignature: [UInt8]) {
            self.publicKey = publicKey
            self.certificate = certificate
            self.sealedSignature = sealedSignature
        }

        /// Reads a reply.
        init(_ body: [UInt8]) throws(WirelessSetupError) {
            guard body.count <= WirelessSetupLimits.messageLength else { throw .messageTooLong }
            var rest = body[...]
            publicKey = try Self.read(keyLength, from: &rest)
            certificate = try Self.readCounted(from: &rest)
            sealedSignature = try Self.readCounted(from: &rest)
            guard rest.isEmpty else { throw .malformedMessage("the key exchange has \(rest.count) extra bytes") }
        }

        /// The body of the reply.
        var body: [UInt8] {
            publicKey + Self.counted(certificate) + Self.counted(sealedSignature)
        }

        private static func counted(_ bytes: [UInt8]) -> [UInt8] {
            withUnsafeBytes(of: UInt32(bytes.count).bigEndian, Array.init) + bytes
        }

        private static func readCounted(from rest: inout ArraySlice<UInt8>) throws(WirelessSetupError) -> [UInt8] {
            let count = try read(lengthLength, from: &rest).reduce(0) { $0 << UInt8.bitWidth | Int($1) }
            return try read(count, from: &rest)
        }

        private static func read(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(WirelessSetupError) -> [UInt8]
        {
            guard count <= rest.count else { throw .malformedMessage("the key exchange is truncated") }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
    }

    /// Returns the cipher that a private key and the peer's public key agree on.
    static func cipher(
        _ key: Curve25519.KeyAgreement.PrivateKey,
        with publicKey: [UInt8]
    ) throws(WirelessSetupError) -> ExchangeCipher {
        do {
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey)
            let secret = try key.sharedSecretFromKeyAgreement(with: peer)
            // A public key of low order makes the secret all zeros, whoever has which private key (RFC 7748, section 6.1).
            guard secret.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw WirelessSetupError.invalidKey }
            return ExchangeCipher(secret: secret)
        } catch {
            throw .invalidKey
        }
    }
}
