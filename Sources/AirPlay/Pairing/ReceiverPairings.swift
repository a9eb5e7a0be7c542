package import HAP

/// A receiver's identity, the senders that are paired with it, and its PIN. All connections share it.
package struct ReceiverPairings: Sendable {
    /// The senders that may pair.
    package enum Admission: Hashable, Sendable {
        /// All senders, for one connection at a time.
        case anyone
        /// Senders that know a PIN.
        case pin(PairingPIN)
        /// Senders that know a PIN that is made when one asks for it.
        case shownPIN
    }

    /// The maximum number of paired senders. A new one replaces the oldest one.
    package static let capacity = PairingLimits.pairings
    /// The number of wrong PINs after which no sender can pair until the receiver starts again.
    package static let attemptLimit = 10
    /// The number of wrong PINs that have no consequence.
    private static let freeAttempts = 2
    /// The time that the next one must wait after the first wrong PIN that has one. It doubles each time.
    private static let firstWait = Duration.seconds(1)

    /// The identity.
    package let identity: AccessoryIdentity
    /// The senders that may pair.
    package let admission: Admission
    /// The paired senders, the oldest one first.
    package private(set) var list: PairingList
    /// The PIN to show, or `nil` if there is none now.
    package private(set) var shownPIN: PairingPIN?
    private var verifier: SRPVerifier?
    private var failedAttempts = 0
    private var blockedUntil: ContinuousClock.Instant?

    /// Creates pairings. The generator must be cryptographically secure.
    package init(
        identity: AccessoryIdentity,
        pairings: [Pairing] = [],
        admission: Admission,
        using generator: inout some RandomNumberGenerator
    ) {
        self.identity = identity
        self.admission = admission
        list = PairingList(pairings.suffix(Self.capacity), capacity: Self.capacity)
        switch admission {
        case .anyone: verifier = Self.verifier(PairingConstants.transientPIN, using: &generator)
        case .pin(let pin): verifier = Self.verifier(pin.digits, using: &generator)
        case .shownPIN: break
        }
    }

    private static func verifier(_ pin: String, using generator: inout some RandomNumberGenerator) -> SRPVerifier {
        SRPVerifier(pin: pin, using: &generator)
    }

    /// Whether senders must pair before they play.
    package var isRequired: Bool { admission != .anyone }

    /// The reason for which nobody can try a PIN now, or `nil` if there is none.
    func refusal(at now: ContinuousClock.Instant) -> PairingError? {
        guard isRequired else { return nil }
        if failedAttempts >= Self.attemptLimit { return .maxTries }
        if let blockedUntil, now < blockedUntil { return .backoff }
        return nil
    }

    /// Makes a PIN to show if there is none. Returns whether it is new.
    mutating func showPIN(using generator: inout some RandomNumberGenerator) -> Bool {
        guard admission == .shownPIN, shownPIN == nil, failedAttempts < Self.attemptLimit else { return false }
        let pin = PairingPIN.random(using: &generator)
        shownPIN = pin
        verifier = Self.verifier(pin.digits, using: &generator)
        return true
    }

    /// Returns the accessory's side of a pair-setup of the kind that a sender asks for, or `nil` if it isn't allowed.
    func setup(isTransient: Bool) -> PairSetupAccessory? {
        guard isTransient != isRequired, let verifier else { return nil }
        return PairSetupAccessory(identity: identity, verifier: verifier, failedTries: 0)
    }

    /// Counts a wrong PIN. A shown PIN isn't used again.
    mutating func wrongPINWasTried(at now: ContinuousClock.Instant) {
        guard isRequired else { return }
        failedAttempts += 1
        let waits = failedAttempts - Self.freeAttempts
        if waits > 0 { blockedUntil = now + Self.firstWait * (1 << (waits - 1)) }
        forgetPIN()
    }

    /// Adds a sender that has paired. Returns `false` if another sender has the same identifier.
    mutating func add(_ pairing: Pairing) -> Bool {
        var changed = list
        if changed.pairings.count == Self.capacity, changed[pairing.controllerID] == nil {
            changed = PairingList(Array(changed.pairings.dropFirst()), capacity: Self.capacity)
        }
        do {
            try changed.insert(pairing)
        } catch {
            return false
        }
        list = changed
        failedAttempts = 0
        blockedUntil = nil
        forgetPIN()
        return true
    }

    private mutating func forgetPIN() {
        guard admission == .shownPIN else { return }
        shownPIN = nil
        verifier = nil
    }
}
