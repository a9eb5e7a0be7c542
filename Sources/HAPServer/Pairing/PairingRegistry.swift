internal import HAP

/// A manager of an accessory server's pairings: it handles pair-setup for all connections, and keeps and stores the
/// list of paired controllers.
///
/// The actor runs on its own thread, because pair-setup computes for milliseconds and storing blocks on the disk. Its
/// answers can be sent immediately, because all changes are already stored.
actor PairingRegistry {
    /// The response to a request, and the resulting pairings.
    struct Answer: Sendable {
        let response: HTTPResponse
        /// The pairings after the request.
        let pairings: PairingList
        /// The controllers that are no longer paired.
        var removed: [PairingID] = []
        /// Whether the connection's pair-setup is waiting for its next message.
        var isSetUpInProgress = false
        /// The keys with which to secure the connection after a transient pair-setup.
        var keys: SessionKeys?
    }

    private let identity: AccessoryIdentity
    private let setupCode: SetupCode
    private let storage: any AccessoryStorage
    private let now: @Sendable () -> ContinuousClock.Instant
    private let executor = SerialQueueExecutor(label: "hearth.pairing")
    private var stored: StoredPairings
    private var pairings: PairingList
    /// Created when a controller first needs it, because it takes an exponentiation and a paired accessory doesn't need
    /// it.
    private var setup: PairSetupAccessory?
    private var random = SystemRandomNumberGenerator()

    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    init(
        _ state: borrowing StoredState,
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

    /// Handles `POST /pair-setup`.
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
            answer.isSetUpInProgress = setup.isInProgress(on: connection)
            return answer
        case .badRequest:
            return Answer(response: HTTPResponse(status: .badRequest), pairings: pairings)
        case .storeFailedTriesThenReply(let failedTries, let reply):
            // If storing fails, the number still counts until the restart.
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

    /// Handles `POST /pairings` from a controller with a verified session.
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

    /// Removes all pairings.
    ///
    /// - Throws: ``AccessoryServerError`` with the code `storageUnwritable`. The pairings are then unchanged.
    func removeAll() throws(AccessoryServerError) -> Answer {
        let removed = pairings.pairings.map(\.controllerID)
        try store(PairingList([]), failedTries: stored.failedTries)
        return Answer(response: HTTPResponse(status: .ok), pairings: pairings, removed: removed)
    }

    /// Stores the assigned IDs.
    func store(_ attributes: StoredAttributes) throws(AccessoryServerError) {
        try storage.save(attributes)
    }

    /// Makes pair-setup available to other connections if this one was using it.
    func connectionClosed(_ connection: ConnectionID) {
        setup?.connectionClosed(connection)
    }

    /// Returns once all earlier requests are handled and stored.
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
