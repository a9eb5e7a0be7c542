/// The accessory's side of pair-setup (`POST /pair-setup` on unsecured connections). It serves all connections, and one
/// controller can pair at a time.
///
/// A request for proof of certification is answered with HTTP 400. A transient setup (``PairingFlags/transient``) ends
/// after M4 with a secured connection and doesn't add a pairing.
///
/// M1 and M3 involve exponentiation, which takes 0.5 ms and 2 ms in a release build.
public struct PairSetupAccessory: Sendable, Redacted {
    /// The response to a message.
    public enum Action: Hashable, Sendable {
        /// Answer with these bytes and HTTP 200.
        case reply([UInt8])
        /// Answer with HTTP 400. The connection's attempt, if any, is over.
        case badRequest(MalformedMessage)
        /// Store the number of failed attempts durably, then answer. The accessory must not answer before the number is
        /// stored, or a power cut would reset it. If storing fails, answer anyway: the number counts until the restart.
        case storeFailedTriesThenReply(failedTries: Int, reply: [UInt8])
        /// The end of a transient setup. Store the number of failed attempts if it changed, then answer, still in the
        /// clear. All bytes after the answer are framed in both directions. There is no pairing; the session has no
        /// controller.
        case storeFailedTriesThenReplyAndSecure(failedTries: Int, reply: [UInt8], SessionKeys)
        /// Store the pairing and 0 failed attempts durably, then answer with `reply`, or with the other reply if
        /// storing fails. Don't handle another pair-setup message until the pairing is stored. Once the reply is sent,
        /// announce the accessory as paired.
        case storePairingThenReply(Pairing, reply: [UInt8], ifStoringFails: [UInt8])
    }

    private struct Attempt {
        let connection: ConnectionID
        /// The time of the last progress. A repeated M1 isn't progress.
        let since: ContinuousClock.Instant
        let stage: Stage
    }

    private enum Stage {
        case awaitingM3(SRPServer, PairingFlags)
        case awaitingM5(sessionKey: [UInt8])
    }

    private let identity: AccessoryIdentity
    private let verifier: SRPVerifier
    private var attempt: Attempt?
    /// Whether a transient setup has announced a split one, which continues with the same salt and verifier.
    private var expectsSplit = false
    /// The number of wrong setup codes since the last success. At ``PairingLimits/failedTries``, the accessory must be
    /// reset.
    public private(set) var failedTries: Int

    /// Creates the accessory's side.
    ///
    /// - Parameters:
    ///   - identity: The accessory's device ID and long-term key pair.
    ///   - verifier: The verifier of the accessory's setup code.
    ///   - failedTries: The stored number of failed attempts, which must survive restarts.
    public init(identity: AccessoryIdentity, verifier: SRPVerifier, failedTries: Int) {
        self.identity = identity
        self.verifier = verifier
        self.failedTries = failedTries
    }

