package import HAP
internal import HAPCatalog
package import NIOCore
import NIOPosix

/// A supervised connection to an accessory server, which is an accessory or a bridge. It connects, verifies,
/// subscribes, detects the loss of the connection and reconnects, until it is stopped.
///
/// Requests are sent in the order of submission, from any thread. Pending requests are batched. Each has an outcome per
/// characteristic, at the latest when its deadline passes. While the accessory server is unreachable, requests fail
/// immediately. If the connection is lost, reads are retried until their deadline; writes never are.
///
/// Start a session once, and stop it when it is no longer needed. It is a class because all users of the accessory
/// share the connection. Its state is confined to one event loop.
package final class AccessorySession: Sendable {
    private let eventLoop: any EventLoop
    private let driver: NIOLoopBoundBox<SessionDriver>
    private let controllerID: PairingID

    /// Creates a session, which does nothing until it is started.
    ///
    /// - Parameters:
    ///   - pairing: The keys of both sides.
    ///   - addresses: The possible addresses of the accessory server. Empty if none are known yet.
    ///   - configuration: The timeouts and limits.
    ///   - group: The event loop group on which the connection runs.
    ///   - onEvent: A closure that receives the session's events, serially and in order, on the session's event loop.
    ///     It must not block.
    ///   - onActivity: A closure that receives the session's network activity in the same way. Nothing is measured
    ///     without it.
    package init(
        pairing: AccessoryPairing,
        addresses: [AccessoryAddress],
        configuration: SessionConfiguration = SessionConfiguration(),
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        onEvent: @escaping @Sendable (AccessorySessionEvent) -> Void,
        onActivity: (@Sendable (SessionActivity) -> Void)? = nil
    ) {
        eventLoop = group.next()
        controllerID = pairing.controllerIdentity.pairingID
        let machine = SessionMachine(
            controllerID: controllerID,
            addresses: addresses,
            configuration: configuration,
            generator: SystemRandomNumberGenerator()
        )
        driver = .makeBoxSendingValue(
            SessionDriver(
                pairing: pairing,
                machine: machine,
                eventLoop: eventLoop,
                onEvent: onEvent,
                onActivity: onActivity
            ),
            eventLoop: eventLoop
        )
    }

    deinit {
        eventLoop.execute { [driver] in _ = driver.value.stop() }
    }

    // MARK: Supervision

    /// Starts connecting. Call it only once.
    package func start() {
        eventLoop.execute { [driver] in driver.value.start() }
    }

    /// Closes the connection permanently. Pending requests fail with ``AccessoryFailure/stopped``. No events follow
    /// once it returns.
    package func stop() async {
        // This fails only if the event loop was shut down, and the connection with it.
        try? await eventLoop.flatSubmit { [driver] in driver.value.stop() }.get()
    }

    /// Updates the addresses of the accessory server. An open connection is kept. A scheduled attempt to connect is
    /// made now.
    package func update(addresses: [AccessoryAddress]) {
        eventLoop.execute { [driver] in driver.value.update(addresses: addresses) }
    }

    /// Updates the configuration number (`c#`) that the accessory server advertises. If it differs from the number with
    /// which the attribute database was read, the database is read again and reported as
    /// ``AccessorySessionEvent/ready(_:)``.
    package func configurationDidChange(number: Int) {
        eventLoop.execute { [driver] in driver.value.configurationDidChange(number: number) }
    }

    /// Reports that the accessory server sent a goodbye. An open connection is probed, not closed.
    package func didReceiveGoodbye() {
        eventLoop.execute { [driver] in driver.value.didReceiveGoodbye() }
    }

    /// The address at which pair-verify last succeeded, or `nil` if it hasn't yet. Store it for the next session.
    package var provenAddress: AccessoryAddress? {
        get async { try? await eventLoop.submit { [driver] in driver.value.provenAddress }.get() }
    }

    /// The configuration number (`c#`) with which the attribute database was read, or `nil` if none was advertised.
    package var configurationNumber: Int? {
        get async { try? await eventLoop.submit { [driver] in driver.value.configurationNumber }.get() }
    }

    /// Whether the accessory refused, for a reason that lasts, to prepare the last write that was to be prepared. It was
    /// then written to unprepared, so a write that it gets late is carried out late.
    package var cannotPrepare: Bool {
        get async { (try? await eventLoop.submit { [driver] in driver.value.cannotPrepare }.get()) ?? false }
    }

    /// The subscribed characteristics: those that were requested, except those that the accessory rejected.
    package var subscriptions: Set<CharacteristicID> {
        get async { (try? await eventLoop.submit { [driver] in driver.value.subscriptions }.get()) ?? [] }
    }

    // MARK: Requests

    /// Reads values. The outcomes are in the order of the IDs.
    package func submitRead(_ ids: [CharacteristicID]) -> Submission<[ReadOutcome]> {
        submit(ids.map { .read($0) }) { finished in
            zip(ids, finished.results).map { ReadOutcome(id: $0, result: $1.outcome.value, arrival: $1.arrival) }
        }
    }

    /// Writes values. The outcomes are in the order of the writes. Timed writes are used if the accessory requires
    /// them, and for characteristics that secure a home.
    package func submitWrite(_ writes: [CharacteristicWrite]) -> Submission<[WriteOutcome]> {
        submit(writes.map { .write($0) }) { finished in
            zip(writes, finished.results).map {
                WriteOutcome(id: $0.id, result: $1.outcome.value, arrival: $1.arrival)
            }
        }
    }

    /// Subscribes to the events of characteristics, or unsubscribes. The outcomes are in the order of the IDs.
    ///
    /// Subscriptions are remembered, even if the accessory is unreachable now, and restored on every connection. Those
    /// that the accessory rejects are dropped. Subscribing doesn't return values; read them afterwards.
    package func submitSubscribe(_ ids: [CharacteristicID], enabled: Bool) -> Submission<[WriteOutcome]> {
        submit(ids.map { .subscribe($0, enabled: enabled) }) { finished in
            zip(ids, finished.results).map { WriteOutcome(id: $0, result: $1.outcome.value, arrival: $1.arrival) }
        }
    }

    /// Runs the identify routine of an accessory.
    package func submitIdentify(_ aid: UInt64) -> Submission<Result<Void, AccessoryFailure>> {
        submit([.identify(aid: aid)]) { finished in
            finished.results.first?.outcome.value.map { _ in } ?? .failure(.stopped)
        }
    }

    // MARK: Pairings

    /// Removes this controller's own pairing from the accessory server, then stops the session. Removing the last
    /// admin's pairing removes all pairings. Succeeds even if the accessory server no longer has the pairing. Remove
    /// other controllers' pairings first if they should be removed too.
    package func removePairing() async throws(AccessoryFailure) {
        _ = try await send(.remove(controllerID))
    }

    /// Removes another controller's pairing. Succeeds if it doesn't exist.
    package func removePairing(of controller: PairingID) async throws(AccessoryFailure) {
        _ = try await send(.remove(controller))
    }

    /// Returns the pairings of the accessory server. Requires admin permission.
    package func listPairings() async throws(AccessoryFailure) -> [Pairing] {
        guard case .list(let pairings) = try await send(.list) else {
            throw .malformedAnswer("the response is not a list of pairings")
        }
        return pairings
    }

    /// Adds another controller, or changes its permissions. Requires admin permission.
    package func addPairing(_ pairing: Pairing) async throws(AccessoryFailure) {
        _ = try await send(.add(pairing))
    }

    private func send(_ request: PairingsRequest) async throws(AccessoryFailure) -> PairingsResponse {
        let submission = submit([.pairings(request)]) { $0.results.first?.outcome }
        switch await submission.value {
        case .pairings(let response): return response
        case .failure(let failure): throw failure
        case .value, nil: throw .malformedAnswer("the response is not to a pairings request")
        }
    }

    private func submit<Value: Sendable>(
        _ kinds: [QueuedRequest.Kind],
        result: @escaping @Sendable (RequestQueue.Finished) -> Value
    ) -> Submission<Value> {
        let submission = Submission<Value>()
        eventLoop.execute { [driver] in
            driver.value.submit(kinds) { submission.resolve(result($0)) }
        }
        return submission
    }
}

extension RequestOutcome {
    /// The outcome of a read or write.
    fileprivate var value: Result<CharacteristicValue?, AccessoryFailure> {
        switch self {
        case .value(let value): .success(value)
        case .failure(let failure): .failure(failure)
        case .pairings: .failure(.malformedAnswer("the response is to a pairings request"))
        }
    }
}
