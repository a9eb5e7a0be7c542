import AirPlay
import HAP
import Testing

/// A sender's and a receiver's pairing messages, exchanged in memory.
@Suite struct PairingTests {
    /// Both ends of a connection.
    struct Ends {
        var pairings: ReceiverPairings
        var receiver: ReceiverSession
        var random = SystemRandomNumberGenerator()
        var now = ContinuousClock.now
        var outcomes: [ReceiverSession.Outcome] = []

        init(_ admission: ReceiverPairings.Admission, _ paired: [Pairing] = []) {
            let identity = AccessoryIdentity.random(using: &random)
            pairings = ReceiverPairings(
                identity: identity,
                pairings: paired,
                admission: admission,
                using: &random
            )
            receiver = Self.session(identity, needsPIN: admission != .anyone)
        }

        private static func session(_ identity: AccessoryIdentity, needsPIN: Bool) -> ReceiverSession {
            var record = ReceiverRecord(deviceID: "001122334455", name: "Kitchen")
            record.addAirPlay2(identity, needsPIN: needsPIN)
            let ports = StreamTransport(audioPort: 5_001, controlPort: 5_002, timingPort: 5_003)
            var random = SystemRandomNumberGenerator()
            return ReceiverSession(.init(ports: ports, airPlay2: (record, 5_004)), using: &random)
        }

        /// Opens another connection.
        mutating func reconnect() {
            receiver = Self.session(pairings.identity, needsPIN: pairings.isRequired)
        }

        mutating func handle(_ request: RTSPRequest) -> RTSPResponse {
            let outcome = receiver.handle(request, isBusy: false, pairings: &pairings, at: now, using: &random)
            outcomes.append(outcome)
            return outcome.response
        }

        /// Runs a pairing to its end. Returns the secret and the receiver's record.
        mutating func run(
            _ pairing: inout SenderPairing,
            pin: PairingPIN? = nil
        ) throws -> (secret: SessionSecret, peer: PairedPeer?) {
            var peer: PairedPeer?
            var request = pairing.start(using: &random)
            while true {
                switch try pairing.receive(handle(request), using: &random) {
                case .send(let next): request = next
                case .keep(let paired, let next): (peer, request) = (paired, next)
                case .needsPIN: request = pairing.enter(try #require(pin ?? pairings.shownPIN))
                case .secured(let secret): return (secret, peer)
                }
            }
        }
    }

