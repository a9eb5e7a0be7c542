import Crypto

/// The controller's side of one configuration: exchanges keys with an accessory, then sends it the network's name and
/// passphrase. Without I/O.
///
/// The accessory's signature proves only that the reply belongs to this exchange. It doesn't prove who the accessory is,
/// because an accessory without an authentication chip signs with a key that no one vouches for.
package struct SetupController: Sendable {
    private enum State: Sendable {
        case exchanging
        case ready(ExchangeCipher)
        case awaitingReply(ExchangeCipher)
        case finished
    }

    private let key: Curve25519.KeyAgreement.PrivateKey
    private var state = State.exchanging

    /// Creates a configuration with a new key.
    package init() {
        key = Curve25519.KeyAgreement.PrivateKey()
    }

    /// Creates a configuration with a key of 32 bytes.
    package init(privateKey: [UInt8]) throws(WirelessSetupError) {
        do {
            key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: privateKey)
        } catch {
            throw .invalidKey
        }
    }

    /// The body of the first request, to ``SetupPath/exchange``.
    package var exchangeRequest: [UInt8] { KeyExchange.request(Array(key.publicKey.rawRepresentation)) }

    /// Handles the reply to the first request.
    ///
    /// - Throws: ``WirelessSetupError``. The configuration has failed then.
    package mutating func handleExchange(_ body: [UInt8]) throws(WirelessSetupError) {
        guard case .exchanging = state else { throw .outOfOrder }
        state = .finished
        let reply = try KeyExchange.Reply(body)
        var cipher = try KeyExchange.cipher(key, with: reply.publicKey)
        let signature = try cipher.apply(to: reply.sealedSignature)
        guard reply.certificate.count == KeyExchange.certificateLength,
            let signer = try? Curve25519.Signing.PublicKey(rawRepresentation: reply.certificate)
        else { throw .unsupportedCertificate }
        let message = reply.publicKey + Array(key.publicKey.rawRepresentation)
        guard signer.isValidSignature(signature, for: message) else { throw .invalidSignature }
        state = .ready(cipher)
    }

    /// Returns the body of the second request, to ``SetupPath/configure``.
    package mutating func configure(_ configuration: SetupConfiguration) throws(WirelessSetupError) -> [UInt8] {
        guard case .ready(var cipher) = state else { throw .outOfOrder }
        let body = try cipher.apply(to: configuration.encoded())
        state = .awaitingReply(cipher)
        return body
    }

    /// Handles the reply to the second request, after which the accessory joins the network.
    package mutating func handleConfiguration(_ body: [UInt8]) throws(WirelessSetupError) -> SetupInformation {
        guard case .awaitingReply(var cipher) = state else { throw .outOfOrder }
        state = .finished
        guard body.count <= WirelessSetupLimits.messageLength else { throw .messageTooLong }
        return try SetupInformation(decoding: try cipher.apply(to: body))
    }
}
