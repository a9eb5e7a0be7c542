internal import HAP

/// The pairing messages of one connection, as the receiver sees them.
struct PairingExchange: Sendable {
    /// The number of pairings and verifications that a connection can start.
    static let startLimit = 10
    /// The connection's number for HomeKit's state machines, of which each connection has its own.
    private static let connection = ConnectionID(rawValue: 0)

    /// The result of a message.
    struct Outcome: Sendable {
        /// The body of the response, or `nil` if the message is malformed.
        var reply: [UInt8]?
        /// The secret, if everything after the response is encrypted.
        var secret: SessionSecret?
        /// The reason for a refusal.
        var problem: ReceiverProblem?
        /// Whether a sender has been added.
        var isPaired = false
        /// Whether the connection is closed after the response.
        var closesConnection = false
    }

    private var setup: PairSetupAccessory?
    private var verify: PairVerifyAccessory?
    private var startCount = 0

    /// Answers a message of pair-setup.
    mutating func setUp(
        _ body: [UInt8],
        _ pairings: inout ReceiverPairings,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) -> Outcome {
        guard let message = try? TLV8(decodingMessage: body), let state = message.state else {
            return Outcome(problem: .malformedPairing, closesConnection: true)
        }
        let answer = PairingState(rawValue: state.rawValue + 1) ?? .m2
        if state == .m1 {
            startCount += 1
            guard startCount <= Self.startLimit else { return refuse(.maxTries, answer, .tooManyAttempts) }
            let flags = PairingFlags(rawValue: UInt32(truncatingIfNeeded: (try? message.integer(.flags)) ?? 0))
            setup = pairings.setup(isTransient: flags.contains(.transient))
            guard setup != nil else { return refuse(.authentication, answer, .pairingRequired) }
        }
        // Several connections may have started before one of them tried a wrong PIN.
        if let error = pairings.refusal(at: now) {
            setup = nil
            return refuse(error, answer, .tooManyAttempts)
        }
        guard
            let action = setup?.handle(
                body,
                from: Self.connection,
                isPaired: false,
                at: now,
                using: &generator
            )
        else { return Outcome(problem: .malformedPairing, closesConnection: true) }
        switch action {
        case .reply(let reply): return Outcome(reply: reply, problem: problem(in: reply))
        case .badRequest: return Outcome(problem: .malformedPairing, closesConnection: true)
        case .storeFailedTriesThenReply(_, let reply):
            setup = nil
            pairings.wrongPINWasTried(at: now)
            return Outcome(reply: reply, problem: .wrongPIN)
        case .storeFailedTriesThenReplyAndSecure(_, let reply, let keys):
            setup = nil
            return Outcome(reply: reply, secret: keys.secret)
        case .storePairingThenReply(let pairing, let reply, let ifStoringFails):
            setup = nil
            guard pairings.add(pairing) else { return Outcome(reply: ifStoringFails, problem: .malformedPairing) }
            return Outcome(reply: reply, isPaired: true)
        }
    }

    /// Answers a message of pair-verify.
    mutating func verify(
        _ body: [UInt8],
        _ pairings: ReceiverPairings,
        using generator: inout some RandomNumberGenerator
    ) -> Outcome {
        guard let message = try? TLV8(decodingMessage: body), let state = message.state else {
            return Outcome(problem: .malformedPairing, closesConnection: true)
        }
        if state == .m1 {
            startCount += 1
            guard startCount <= Self.startLimit else { return refuse(.maxTries, .m2, .tooManyAttempts) }
            verify = PairVerifyAccessory(identity: pairings.identity)
        }
        switch verify?.handle(body, pairings: pairings.list, using: &generator) {
        case .reply(let reply): return Outcome(reply: reply, problem: problem(in: reply))
        case .replyThenSecure(let reply, let controller): return Outcome(reply: reply, secret: controller.keys.secret)
        case .badRequest, nil: return Outcome(problem: .malformedPairing, closesConnection: true)
        }
    }

    private func problem(in reply: [UInt8]) -> ReceiverProblem? {
        (try? TLV8(decodingMessage: reply))?[.error] == nil ? nil : .unpaired
    }

    private func refuse(_ error: PairingError, _ state: PairingState, _ problem: ReceiverProblem) -> Outcome {
        Outcome(
            reply: TLV8(state: state, error: error).encoded(),
            problem: problem,
            closesConnection: problem == .tooManyAttempts && startCount > Self.startLimit
        )
    }
}
