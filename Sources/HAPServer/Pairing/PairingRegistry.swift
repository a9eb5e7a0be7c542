internal import HAP

/// The pairings of an accessory server: pair-setup over all its connections, the list of controllers, and their place
/// in the storage.
///
/// An actor on a thread of its own, because pair-setup computes for milliseconds and storing waits for the disk while
/// connections are to be served. What it answers may be sent at once: what had to be stored is stored.
actor PairingRegistry {
    /// What to answer, and what became of the pairings.
    struct Answer: Sendable {
        let response: HTTPResponse
        /// The pairings after the request.
        let pairings: PairingList
        /// The controllers that are no longer paired.
        var removed: [PairingID] = []
        /// Whether the connection's pair-setup waits for its next message.
        var isSetUpInProgress = false
        /// The keys that secure the connection from now on, after a transient pair-setup.
        var keys: SessionKeys?
    }

    private let identity: AccessoryIdentity
    private let setupCode: SetupCode
    private let storage: any AccessoryStorage
    private let now: @Sendable () -> ContinuousClock.Instant
    private let executor = SerialQueueExecutor(label: "hearth.pairing")
    private var stored: StoredPairings
    private var pairings: PairingList
    /// Made when the first controller asks: it takes an exponentiation, and a paired accessory needs none.
    private var setup: PairSetupAccessory?
    private var random = SystemRandomNumberGenerator()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        _ state: StoredState,
        storage: any AccessoryStorage,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        identity = state.credentials.identity
        setupCode = state.credentials.setupCode
        self.storage = storage
        self.now = now
        stored = state.pairings
        pairings = PairingList(state.pairings.pairings)
    }

    /// Answers `POST /pair-setup`.
    func setUp(_ message: [UInt8], from connection: ConnectionID) -> Answer {
        var setup = self.setup ?? makeSetup()
        let action = setup.handle(
            message,
            from: connection,
            isPaired: !pairings.isEmpty,
            at: now(),
            using: &random
        )
        self.setup = setup
        switch action {
        case .reply(let reply):
            var answer = answer(reply)
            answer.isSetUpInProgress = setup.isUnderWay(on: connection)
            return answer
        case .badRequest:
            return Answer(response: HTTPResponse(status: .badRequest), pairings: pairings)
        case .storeFailedTriesThenReply(let failedTries, let reply):
            // Counted until the restart if the storage fails: there is no better answer to a wrong code.
            stored.failedTries = failedTries
            try? storage.save(stored)
            return answer(reply)
        case .storeFailedTriesThenReplyAndSecure(let failedTries, let reply, let keys):
            if stored.failedTries != failedTries {
                stored.failedTries = failedTries
                try? storage.save(stored)
            }
            var answer = answer(reply)
            answer.keys = keys
            return answer
        case .storePairingThenReply(let pairing, let reply, let failure):
            var changed = pairings
            do {
                try changed.insert(pairing)
                try store(changed, failedTries: 0)
            } catch {
                return answer(failure)
            }
            return answer(reply)
        }
    }

    /// Answers `POST /pairings` of a controller with a verified session.
    func manage(_ message: [UInt8], for controller: PairingID) -> Answer {
        let request: PairingsRequest
        do {
            request = try PairingsRequest(decoding: message)
        } catch {
            return Answer(response: HTTPResponse(status: .badRequest), pairings: pairings)
        }
        var changed = pairings
        let outcome = changed.handle(request, from: controller)
        if outcome.isChanged {
            do {
                try store(changed, failedTries: stored.failedTries)
            } catch {
                return answer(PairingsResponse.refused(.unknown).encoded())
            }
        }
        var answer = answer(outcome.response.encoded())
        answer.removed = outcome.removed
        return answer
    }

    /// Forgets every controller.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`; then all stay.
    func removeAll() throws(AccessoryServerError) -> Answer {
        let removed = pairings.pairings.map(\.controllerID)
        try store(PairingList([]), failedTries: stored.failedTries)
        return Answer(response: HTTPResponse(status: .ok), pairings: pairings, removed: removed)
    }

    /// Stores the IDs that were given.
    func store(_ attributes: StoredAttributes) throws(AccessoryServerError) {
        try storage.save(attributes)
    }

    /// Lets other connections pair if this one was in the middle of it.
    func connectionClosed(_ connection: ConnectionID) {
        setup?.connectionClosed(connection)
    }

    /// Returns once everything that was asked before is done and stored.
    func drain() {}

    private func makeSetup() -> PairSetupAccessory {
        PairSetupAccessory(
            identity: identity,
            verifier: SRPVerifier(setupCode: setupCode, using: &random),
            failedTries: stored.failedTries
        )
    }

    private func store(_ changed: PairingList, failedTries: Int) throws(AccessoryServerError) {
        var document = stored
        document.pairings = changed.pairings
        document.failedTries = failedTries
        try storage.save(document)
        stored = document
        pairings = changed
    }

    private func answer(_ body: [UInt8]) -> Answer {
        Answer(response: HTTPResponse(pairing: body), pairings: pairings)
    }
}