    private static func identity() throws -> ControllerIdentity {
        ControllerIdentity(pairingID: try #require(PairingID("sender")), keyPair: .random())
    }

    private static func pin(_ text: String) throws -> PairingPIN {
        try #require(PairingPIN(text))
    }

    /// Checks that both sides have the same secret.
    private static func check(_ secret: SessionSecret, _ ends: Ends) throws {
        let other = try #require(ends.outcomes.last?.secret)
        var (sender, receiver) = (SecureChannel.senderControl(secret), SecureChannel.receiverControl(other))
        #expect(try receiver.open(sender.seal([1, 2])) == [1, 2])
        #expect(try sender.open(receiver.seal([3])) == [3])
        var (senderEvents, receiverEvents) = (SecureChannel.senderEvents(secret), SecureChannel.receiverEvents(other))
        #expect(try senderEvents.open(receiverEvents.seal([4])) == [4])
        #expect(try receiverEvents.open(senderEvents.seal([5])) == [5])
    }

    @Test func transientPairingNeedsNoPIN() throws {
        var ends = Ends(.anyone)
        var pairing = SenderPairing(.transient, identity: try Self.identity(), peers: [])
        let (secret, peer) = try ends.run(&pairing)
        #expect(peer == nil)
        #expect(ends.pairings.list.isEmpty)
        try Self.check(secret, ends)
    }

    @Test(arguments: [false, true])
    func aSenderPairsOnceWithAPIN(isShown: Bool) throws {
        var ends = Ends(isShown ? .shownPIN : .pin(try Self.pin("0123")))
        let identity = try Self.identity()
        var pairing = SenderPairing(.full, identity: identity, peers: [])
        let (secret, paired) = try ends.run(&pairing, pin: isShown ? nil : try Self.pin("0123"))
        try Self.check(secret, ends)
        let peer = try #require(paired)
        #expect(peer.publicKey == ends.pairings.identity.keyPair.publicKey)
        #expect(ends.pairings.list.pairings.map(\.controllerID) == [identity.pairingID])
        #expect(ends.outcomes.contains { $0.event == .paired })
        #expect(ends.outcomes.contains { if case .pinNeeded = $0.event { true } else { false } } == isShown)

        // On the next connection, it only proves that it is the same.
        ends.reconnect()
        ends.outcomes = []
        var again = SenderPairing(.full, identity: identity, peers: [peer])
        try Self.check(try ends.run(&again).secret, ends)
        #expect(ends.outcomes.count == 2)
    }

    @Test func aReceiverThatForgotTheSenderIsPairedAgain() throws {
        var ends = Ends(.pin(try Self.pin("1234")))
        let stranger = PairedPeer(
            id: try #require(PairingID(ends.pairings.identity.deviceID.description)),
            publicKey: ends.pairings.identity.keyPair.publicKey
        )
        var pairing = SenderPairing(.full, identity: try Self.identity(), peers: [stranger])
        #expect(try ends.run(&pairing, pin: try Self.pin("1234")).peer == stranger)
    }

    @Test func anImpostorIsNotPlayedTo() throws {
        var ends = Ends(.pin(try Self.pin("1234")))
        let identity = try Self.identity()
        var pairing = SenderPairing(.full, identity: identity, peers: [])
        let peer = try #require(try ends.run(&pairing, pin: try Self.pin("1234")).peer)
        var impostor = Ends(.pin(try Self.pin("9999")))
        let other = PairedPeer(
            id: try #require(PairingID(impostor.pairings.identity.deviceID.description)),
            publicKey: peer.publicKey
        )
        var again = SenderPairing(.full, identity: identity, peers: [other])
        // It is treated like a receiver that was reset: without its PIN, nothing is sent.
        #expect(throws: SenderFailure.wrongPIN) { try impostor.run(&again, pin: try Self.pin("1234")) }
    }

    @Test func wrongPINsMakeWaitAndAreLimited() throws {
        let right = try Self.pin("1234")
        var ends = Ends(.pin(right))
        let limit = ReceiverPairings.attemptLimit
        for attempt in 1...limit {
            ends.reconnect()
            var pairing = SenderPairing(.full, identity: try Self.identity(), peers: [])
            #expect(throws: SenderFailure.wrongPIN) { try ends.run(&pairing, pin: try Self.pin("0000")) }
            #expect(ends.outcomes.last?.problem == .wrongPIN)
            guard attempt > 2, attempt < limit else { continue }
            // Even the right one isn't looked at now.
            ends.reconnect()
            var early = SenderPairing(.full, identity: try Self.identity(), peers: [])
            #expect(throws: SenderFailure.tooManyAttempts) { try ends.run(&early, pin: right) }
            #expect(ends.outcomes.last?.problem == .tooManyAttempts)
            ends.now += .seconds(1 << (attempt - 3))
        }
        ends.now += .seconds(1_000_000)
        ends.reconnect()
        var late = SenderPairing(.full, identity: try Self.identity(), peers: [])
        #expect(throws: SenderFailure.tooManyAttempts) { try ends.run(&late, pin: right) }
        #expect(ends.pairings.list.isEmpty)
    }

    @Test func connectionsThatStartedEarlierAreNotExemptFromWaiting() throws {
        var ends = Ends(.pin(try Self.pin("1234")))
        var pairings: [(SenderPairing, ReceiverSession, RTSPRequest)] = []
        for _ in 0..<5 {
            ends.reconnect()
            var pairing = SenderPairing(.full, identity: try Self.identity(), peers: [])
            _ = try pairing.receive(ends.handle(pairing.start(using: &ends.random)), using: &ends.random)
            let first = pairing.enter(try Self.pin("0000"))
            guard case .send(let third) = try pairing.receive(ends.handle(first), using: &ends.random) else {
                Issue.record("M2 isn't followed by M3")
                return
            }
            pairings.append((pairing, ends.receiver, third))
        }
        ends.outcomes = []
        for (_, receiver, third) in pairings {
            ends.receiver = receiver
            _ = ends.handle(third)
        }
        let wrong = ReceiverProblem.wrongPIN
        #expect(ends.outcomes.map(\.problem) == [wrong, wrong, wrong, .tooManyAttempts, .tooManyAttempts])
    }

    @Test func aShownPINIsUsedOnce() throws {
        var ends = Ends(.shownPIN)
        let request = RTSPRequest(.post, "/pair-pin-start")
        _ = ends.handle(request)
        let first = try #require(ends.pairings.shownPIN)
        _ = ends.handle(request)
        #expect(ends.outcomes.compactMap(\.event) == [.pinNeeded(first)])
        let wrong = try Self.pin(first.digits == "0000" ? "0001" : "0000")
        var pairing = SenderPairing(.full, identity: try Self.identity(), peers: [])
        #expect(throws: SenderFailure.wrongPIN) { try ends.run(&pairing, pin: wrong) }
        #expect(ends.pairings.shownPIN == nil)
    }

    @Test func transientPairingIsRefusedIfAPINIsNeeded() throws {
        var ends = Ends(.pin(try Self.pin("3939")))
        var pairing = SenderPairing(.transient, identity: try Self.identity(), peers: [])
        #expect(throws: SenderFailure.pairingRequired) { try ends.run(&pairing) }
        #expect(ends.outcomes.last?.problem == .pairingRequired)
        // Neither classic streams nor encrypted ones are taken.
        for method in [RTSPMethod.announce, .setup, .record, .setParameter] {
            #expect(ends.handle(RTSPRequest(method, "*")).status == .connectionAuthorizationRequired)
        }
        #expect(!ends.receiver.hasStream)
    }

    @Test(arguments: [[0], Array(repeating: 0, count: 384), SRPGroup.primeBytes])
    func keysThatMakeTheSecretPredictableAreWrongPINs(key: [UInt8]) throws {
        var ends = Ends(.pin(try Self.pin("1234")))
        let proof = [UInt8](repeating: 0, count: 64)
        _ = ends.handle(Self.setup(1, [.init(.method, [0])]))
        let response = ends.handle(Self.setup(3, [.init(.publicKey, key), .init(.proof, proof)]))
        #expect(try TLV8(decodingMessage: response.body).integer(.error) == 2)
        #expect(ends.outcomes.last?.problem == .wrongPIN)
        #expect(ends.outcomes.last?.secret == nil)
    }

    private static func setup(_ state: UInt8, _ items: [TLV8.Item]) -> RTSPRequest {
        RTSPRequest(.post, "/pair-setup", body: TLV8([.init(.state, [state])] + items).encoded())
    }

    @Test(arguments: [[], [6], [6, 1, 3], [6, 1, 5], [6, 1, 9], [6, 2, 1, 1, 19, 9], [255]] as [[UInt8]])
    func malformedAndMisplacedMessagesEndTheConnection(body: [UInt8]) throws {
        for path in ["/pair-setup", "/pair-verify"] {
            var ends = Ends(.anyone)
            #expect(ends.handle(RTSPRequest(.post, path, body: body)).status == .badRequest)
            #expect(ends.outcomes.last?.problem == .malformedPairing)
            #expect(ends.outcomes.last?.closesConnection == true)
        }
    }

    @Test func aConnectionCannotStartForever() throws {
        var ends = Ends(.anyone)
        for _ in 0..<10 { _ = ends.handle(Self.setup(1, [.init(.method, [0]), .init(.flags, [0x10])])) }
        #expect(ends.outcomes.allSatisfy { $0.problem == nil && !$0.closesConnection })
        _ = ends.handle(Self.setup(1, [.init(.method, [0]), .init(.flags, [0x10])]))
        #expect(ends.outcomes.last?.problem == .tooManyAttempts)
        #expect(ends.outcomes.last?.closesConnection == true)
    }

    @Test func theOldestSenderIsForgottenWhenAnotherPairs() throws {
        let paired = try (0..<ReceiverPairings.capacity).map { number in
            Pairing(
                controllerID: try #require(PairingID("\(number)")),
                publicKey: LongTermKeyPair.random().publicKey,
                permissions: .admin
            )
        }
        var ends = Ends(.pin(try Self.pin("1234")), paired)
        var pairing = SenderPairing(.full, identity: try Self.identity(), peers: [])
        _ = try ends.run(&pairing, pin: try Self.pin("1234"))
        let ids = ends.pairings.list.pairings.map(\.controllerID.description)
        #expect(ids == (1..<ReceiverPairings.capacity).map { "\($0)" } + ["sender"])
    }

    @Test func theSecretsDoNotShowThemselves() throws {
        let pin = try Self.pin("1234")
        #expect(!"\(pin) \(String(reflecting: pin))".contains("1234"))
    }

    @Test(arguments: ["", "123", "12345", "12a4", "１２３４"])
    func aPINHasFourDigits(text: String) {
        #expect(PairingPIN(text) == nil)
    }
}
