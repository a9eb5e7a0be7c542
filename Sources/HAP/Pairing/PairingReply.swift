/// An accessory's reply as a controller reads it: decoded, of the state that was due, and no refusal.
struct PairingReply {
    let message: TLV8
    private let state: PairingState

    /// Reads a reply.
    ///
    /// - Parameters:
    ///   - state: the state that is due.
    ///   - authentication: what the accessory's error Authentication means at this point.
    init(
        _ bytes: some Collection<UInt8>,
        _ state: PairingState,
        authentication: PairingFailure.Code
    ) throws(PairingFailure) {
        do {
            message = try TLV8(decodingReply: bytes)
        } catch {
            throw PairingFailure(.malformedReply, reason: "\(state): \(error)")
        }
        self.state = state
        try Self.check(message, state, authentication: authentication)
    }

    /// Throws if the message is a refusal or not of the state that is due.
    static func check(
        _ message: TLV8,
        _ state: PairingState,
        authentication: PairingFailure.Code
    ) throws(PairingFailure) {
        if message[.error] != nil {
            guard let code = try? message.integer(.error) else {
                throw PairingFailure(.malformedReply, reason: "\(state): its Error is no number")
            }
            throw PairingFailure(refusedBy: PairingError(rawValue: code), at: state, authentication: authentication)
        }
        guard message.state == state else {
            throw PairingFailure(.malformedReply, reason: "\(state) was due, but the reply's State is another")
        }
    }

    /// A value that the reply must have, with this length if one is given.
    func value(_ type: TLVType, count: Int? = nil) throws(PairingFailure) -> [UInt8] {
        guard let value = message[type] else {
            throw PairingFailure(.malformedReply, reason: "\(state) lacks the item of type \(type.rawValue)")
        }
        if let count, value.count != count {
            throw PairingFailure(
                .malformedReply,
                reason: "\(state): the item of type \(type.rawValue) has \(value.count) bytes, not \(count)"
            )
        }
        return value
    }

    /// Reads the decrypted inside of the reply.
    func signedIdentity(_ plaintext: [UInt8]) throws(PairingFailure) -> SignedIdentity {
        do {
            return try SignedIdentity(decodingReply: plaintext)
        } catch {
            throw PairingFailure(.malformedReply, reason: "\(state): \(error)")
        }
    }
}

extension PairingFailure {
    /// A method was called that is not due.
    static let outOfOrder = PairingFailure(.outOfOrder, reason: "this reply is not due in the exchange")
    /// Signing or sealing failed.
    static let internalFailure = PairingFailure(.internalFailure, reason: "the cryptographic library failed")

    fileprivate init(refusedBy error: PairingError, at state: PairingState, authentication: Code) {
        let code: Code =
            switch error {
            case .authentication: authentication
            case .maxPeers: .noRoom
            case .maxTries: .tooManyTries
            case .unavailable: .alreadyPaired
            case .busy: .busy
            case .backoff: .mustWait
            case .unknown: .accessoryFailed
            default: .refused
            }
        self.init(code, reason: "the accessory answered \(error) in \(state)", accessoryError: error)
    }
}
