/// An accessory's reply, decoded and checked: it has the expected state and is not a refusal.
struct PairingReply {
    let message: TLV8
    private let state: PairingState

    /// Decodes and checks a reply.
    ///
    /// - Parameters:
    ///   - state: The expected state.
    ///   - authentication: The meaning of the accessory's error Authentication in this reply.
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

    /// Throws if the message is a refusal or doesn't have the expected state.
    static func check(
        _ message: TLV8,
        _ state: PairingState,
        authentication: PairingFailure.Code
    ) throws(PairingFailure) {
        if message[.error] != nil {
            guard let code = try? message.integer(.error) else {
                throw PairingFailure(.malformedReply, reason: "\(state): the Error is not a number")
            }
            throw PairingFailure(refusedBy: PairingError(rawValue: code), at: state, authentication: authentication)
        }
        guard message.state == state else {
            throw PairingFailure(.malformedReply, reason: "expected \(state), but the reply has another State")
        }
    }

    /// Returns a required value, which must have the given length if there is one.
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

    /// Decodes the decrypted payload of the reply.
    func signedIdentity(_ plaintext: [UInt8]) throws(PairingFailure) -> SignedIdentity {
        do {
            return try SignedIdentity(decodingReply: plaintext)
        } catch {
            throw PairingFailure(.malformedReply, reason: "\(state): \(error)")
        }
    }
}

extension PairingFailure {
    /// A method was called out of order.
    static let outOfOrder = PairingFailure(
        .outOfOrder,
        reason: "the reply was not expected at this point of the exchange"
    )
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