    /// Handles the body of a request.
    ///
    /// - Parameters:
    ///   - message: The body of the request.
    ///   - connection: The connection on which the request arrived. Only one connection can be pairing at a time.
    ///   - isPaired: Whether a pairing is currently stored.
    ///   - now: The current time, from the same clock in all calls.
    ///   - generator: A cryptographically secure generator.
    public mutating func handle(
        _ message: some Collection<UInt8>,
        from connection: ConnectionID,
        isPaired: Bool,
        at now: ContinuousClock.Instant,
        using generator: inout some RandomNumberGenerator
    ) -> Action {
        let own = attempt.flatMap { $0.connection == connection ? $0 : nil }
        if own != nil {
            // A message that doesn't continue the attempt ends it.
            attempt = nil
        }
        var answer = PairingState.m2
        do throws(PairingRefusal) {
            let message = try TLV8(request: message)
            switch message.state {
            case .m1:
                try checkAvailability(isPaired: isPaired, at: now)
                let flags = try flags(of: message)
                let server = SRPServer(verifier: verifier, using: &generator)
                attempt = Attempt(connection: connection, since: own?.since ?? now, stage: .awaitingM3(server, flags))
                return .reply(Self.m2(server, salt: verifier.salt, flags: flags))
            case .m3:
                answer = .m4
                guard case .awaitingM3(let server, let flags) = own?.stage else { throw .malformed("M3 without M1") }
                try checkIsUnpaired(isPaired)
                return try prove(message, server: server, flags: flags, connection: connection, at: now)
            case .m5:
                answer = .m6
                guard case .awaitingM5(let sessionKey) = own?.stage else { throw .malformed("M5 without M3") }
                try checkIsUnpaired(isPaired)
                return try exchange(message, sessionKey: sessionKey)
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

    /// Returns whether this connection's attempt is waiting for its next message.
    package func isInProgress(on connection: ConnectionID) -> Bool {
        attempt?.connection == connection
    }

    /// Makes pair-setup available to other connections if this one was using it.
    public mutating func connectionClosed(_ connection: ConnectionID) {
        if attempt?.connection == connection {
            attempt = nil
        }
    }
}

extension PairSetupAccessory {
    private func checkIsUnpaired(_ isPaired: Bool) throws(PairingRefusal) {
        guard !isPaired else { throw .error(.unavailable) }
    }

    /// The checks of M1 in the order of the reference implementation.
    private func checkAvailability(isPaired: Bool, at now: ContinuousClock.Instant) throws(PairingRefusal) {
        try checkIsUnpaired(isPaired)
        guard failedTries < PairingLimits.failedTries else { throw .error(.maxTries) }
        if let attempt, now - attempt.since < PairingLimits.stalledAfter {
            throw .error(.busy)
        }
    }

    /// Returns the flags of M1, without unknown ones.
    private mutating func flags(of m1: TLV8) throws(PairingRefusal) -> PairingFlags {
        // The first public revision of the protocol numbers pair-setup 1, and controllers such as homekit 0.19 for Python
        // follow it. An accessory without an authentication chip has nothing else to offer for this number.
        guard m1.method == .pairSetup || m1.method == .pairSetupWithAuthentication else {
            throw .malformed("Method of M1 is not pair-setup")
        }
        var flags = PairingFlags()
        if let value = m1[.flags] {
            guard let bits = try? m1.integer(.flags), value.count <= MemoryLayout<PairingFlags.RawValue>.size else {
                throw .malformed("Flags of M1 are not 1 to 4 bytes")
            }
            flags = PairingFlags(rawValue: UInt32(bits)).intersection([.transient, .split])
        }
        guard expectsSplit || flags != .split else { throw .error(.authentication) }
        expectsSplit = flags == .split
        return flags
    }

    private static func m2(_ server: SRPServer, salt: [UInt8], flags: PairingFlags) -> [UInt8] {
        var m2 = TLV8(state: .m2, [TLV8.Item(.publicKey, server.publicKey), TLV8.Item(.salt, salt)])
        if flags.contains(.split) { m2.append(.flags, integer: flags.rawValue) }
        return m2.encoded()
    }

    private mutating func prove(
        _ m3: TLV8,
        server: SRPServer,
        flags: PairingFlags,
        connection: ConnectionID,
        at now: ContinuousClock.Instant
    ) throws(PairingRefusal) -> Action {
        guard let clientKey = m3[.publicKey], let clientProof = m3[.proof] else {
            throw .malformed("M3 lacks PublicKey or Proof")
        }
        let agreement: SRPAgreement
        do {
            agreement = try server.agree(clientKey: clientKey, clientProof: clientProof)
        } catch {
            switch error {
            case .wrongLength:
                throw .malformed("PublicKey or Proof of M3 has a wrong length")
            case .illegalPublicKey, .wrongProof:
                failedTries += 1
                return .storeFailedTriesThenReply(
                    failedTries: failedTries,
                    reply: TLV8(state: .m4, error: .authentication).encoded()
                )
            }
        }
        let m4 = TLV8(state: .m4, [TLV8.Item(.proof, agreement.serverProof)]).encoded()
        if flags.contains(.transient) {
            failedTries = 0
            expectsSplit = flags.contains(.split)
            let keys = SessionKeys(transientSessionKey: agreement.sessionKey)
            return .storeFailedTriesThenReplyAndSecure(failedTries: failedTries, reply: m4, keys)
        }
        attempt = Attempt(
            connection: connection,
            since: now,
            stage: .awaitingM5(sessionKey: agreement.sessionKey)
        )
        return .reply(m4)
    }

    private mutating func exchange(_ m5: TLV8, sessionKey: [UInt8]) throws(PairingRefusal) -> Action {
        let key = AEADKey(KeyDerivation.pairSetupEncryption.derive(from: sessionKey))
        guard let encrypted = m5[.encryptedData] else { throw .malformed("M5 lacks EncryptedData") }
        guard let plaintext = key.open(encrypted, nonce: .pairSetupM5) else { throw .error(.authentication) }
        let controller = try SignedIdentity(request: plaintext)
        guard let controllerID = PairingID(identifier: controller.identifier), let publicKey = controller.publicKey
        else {
            throw .malformed("M5 lacks a PublicKey or its Identifier is too long")
        }
        let prefix = KeyDerivation.pairSetupControllerSignature.derive(from: sessionKey)
        guard controller.isSigned(by: publicKey, before: prefix, after: publicKey.bytes) else {
            throw .error(.authentication)
        }
        let reply: [UInt8]
        do {
            reply = try m6(key: key, sessionKey: sessionKey)
        } catch {
            throw .error(.unknown)
        }
        failedTries = 0
        return .storePairingThenReply(
            Pairing(controllerID: controllerID, publicKey: publicKey, permissions: .admin),
            reply: reply,
            ifStoringFails: TLV8(state: .m6, error: .unknown).encoded()
        )
    }

    private func m6(key: AEADKey, sessionKey: [UInt8]) throws(CryptographyFailure) -> [UInt8] {
        let accessory = try SignedIdentity(
            identifier: identity.deviceID.identifier,
            keyPair: identity.keyPair,
            includesKey: true,
            before: KeyDerivation.pairSetupAccessorySignature.derive(from: sessionKey),
            after: identity.keyPair.publicKey.bytes
        )
        let encrypted = key.seal(accessory.encoded(), nonce: .pairSetupM6)
        return TLV8(state: .m6, [TLV8.Item(.encryptedData, encrypted)]).encoded()
    }
}
