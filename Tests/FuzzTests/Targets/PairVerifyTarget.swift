import HAP

extension FuzzTarget {
    /// Pair-verify with a man in the middle. The attacker may prevent a session, but can't get one.
    static let pairVerify = FuzzTarget("pair-verify", maximumLength: 512) { input throws(Violation) in
        var verify = VerifyUnderAttack(plan: PlanReader(input))
        return try verify.run()
    }
}

private struct VerifyUnderAttack {
    private static let steps = 24

    private var attacker: Attacker
    private let isPaired: Bool
    private var generator = RepeatableGenerator(seed: 9)
    private var accessory = PairVerifyAccessory(identity: PairingPeers.accessory)
    private var controller: PairVerifyController
    private var pending: [UInt8]?
    private var expectedState = PairingState.m2
    private var verified: VerifiedController?
    private var keys: SessionKeys?

    init(plan: PlanReader) {
        var plan = plan
        isPaired = plan.byte() & 1 == 0
        attacker = Attacker(plan: plan)
        controller = PairVerifyController(
            identity: isPaired ? PairingPeers.controller : PairingPeers.stranger,
            accessory: PairingPeers.pairedAccessory
        )
        pending = controller.start(using: &generator)
    }

    mutating func run() throws(Violation) -> Bool {
        for _ in 0..<Self.steps {
            switch attacker.step(of: 6) {
            case 0...3:
                guard let message = pending else { break }
                pending = nil
                guard let reply = try post(attacker.pass(message)) else { break }
                try handle(attacker.pass(reply))
            case 4:
                _ = try post(attacker.invent())
            default:
                pending = controller.start(using: &generator)
                expectedState = .m2
            }
            if pending == nil, attacker.plan.isAtEnd { break }
        }
        let isHonest = attacker.isIdle && isPaired && pending == nil
        try hold(!isHonest || verified != nil, "an honest controller is verified")
        return verified != nil
    }

    private mutating func post(_ message: [UInt8]) throws(Violation) -> [UInt8]? {
        let wasVerified = verified != nil
        switch accessory.handle(message, pairings: PairingList([PairingPeers.pairing]), using: &generator) {
        case .badRequest:
            return nil
        case .reply(let reply):
            try hold(!wasVerified, "a secured connection is not verified again")
            return reply
        case .replyThenSecure(let reply, let controller):
            try hold(!wasVerified, "a secured connection is not verified again")
            try hold(isPaired, "a stranger is not verified")
            try hold(
                controller.controllerID == PairingPeers.pairing.controllerID,
                "the verified controller is the paired one"
            )
            verified = controller
            return reply
        }
    }

    private mutating func handle(_ reply: [UInt8]) throws(Violation) {
        do throws(PairingFailure) {
            if expectedState == .m2 {
                pending = try controller.handleM2(reply)
                expectedState = .m4
            } else {
                keys = try controller.handleM4(reply)
                expectedState = .m2
            }
        } catch {
            return
        }
        // M4 is not signed, so it proves nothing. But only the accessory can open the session's frames.
        guard let keys, let verified, attacker.isIdle else { return }
        try hold(keys == verified.keys, "both ends have the same keys")
    }
}
