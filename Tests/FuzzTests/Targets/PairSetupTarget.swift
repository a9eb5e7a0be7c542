import HAP

extension FuzzTarget {
    /// Pair-setup with a man in the middle who doesn't know the code. The attacker may prevent a pairing, but can't
    /// pair and can't pair others without the code.
    static let pairSetup = FuzzTarget("pair-setup", maximumLength: 512) { input throws(Violation) in
        var setup = SetupUnderAttack(plan: PlanReader(input))
        return try setup.run()
    }
}

private struct SetupUnderAttack {
    private static let ownConnection = ConnectionID(rawValue: 0)
    private static let steps = 16

    private var attacker: Attacker
    private let knowsCode: Bool
    private var generator = RepeatableGenerator(seed: 9)
    private var now = ContinuousClock.now
    private var accessory = PairSetupAccessory(
        identity: PairingPeers.accessory,
        verifier: PairingPeers.verifier,
        failedTries: 0
    )
    private var controller: PairSetupController
    /// The controller's next message, or `nil` once its attempt is over.
    private var pending: [UInt8]?
    private var expectedState = PairingState.m2
    private var stored: Pairing?
    private var learned: PairedAccessory?
    private var failedTries = 0
    private var isSomethingTaken = false

    init(plan: PlanReader) {
        var plan = plan
        let options = plan.byte()
        knowsCode = options & 1 == 0
        attacker = Attacker(plan: plan)
        controller = PairSetupController(
            identity: PairingPeers.controller,
            setupCode: knowsCode ? PairingPeers.rightCode : PairingPeers.wrongCode,
            expecting: options & 2 == 0 ? PairingPeers.accessory.deviceID : nil
        )
        pending = controller.start()
    }

    mutating func run() throws(Violation) -> Bool {
        for _ in 0..<Self.steps {
            switch attacker.step(of: 8) {
            case 0...3:
                try exchange()
            case 4:
                let connection = ConnectionID(rawValue: UInt64(attacker.step(of: 3)))
                _ = try post(attacker.invent(), from: connection)
            case 5:
                pending = controller.start()
                expectedState = .m2
            case 6:
                accessory.connectionClosed(ConnectionID(rawValue: UInt64(attacker.step(of: 3))))
            default:
                now += .seconds(attacker.number())
            }
            if pending == nil, attacker.plan.isAtEnd { break }
        }
        if knowsCode, attacker.isIdle, learned != nil {
            try hold(stored != nil, "an accessory that reports a pairing has stored it")
        }
        return isSomethingTaken
    }

    /// Sends one message of the controller to the accessory and returns the reply, both through the attacker.
    private mutating func exchange() throws(Violation) {
        guard let message = pending else { return }
        pending = nil
        guard let reply = try post(attacker.pass(message), from: Self.ownConnection) else { return }
        try handle(attacker.pass(reply))
    }

    private mutating func post(_ message: [UInt8], from connection: ConnectionID) throws(Violation) -> [UInt8]? {
        let action = accessory.handle(
            message,
            from: connection,
            isPaired: stored != nil,
            at: now,
            using: &generator
        )
        switch action {
        case .badRequest:
            return nil
        case .reply(let reply):
            return try checked(reply)
        case .storeFailedTriesThenReply(let count, let reply):
            try hold(
                count == failedTries + 1 && accessory.failedTries == count,
                "failed attempts are counted one by one"
            )
            failedTries = count
            return try checked(reply)
        case .storeFailedTriesThenReplyAndSecure(let count, let reply, _):
            // The attacker may request a transient setup on behalf of the controller, but doesn't learn the keys.
            try hold(knowsCode, "there is no session without the code")
            try hold(count == 0 && accessory.failedTries == 0, "a success resets the failed attempts")
            failedTries = 0
            return try checked(reply)
        case .storePairingThenReply(let pairing, let reply, let refusal):
            try hold(knowsCode, "there is no pairing without the code")
            try hold(pairing == PairingPeers.pairing, "only the controller with the code is paired, as an admin")
            try hold(stored == nil, "there is one pairing")
            try hold(accessory.failedTries == 0, "a success resets the failed attempts")
            failedTries = 0
            stored = pairing
            _ = try checked(refusal)
            return try checked(reply)
        }
    }

    private func checked(_ reply: [UInt8]) throws(Violation) -> [UInt8] {
        let message = try? TLV8(decodingMessage: reply)
        let state = try? message?.integer(.state)
        try hold(state.map { [2, 4, 6].contains($0) } ?? false, "a reply is a message with an even state")
        return reply
    }

    private mutating func handle(_ reply: [UInt8]) throws(Violation) {
        do throws(PairingFailure) {
            switch expectedState {
            case .m2:
                pending = try controller.handleM2(reply, using: &generator)
                expectedState = .m4
            case .m4:
                pending = try controller.handleM4(reply)
                isSomethingTaken = true
                expectedState = .m6
            default:
                learned = try controller.handleM6(reply)
                expectedState = .m2
            }
        } catch {
            return
        }
        try hold(knowsCode || expectedState != .m6, "an accessory can't prove knowledge of another code")
        try hold(learned == nil || learned == PairingPeers.pairedAccessory, "only the accessory itself is learned")
        try hold(learned == nil || stored != nil, "an accessory that is learned has stored the pairing")
    }
}
