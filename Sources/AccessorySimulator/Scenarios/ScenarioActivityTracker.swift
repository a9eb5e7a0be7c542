internal import Synchronization

/// A tracker of ongoing work in a scenario. The scenario's time advances only when all work for the current time is
/// done.
///
/// Apps and accessories communicate over sockets. An app that sent a request is busy until it receives the response,
/// unless the accessory delays or omits it. An event, or the end of a connection, is pending until the app receives it.
final class ScenarioActivityTracker: Sendable {
    private struct State {
        var busyApps: Set<String> = []
        var work = 0
        /// The app at the other end of each local port.
        var apps: [Int: String] = [:]
        /// The number of events in transit, by port.
        var events: [Int: Int] = [:]
        /// The ports whose connection the accessory has closed.
        var closing: Set<Int> = []
        /// The ports whose connection an app has closed without the accessory's knowledge so far.
        var leaving: Set<Int> = []
        var waiting: CheckedContinuation<Void, Never>?

        var isIdle: Bool { busyApps.isEmpty && work == 0 && events.isEmpty && closing.isEmpty && leaving.isEmpty }

        var description: String {
            "apps \(busyApps.sorted()), work \(work), events \(events.count), ends \(closing.count + leaving.count)"
        }
    }

    private let state = Mutex(State())

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, waiting) = state.withLock { state in
            let value = body(&state)
            guard state.isIdle else { return (value, nil as CheckedContinuation<Void, Never>?) }
            return (value, state.waiting.take())
        }
        waiting?.resume()
        return value
    }

    // MARK: Apps

    func enter(_ app: String) { change { _ = $0.busyApps.insert(app) } }
    func leave(_ app: String) { change { _ = $0.busyApps.remove(app) } }

    /// Records an app's connection.
    func bind(_ port: Int, to app: String) { change { $0.apps[port] = app } }

    /// Records that an app's connection is gone.
    func unbind(_ port: Int) {
        change { state in
            state.apps[port] = nil
            state.events[port] = nil
            state.closing.remove(port)
        }
    }

    /// Records that an app closed a connection that the accessory is still using.
    func leave(_ port: Int) {
        change { state in
            state.apps[port] = nil
            state.events[port] = nil
            state.leaving.insert(port)
        }
    }

    /// Returns the app at the other end of a connection, or `nil` if it isn't part of the scenario.
    func app(_ port: Int) -> String? { state.withLock { $0.apps[port] } }

    // MARK: Traffic

    /// Records that an accessory delays or omits its response.
    func hold(_ port: Int) {
        change { state in
            if let app = state.apps[port] { state.busyApps.remove(app) }
        }
    }

    /// Records that an accessory continues with a delayed request.
    func resume(_ port: Int) {
        change { state in
            if let app = state.apps[port] { state.busyApps.insert(app) }
        }
    }

    func eventLeaves(_ port: Int) {
        change { state in
            if state.apps[port] != nil { state.events[port, default: 0] += 1 }
        }
    }

    func eventArrives(_ port: Int) {
        change { state in
            guard let count = state.events[port] else { return }
            state.events[port] = count > 1 ? count - 1 : nil
        }
    }

    func connectionEnds(_ port: Int) {
        change { state in
            if state.leaving.remove(port) == nil, state.apps[port] != nil { state.closing.insert(port) }
        }
    }

    // MARK: Other work

    func begin() { change { $0.work += 1 } }
    func finish() { change { $0.work -= 1 } }

    // MARK: Waiting

    /// The maximum real time for a single point in time of a scenario.
    private static let timeout = Duration.seconds(60)

    /// Waits until no work is in progress.
    ///
    /// - Throws: ``SimulatorError`` with the code `wrongState` if that takes too long.
    func settled() async throws(SimulatorError) {
        let timer = Task { [weak self] in
            try await Task.sleep(for: Self.timeout)
            self?.state.withLock { $0.waiting.take() }?.resume()
        }
        defer { timer.cancel() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isIdle = state.withLock { state in
                if state.isIdle { return true }
                state.waiting = continuation
                return false
            }
            if isIdle { continuation.resume() }
        }
        let rest = state.withLock { $0.isIdle ? nil : $0.description }
        if let rest { throw SimulatorError(.wrongState, reason: "The scenario doesn't become idle: \(rest)") }
    }
}
