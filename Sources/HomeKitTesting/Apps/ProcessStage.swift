import HomeHub
import HomeKit
import HubAPI
import Synchronization

/// Where the managers of a process find the test home that plays at the moment: an environment that stays, with hubs that
/// come and go.
final class ProcessStage: Sendable {
    // A class, because there is one in a process.

    private struct State {
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var hub: HomeHub?
        /// Connections that wait for the next hub.
        var patient: [@Sendable () -> Void] = []
        /// Connections to the present hub that have not heard all of its homes yet, and have not ended.
        var unsettled: Set<ObjectIdentifier> = []
    }

    static let shared = ProcessStage()

    private let state = Mutex(State())

    /// What managers on the stage are made in.
    let environment: HomeKitEnvironment

    private init() {
        environment = HomeKitEnvironment(
            app: TestApp.usualName,
            purpose: "To test an app.",
            retry: RetrySchedule(delay: { _ in .zero }, wait: { _, work in ProcessStage.shared.wait(work) }),
            log: { _ in },
            transport: { StageTransport(ProcessStage.shared) }
        )
    }

    // MARK: Homes

    /// Waits until the stage is free and takes it.
    func enter() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isFree = state.withLock { state in
                guard state.isTaken else {
                    state.isTaken = true
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Leaves the stage to the next.
    func leave() {
        let next = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return CheckedContinuation<Void, Never>?.none
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }

    /// Shows a hub. Managers that had another one hear of the new one's homes before this returns.
    ///
    /// - Throws: ``NotReached`` if that takes too long.
    func show(_ hub: HomeHub) async throws {
        HomeKitEnvironment.standIn = environment
        let patient = state.withLock { state in
            defer { state.patient = [] }
            state.hub = hub
            state.unsettled = []
            return state.patient
        }
        // Those whose managers live open their connections now; the others do nothing.
        for work in patient { work() }
        let limit = Duration.seconds(20)
        try await Patience(limit: limit).wait {
            state.withLock { $0.unsettled.isEmpty }
        } otherwise: {
            NotReached("the managers of this process know the home", limit, #fileID, #line, state: "")
        }
    }

    /// Shows no hub any more.
    func clear() {
        state.withLock { $0.hub = nil }
    }

    // MARK: Connections

    /// Runs some work as soon as there is a hub.
    private func wait(_ work: @escaping @Sendable () -> Void) {
        let isThere = state.withLock { state in
            if state.hub == nil { state.patient.append(work) }
            return state.hub != nil
        }
        if isThere { work() }
    }

    /// The hub for a connection that is about to be opened.
    fileprivate func hub(for connection: ObjectIdentifier) -> HomeHub? {
        state.withLock { state in
            if state.hub != nil { state.unsettled.insert(connection) }
            return state.hub
        }
    }

    fileprivate func noteReset(_ connection: ObjectIdentifier) {
        // After the manager has taken it in, and its delegate has heard of it.
        environment.queue.async { [self] in noteEnd(connection) }
    }

    fileprivate func noteEnd(_ connection: ObjectIdentifier) {
        state.withLock { _ = $0.unsettled.remove(connection) }
    }
}

/// A way to the hub that is on the stage when it is opened.
private final class StageTransport: HubTransport {
    // A class, because a connection has an identity.

    private let stage: ProcessStage
    private let inner = Mutex<InProcessTransport?>(nil)

    init(_ stage: ProcessStage) {
        self.stage = stage
    }

    func open(_ receive: @escaping @Sendable (HubMessage) -> Void) {
        let id = ObjectIdentifier(self)
        guard let hub = stage.hub(for: id) else {
            receive(.closed(HubError(.noHub, "No test home is on the stage.")))
            return
        }
        let transport = InProcessTransport(to: hub)
        inner.withLock { $0 = transport }
        transport.open { [stage] message in
            receive(message)
            switch message {
            case .event(.reset): stage.noteReset(id)
            case .closed: stage.noteEnd(id)
            default: break
            }
        }
    }

    func send(_ request: HubRequest) {
        inner.withLock { $0 }?.send(request)
    }

    func close() {
        stage.noteEnd(ObjectIdentifier(self))
        inner.withLock { $0 }?.close()
    }
}
