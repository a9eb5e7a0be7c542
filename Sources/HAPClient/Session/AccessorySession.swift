package import HAP
internal import HAPCatalog
package import NIOCore
import NIOPosix

/// One supervised connection to an accessory server, an accessory or a bridge with all behind it: connects, verifies,
/// subscribes, notices loss and comes back, until it is stopped.
///
/// Requests go out in the order in which they were submitted, whatever thread they come from; those that wait are put
/// together. Each has an outcome for every characteristic, at the latest when its deadline has passed. While the
/// accessory server is known to be unreachable they fail at once. A read is asked again after a loss if it still has
/// time; a write never is.
///
/// Start it once and stop it when it is no longer needed. A class because it is one connection, shared by all who use
/// the accessory; its state lives on one event loop.
package final class AccessorySession: Sendable {
    private let eventLoop: any EventLoop
    private let driver: NIOLoopBoundBox<SessionDriver>
    private let controllerID: PairingID

    /// Creates a session that does nothing until it is started.
    ///
    /// - Parameters:
    ///   - pairing: The keys of both sides.
    ///   - addresses: Where the accessory server may be; empty if nothing has been heard of it yet.
    ///   - configuration: Times and limits.
    ///   - group: Where the connection runs.
    ///   - onEvent: Is told what happens, one event after the other and in order, on the session's event loop: return
    ///     quickly and never block.
    ///   - onActivity: Is told what the session does on the network, likewise; nothing is measured without it.
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

    /// Begins to connect. Once only.
    package func start() {
        eventLoop.execute { [driver] in driver.value.start() }
    }

    /// Closes the connection for good; what waits fails with ``AccessoryFailure/stopped``. No event comes after it has
    /// returned.
    package func stop() async {
        // The one possible error is that of an event loop that has been shut down, and the connection with it.
        try? await eventLoop.flatSubmit { [driver] in driver.value.stop() }.get()
    }

    /// Tells where the accessory server was heard of. A connection that stands is kept; if a try to connect is being
    /// waited for, it is made now.
    package func update(addresses: [AccessoryAddress]) {
        eventLoop.execute { [driver] in driver.value.update(addresses: addresses) }
    }

    /// Tells the configuration number (`c#`) that the accessory server announces. If it is not the one under which the
    /// attribute database was read, that is read again and reported as ``AccessorySessionEvent/ready(_:)``.
    package func configurationDidChange(number: Int) {
        eventLoop.execute { [driver] in driver.value.configurationDidChange(number: number) }
    }

    /// Tells that the accessory server took leave of the network. A connection that stands is tried, not dropped.
    package func didReceiveGoodbye() {
        eventLoop.execute { [driver] in driver.value.didReceiveGoodbye() }
    }

    /// Where the accessory server last proved to be the one that was paired: worth keeping for the next session. `nil` if
    /// it has not done so yet.
    package var provenAddress: AccessoryAddress? {
        get async { try? await eventLoop.submit { [driver] in driver.value.provenAddress }.get() }
    }

    /// The configuration number (`c#`) under which the attribute database was read; `nil` if none was announced then.
    package var configurationNumber: Int? {
        get async { try? await eventLoop.submit { [driver] in driver.value.configurationNumber }.get() }
    }

    /// The characteristics that are subscribed to: those that were asked for, less those that the accessory refused.
    package var subscriptions: Set<CharacteristicID> {
        get async { (try? await eventLoop.submit { [driver] in driver.value.subscriptions }.get()) ?? [] }
    }

    // MARK: Requests

    /// Reads values. The outcomes come in the order of the IDs.
    package func submitRead(_ ids: [CharacteristicID]) -> Submission<[ReadOutcome]> {
        submit(ids.map { .read($0) }) { finished in
            zip(ids, finished.results).map { ReadOutcome(id: $0, result: $1.outcome.value, arrival: $1.arrival) }
        }
    }

    /// Writes values; the outcomes come in the order of the writes. Where the accessory asks for it, and for what locks
    /// or opens a home, the write is prepared first (a timed write).
    package func submitWrite(_ writes: [CharacteristicWrite]) -> Submission<[WriteOutcome]> {
        submit(writes.map { .write($0) }) { finished in
            zip(writes, finished.results).map {
                WriteOutcome(id: $0.id, result: $1.outcome.value, arrival: $1.arrival)
            }
        }
    }

    /// Subscribes to the events of characteristics, or unsubscribes. The outcomes come in the order of the IDs.
    ///
    /// Subscriptions are remembered and made again on every connection, also if the accessory can't be reached now;
    /// those that it refuses are forgotten. Subscribing tells no value: read after it what may have changed before.
    package func submitSubscribe(_ ids: [CharacteristicID], enabled: Bool) -> Submission<[WriteOutcome]> {
        submit(ids.map { .subscribe($0, enabled: enabled) }) { finished in
            zip(ids, finished.results).map { WriteOutcome(id: $0, result: $1.outcome.value, arrival: $1.arrival) }
        }
    }

    /// Has an accessory draw attention to itself.
    package func submitIdentify(_ aid: UInt64) -> Submission<Result<Void, AccessoryFailure>> {
        submit([.identify(aid: aid)]) { finished in
            finished.results.first?.outcome.value.map { _ in } ?? .failure(.stopped)
        }
    }

    // MARK: Pairings

    /// Removes this controller's own pairing at the accessory server, and with the last admin's all pairings; then the
    /// session is stopped. Succeeds also if the accessory server had forgotten the pairing already. Remove other
    /// controllers' pairings before, if they shall go too.
    package func removePairing() async throws(AccessoryFailure) {
        _ = try await ask(.remove(controllerID))
    }

    /// Removes another controller's pairing. One that does not exist is removed already.
    package func removePairing(of controller: PairingID) async throws(AccessoryFailure) {
        _ = try await ask(.remove(controller))
    }

    /// The pairings that the accessory server has. Needs admin permission.
    package func listPairings() async throws(AccessoryFailure) -> [Pairing] {
        guard case .list(let pairings) = try await ask(.list) else {
            throw .malformedAnswer("the answer is no list of pairings")
        }
        return pairings
    }

    /// Adds another controller, or changes its permissions. Needs admin permission.
    package func addPairing(_ pairing: Pairing) async throws(AccessoryFailure) {
        _ = try await ask(.add(pairing))
    }

    private func ask(_ request: PairingsRequest) async throws(AccessoryFailure) -> PairingsResponse {
        let submission = submit([.pairings(request)]) { $0.results.first?.outcome }
        switch await submission.value {
        case .pairings(let response): return response
        case .failure(let failure): throw failure
        case .value, nil: throw .malformedAnswer("the answer is not about pairings")
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
        case .pairings: .failure(.malformedAnswer("the answer is about pairings"))
        }
    }
}
