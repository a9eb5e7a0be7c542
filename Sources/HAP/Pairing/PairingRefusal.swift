/// An error with which an accessory ends an exchange.
enum PairingRefusal: Error {
    /// The message is malformed; answer with HTTP 400.
    case malformed(MalformedMessage)
    /// An error to send in the reply's TLV8.
    case error(PairingError)

    static func malformed(_ reason: String) -> PairingRefusal {
        .malformed(MalformedMessage(reason))
    }
}

extension TLV8 {
    /// Decodes a controller's message.
    init(request bytes: some Collection<UInt8>) throws(PairingRefusal) {
        do {
            try self.init(decodingMessage: bytes)
        } catch {
            throw .malformed(MalformedMessage(error))
        }
    }
}

extension SignedIdentity {
    /// Decodes the decrypted payload of a controller's message.
    init(request plaintext: [UInt8]) throws(PairingRefusal) {
        do {
            try self.init(decoding: plaintext)
        } catch {
            throw .malformed(error)
        }
    }
}
