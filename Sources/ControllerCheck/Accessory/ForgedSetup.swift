import AccessoryCheck
import Crypto
import HAP
import Synchronization

/// An accessory's side of pair-setup that lies once. It knows the setup code, so that the controller notices only the
/// lie.
///
/// It is a class because the server's closures share it.
final class ForgedSetup: Sendable {
    /// What is wrong.
    enum Lie: Sendable {
        /// B is 0.
        case zeroKey
        /// The proof in M4 is wrong.
        case proof
        /// The authentication tag of M6 is wrong.
        case tag
        /// The signature in M6 is wrong.
        case signature
        /// M6 has another device ID than is advertised.
        case deviceID
    }

    private struct State {
        var servers: [ConnectionID: SRPServer] = [:]
        var keys: [ConnectionID: [UInt8]] = [:]
    }

    private let setting: Setting
    private let lie: Lie
    private let verifier: SRPVerifier
    private let state = Mutex(State())

    init(_ setting: Setting, _ lie: Lie) {
        self.setting = setting
        self.lie = lie
        verifier = SRPVerifier(setupCode: setting.code)
    }

    /// Answers a message.
    func answer(_ request: HTTPRequest, _ connection: ConnectionID) throws -> Trap.Answer? {
        let message = RawMessage.values(request.body)
        switch message[6] {
        case [1]:
            var random = SystemRandomNumberGenerator()
            let server = SRPServer(verifier: verifier, using: &random)
            let hasLied = lie == .zeroKey
            let key = hasLied ? [UInt8](repeating: 0, count: 384) : server.publicKey
            // One attempt at a time, so that nothing grows.
            state.withLock { $0 = State(servers: [connection: server]) }
            return answer(RawMessage.tlv((6, [2]), (2, verifier.salt), (3, key)), springs: hasLied)
        case [3]:
            guard let server = state.withLock({ $0.servers.removeValue(forKey: connection) }),
                let agreement = try? server.agree(clientKey: message[3] ?? [], clientProof: message[4] ?? [])
            else { return answer([6, 1, 4, 7, 1, 2], springs: false) }
            state.withLock { $0.keys[connection] = agreement.sessionKey }
            var proof = agreement.serverProof
            if lie == .proof { proof[0] ^= 1 }
            return answer(RawMessage.tlv((6, [4]), (4, proof)), springs: lie == .proof)
        case [5]:
            guard let key = state.withLock({ $0.keys.removeValue(forKey: connection) }) else {
                return answer([6, 1, 6, 7, 1, 2], springs: false)
            }
            return answer(try m6(key), springs: true)
        default:
            return nil
        }
    }

    private func m6(_ sessionKey: [UInt8]) throws -> [UInt8] {
        let identity = setting.identity
        let deviceID = lie == .deviceID ? DeviceID.random() : identity.deviceID
        let identifier = Array(deviceID.description.utf8)
        let publicKey = identity.keyPair.publicKey.bytes
        let prefix = KeyDerivation.pairSetupAccessorySignature.derive(from: sessionKey)
        var signature = try identity.keyPair.signature(for: prefix + identifier + publicKey)
        if lie == .signature { signature[0] ^= 1 }
        let payload = RawMessage.tlv((1, identifier), (3, publicKey), (10, signature))
        let key = KeyDerivation.pairSetupEncryption.derive(from: sessionKey)
        var sealed = try RawMessage.seal(payload, key: key, nonce: "PS-Msg06")
        if lie == .tag { sealed[sealed.count - 1] ^= 1 }
        return RawMessage.tlv((6, [6]), (5, sealed))
    }

    private func answer(_ body: [UInt8], springs: Bool) -> Trap.Answer {
        Trap.Answer(bytes: HTTPResponse.pairing(body).encoded(), springs: springs)
    }
}
