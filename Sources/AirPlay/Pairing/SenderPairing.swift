package import HAP

/// The pairing messages of one connection, as the sender sees them.
///
/// Send each request, and pass its response to ``receive(_:using:)``. A message of pair-setup takes some milliseconds of
/// arithmetic.
package struct SenderPairing: Sendable {
    /// The kinds of pairing.
    package enum Kind: Hashable, Sendable {
        /// For one connection, without a PIN.
        case transient
        /// With a PIN, unless the receiver is paired.
        case full
    }

    /// The next step.
    package enum Step: Sendable {
        /// Send a request.
        case send(RTSPRequest)
        /// Ask the user for the PIN that the receiver shows, and call ``enter(_:)``.
        case needsPIN
        /// Keep the receiver's record, and send a request.
        case keep(PairedPeer, RTSPRequest)
        /// Everything after the last response is encrypted.
        case secured(SessionSecret)
    }

    private enum Stage: Sendable {
        case idle
        case awaitingPINDisplay
        case awaitingPIN
        case awaitingSetupM2
        case awaitingSetupM4
        case awaitingSetupM6
        case awaitingVerifyM2
        case awaitingVerifyM4
    }

    private let identity: ControllerIdentity
    private let kind: Kind
    private var peers: [PairedPeer]
    private var setup: PairSetupController
    private var verify: PairVerifyController
    private var stage = Stage.idle
    /// The number of requests so far.
    package private(set) var sequence = 0
    private var hasPaired = false

    /// Creates the sender's side.
    ///
    /// - Parameters:
    ///   - kind: The kind of pairing.
    ///   - identity: The sender's identity.
    ///   - peers: The receivers that are paired with it.
    package init(_ kind: Kind, identity: ControllerIdentity, peers: [PairedPeer]) {
        self.kind = kind
        self.identity = identity
        self.peers = peers
        setup = PairSetupController(identity: identity, password: PairingConstants.transientPIN, flags: .transient)
        verify = PairVerifyController(identity: identity, peers: peers)
    }

    /// Returns the first request. The generator must be cryptographically secure.
    package mutating func start(using generator: inout some RandomNumberGenerator) -> RTSPRequest {
        switch kind {
        case .transient:
            stage = .awaitingSetupM2
            return request(PairingConstants.setupPath, setup.start())
        case .full: return peers.isEmpty ? askForPIN() : startVerifying(using: &generator)
        }
    }

    private mutating func askForPIN() -> RTSPRequest {
        stage = .awaitingPINDisplay
        return request(PairingConstants.showPINPath, [])
    }

    private mutating func startVerifying(using generator: inout some RandomNumberGenerator) -> RTSPRequest {
        stage = .awaitingVerifyM2
        verify = PairVerifyController(identity: identity, peers: peers)
        return request(PairingConstants.verifyPath, verify.start(using: &generator))
    }

    /// Returns the request after ``Step/needsPIN``.
    package mutating func enter(_ pin: PairingPIN) -> RTSPRequest {
        stage = .awaitingSetupM2
        setup = PairSetupController(identity: identity, password: pin.digits)
        return request(PairingConstants.setupPath, setup.start())
    }

    private mutating func request(_ path: String, _ body: [UInt8]) -> RTSPRequest {
        sequence += 1
        let headers: HTTPHeaders = [
            RTSPHeaderName.sequence: "\(sequence)",
            RTSPHeaderName.userAgent: SenderSession.software,
            PairingConstants.kindHeader: kind == .transient
                ? PairingConstants.transientKind : PairingConstants.fullKind,
            HTTPHeaderName.contentType: PairingConstants.contentType,
        ]
        return RTSPRequest(.post, path, headers: headers, body: body)
    }

    /// Takes the response to the latest request. The generator must be cryptographically secure.
    ///
    /// - Throws: ``SenderFailure`` if the receiver refuses, or isn't who it claims to be.
    package mutating func receive(
        _ response: RTSPResponse,
        using generator: inout some RandomNumberGenerator
    ) throws(SenderFailure) -> Step {
        guard (200..<300).contains(response.status.rawValue) else {
            throw .refused(method: "pairing", status: response.status.rawValue)
        }
        do throws(PairingFailure) {
            return try next(response.body, using: &generator)
        } catch {
            // A receiver that has forgotten us, or was reset, can be paired again.
            if isVerifying, !hasPaired, [.notAuthorized, .otherKey].contains(error.code) { return .send(askForPIN()) }
            throw SenderFailure(error)
        }
    }

    private var isVerifying: Bool {
        switch stage {
        case .awaitingVerifyM2, .awaitingVerifyM4: true
        default: false
        }
    }

    private mutating func next(
        _ body: [UInt8],
        using generator: inout some RandomNumberGenerator
    ) throws(PairingFailure) -> Step {
        switch stage {
        case .idle, .awaitingPIN: throw PairingFailure(.outOfOrder, reason: "a response without a request")
        case .awaitingPINDisplay:
            stage = .awaitingPIN
            return .needsPIN
        case .awaitingSetupM2:
            let message = try setup.handleM2(body, using: &generator)
            stage = .awaitingSetupM4
            return .send(request(PairingConstants.setupPath, message))
        case .awaitingSetupM4 where kind == .transient:
            let keys = try setup.keys(handlingM4: body)
            return try secured(keys)
        case .awaitingSetupM4:
            let message = try setup.handleM4(body)
            stage = .awaitingSetupM6
            return .send(request(PairingConstants.setupPath, message))
        case .awaitingSetupM6:
            let peer = try setup.peer(handlingM6: body)
            hasPaired = true
            peers = peers.filter { $0.id != peer.id } + [peer]
            return .keep(peer, startVerifying(using: &generator))
        case .awaitingVerifyM2:
            let message = try verify.handleM2(body)
            stage = .awaitingVerifyM4
            return .send(request(PairingConstants.verifyPath, message))
        case .awaitingVerifyM4:
            return try secured(try verify.handleM4(body))
        }
    }

    private mutating func secured(_ keys: SessionKeys) throws(PairingFailure) -> Step {
        stage = .idle
        guard let secret = keys.secret else {
            throw PairingFailure(.internalFailure, reason: "the keys have no secret")
        }
        return .secured(secret)
    }
}

extension SenderFailure {
    /// Creates the failure of a pairing.
    fileprivate init(_ failure: PairingFailure) {
        switch failure.code {
        case .wrongSetupCode: self = .wrongPIN
        case .tooManyTries, .mustWait: self = .tooManyAttempts
        case .notAuthorized: self = .pairingRequired
        default: self = .pairingFailed(failure.reason)
        }
    }
}
