/// The accessory's side of pair-verify (`POST /pair-verify`) on one connection.
public struct PairVerifyAccessory: Sendable, Redacted {
    /// The response to a message.
    public enum Action: Hashable, Sendable {
        /// Answer with these bytes and HTTP 200. The state of the connection doesn't change.
        case reply([UInt8])
        /// Answer with HTTP 400. The exchange, if any, is over.
        case badRequest(MalformedMessage)
        /// Answer with these bytes and HTTP 200, still in the clear. All bytes after them are framed in both
        /// directions.
        case replyThenSecure([UInt8], VerifiedController)
    }

    private struct Exchange {
        let controllerKey: [UInt8]
        let accessoryKey: [UInt8]
        let sharedSecret: [UInt8]
        let encryptionKey: AEADKey
    }

    private enum Stage {
        case awaitingM1
        case awaitingM3(Exchange)
        case secured
    }

    private let identity: AccessoryIdentity
    private var stage = Stage.awaitingM1

    /// Creates the accessory's side for a new connection.
    public init(identity: AccessoryIdentity) {
        self.identity = identity
    }

    /// Whether M2 was sent and M3 hasn't been received.
    package var isInProgress: Bool {
        if case .awaitingM3 = stage { true } else { false }
    }

    /// Handles the body of a request. M1 restarts the exchange at any time. On a secured connection, all messages are
    /// rejected.
    ///
    /// - Parameters:
    ///   - message: The body of the request.
    ///   - pairings: The pairings that are currently stored.
    ///   - generator: A cryptographically secure generator.
    public mutating func handle(
        _ message: some Collection<UInt8>,
        pairings: PairingList,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        let current = stage
        if case .secured = current {
            return .badRequest(MalformedMessage("pair-verify on a secured connection"))
        }
        // A message that doesn't continue the exchange ends it.
        stage = .awaitingM1
        var answer = PairingState.m2
        do throws(PairingRefusal) {
            let message = try TLV8(request: message)
            switch message.state {
            case .m1:
                return .reply(try start(message, using: &generator))
            case .m3:
                answer = .m4
                guard case .awaitingM3(let exchange) = current else { throw .malformed("M3 without M1") }
                let controller = try verify(message, exchange: exchange, pairings: pairings)
                stage = .secured
                return .replyThenSecure(TLV8(state: .m4).encoded(), controller)
            default:
                throw .malformed("State is not that of a controller's message")
            }
        } catch {
            switch error {
            case .malformed(let malformed): return .badRequest(malformed)
            case .error(let error): return .reply(TLV8(state: answer, error: error).encoded())
            }
        }
    }

    private mutating func start(
        _ m1: TLV8,
        using generator: inout some RandomNumberGenerator
    ) throws(PairingRefusal) -> [UInt8] {
        // The Method is optional, but it must not be another one.
        guard m1[.method] == nil || m1.method == .pairVerify else { throw .malformed("Method is not pair-verify") }
        guard let controllerKey = m1.value(.publicKey, count: EphemeralKeyPair.length) else {
            throw .malformed("M1 lacks a PublicKey of the right length")
        }
        let ephemeral = EphemeralKeyPair(using: &generator)
        guard let sharedSecret = ephemeral.sharedSecret(with: controllerKey) else { throw .error(.authentication) }
        let exchange = Exchange(
            controllerKey: controllerKey,
            accessoryKey: ephemeral.publicKey,
            sharedSecret: sharedSecret,
            encryptionKey: AEADKey(KeyDerivation.pairVerifyEncryption.derive(from: sharedSecret))
        )
        let encrypted: [UInt8]
        do {
            let accessory = try SignedIdentity(
                identifier: identity.deviceID.identifier,
                keyPair: identity.keyPair,
                includesKey: false,
                before: exchange.accessoryKey,
                after: exchange.controllerKey
            )
            encrypted = exchange.encryptionKey.seal(accessory.encoded(), nonce: .pairVerifyM2)
        } catch {
            throw .error(.unknown)
        }
        stage = .awaitingM3(exchange)
        let items = [TLV8.Item(.publicKey, exchange.accessoryKey), TLV8.Item(.encryptedData, encrypted)]
        return TLV8(state: .m2, items).encoded()
    }

    private func verify(
        _ m3: TLV8,
        exchange: Exchange,
        pairings: PairingList
    ) throws(PairingRefusal) -> VerifiedController {
        guard let encrypted = m3[.encryptedData] else { throw .malformed("M3 lacks EncryptedData") }
        guard let plaintext = exchange.encryptionKey.open(encrypted, nonce: .pairVerifyM3) else {
            throw .error(.authentication)
        }
        let controller = try SignedIdentity(request: plaintext)
        guard let id = PairingID(identifier: controller.identifier), let pairing = pairings[id],
            controller.isSigned(
                by: pairing.publicKey,
                before: exchange.controllerKey,
                after: exchange.accessoryKey
            )
        else { throw .error(.authentication) }
        return VerifiedController(
            controllerID: id,
            keys: SessionKeys(sharedSecret: exchange.sharedSecret)
        )
    }
}
