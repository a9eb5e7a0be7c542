import AccessoryCheck
import Crypto
import HAP
import HAPCatalog

/// An accessory's side of pair-verify that lies in M2.
struct ForgedVerify: Sendable {
    /// What is wrong.
    enum Lie: Sendable {
        /// Another accessory answers, which has the same device ID and other keys.
        case otherKeys
        /// The signature doesn't verify.
        case signature
        /// The key is of low order, which makes the secret known to everybody.
        case lowOrderKey
        /// The identifier isn't that of the pairing. The signature is right.
        case identifier
        /// The authentication tag is wrong.
        case tag
    }

    let setting: Setting
    let lie: Lie
    private let stranger = LongTermKeyPair.random()

    init(_ setting: Setting, _ lie: Lie) {
        self.setting = setting
        self.lie = lie
    }

    /// Answers a message. M3, which no controller may send, is refused.
    func answer(_ request: HTTPRequest, _: ConnectionID) throws -> Trap.Answer? {
        let message = RawMessage.values(request.body)
        guard message[6] == [1], let key = message[3] else {
            return Trap.Answer(bytes: HTTPResponse.pairing([6, 1, 4, 7, 1, 2]).encoded(), springs: false)
        }
        return Trap.Answer(bytes: HTTPResponse.pairing(try m2(key)).encoded(), springs: true)
    }

    private func m2(_ controllerKey: [UInt8]) throws -> [UInt8] {
        let ephemeral = Curve25519.KeyAgreement.PrivateKey()
        var accessoryKey = Array(ephemeral.publicKey.rawRepresentation)
        let secret: [UInt8]
        if lie == .lowOrderKey {
            accessoryKey = [UInt8](repeating: 0, count: 32)
            secret = [UInt8](repeating: 0, count: 32)
        } else {
            let peer = try Curve25519.KeyAgreement.PublicKey(rawRepresentation: controllerKey)
            secret = try ephemeral.sharedSecretFromKeyAgreement(with: peer).withUnsafeBytes { Array($0) }
        }
        let deviceID = lie == .identifier ? DeviceID.random() : setting.identity.deviceID
        let identifier = Array(deviceID.description.utf8)
        let keys = lie == .otherKeys ? stranger : setting.identity.keyPair
        var signature = try keys.signature(for: accessoryKey + identifier + controllerKey)
        if lie == .signature { signature[0] ^= 1 }
        let payload = RawMessage.tlv((1, identifier), (10, signature))
        let key = KeyDerivation.pairVerifyEncryption.derive(from: secret)
        var sealed = try RawMessage.seal(payload, key: key, nonce: "PV-Msg02")
        if lie == .tag { sealed[sealed.count - 1] ^= 1 }
        return RawMessage.tlv((6, [2]), (3, accessoryKey), (5, sealed))
    }
}

extension HTTPResponse {
    /// The response to a pairing message.
    static func pairing(_ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: .ok, headers: ["Content-Type": HAPContentType.pairing], body: body)
    }
}
