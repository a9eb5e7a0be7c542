import Crypto

/// The accessory's side of one configuration, on one connection. Without I/O.
package struct SetupResponder: Sendable {
    private enum State: Sendable {
        case idle
        case ready(ExchangeCipher)
        case finished
    }

    private let signingKey: Curve25519.Signing.PrivateKey
    private let information: SetupInformation
    private var state = State.idle

    /// Creates the accessory's side of a configuration.
    ///
    /// - Parameters:
    ///   - signingKey: The accessory's Ed25519 private key, 32 bytes, in place of an authentication chip.
    ///   - information: The information that the accessory replies with.
    package init(signingKey: [UInt8], information: SetupInformation) throws(WirelessSetupError) {
        do {
            self.signingKey = try Curve25519.Signing.PrivateKey(rawRepresentation: signingKey)
        } catch {
            throw .invalidKey
        }
        self.information = information
    }

    /// Creates the accessory's side of a configuration with a new signing key.
    package init(information: SetupInformation) {
        signingKey = Curve25519.Signing.PrivateKey()
        self.information = information
    }

    /// Handles a request to ``SetupPath/exchange``, and returns the body of the reply. A second request starts over.
    ///
    /// - Parameter privateKey: The X25519 key to use, 32 bytes; `nil` for a new one.
    package mutating func exchange(
        _ body: [UInt8],
        privateKey: [UInt8]? = nil
    ) throws(WirelessSetupError) -> [UInt8] {
        if case .finished = state { throw .outOfOrder }
        state = .idle
        let peer = try KeyExchange.publicKey(ofRequest: body)
        let key: Curve25519.KeyAgreement.PrivateKey
        let signature: [UInt8]
        do {
            key = try privateKey.map { try .init(rawRepresentation: $0) } ?? .init()
            signature = Array(try signingKey.signature(for: Array(key.publicKey.rawRepresentation) + peer))
        } catch {
            throw .invalidKey
        }
        var cipher = try KeyExchange.cipher(key, with: peer)
        let reply = KeyExchange.Reply(
            publicKey: Array(key.publicKey.rawRepresentation),
            certificate: Array(signingKey.publicKey.rawRepresentation),
            sealedSignature: try cipher.apply(to: signature)
        )
        state = .ready(cipher)
        return reply.body
    }

    /// Handles a request to ``SetupPath/configure``.
    ///
    /// - Returns: The configuration, and the body of the reply.
    /// - Throws: ``WirelessSetupError``. The controller must exchange keys again then.
    package mutating func configure(
        _ body: [UInt8]
    ) throws(WirelessSetupError) -> (configuration: SetupConfiguration, reply: [UInt8]) {
        guard case .ready(var cipher) = state else { throw .outOfOrder }
        state = .idle
        guard body.count <= WirelessSetupLimits.messageLength else { throw .messageTooLong }
        let configuration = try SetupConfiguration(decoding: try cipher.apply(to: body))
        let reply = try cipher.apply(to: information.encoded())
        state = .finished
        return (configuration, reply)
    }
}
