internal import Synchronization

/// Who is still busy at a moment of a scenario, so that its time goes on only when everything has happened that is to
/// happen at that moment. A class, as apps, accessories and the run mean the same one.
///
/// Apps and accessories talk over sockets. An app that has asked is busy until it has its answer, unless the accessory
/// holds the answer back or gives none; an event is under way until the app has it, and so is the end of a connection.
final class ScenarioActivityTracker: Sendable {
    private struct State {
        var busyApps: Set<String> = []
        var work = 0
        /// The app at the other end of each port of this machine.
        var apps: [Int: String] = [:]
        /// The events that are on their way, by port.
        var events: [Int: Int] = [:]
        /// The ports whose connection the accessory has ended.
        var closing: Set<Int> = []
        /// The ports whose connection an app has ended, as long as the accessory does not know.
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

    /// Takes note of an app's connection.
    func bind(_ port: Int, to app: String) { change { $0.apps[port] = app } }

    /// Takes note that an app has no such connection any more.
    func unbind(_ port: Int) {
        change { state in
            state.apps[port] = nil
            state.events[port] = nil
            state.closing.remove(port)
        }
    }

    /// An app has ended a connection that the accessory still speaks on.
    func leave(_ port: Int) {
        change { state in
            state.apps[port] = nil
            state.events[port] = nil
            state.leaving.insert(port)
        }
    }

    /// The app at the other end of a connection, `nil` if it is none of the scenario's.
    func app(_ port: Int) -> String? { state.withLock { $0.apps[port] } }

    // MARK: The wire

    /// An accessory lets an app wait, for a time or for ever.
    func hold(_ port: Int) {
        change { state in
            if let app = state.apps[port] { state.busyApps.remove(app) }
        }
    }

    /// An accessory goes on with what an app has asked.
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

    /// The longest time that a moment of a scenario may take.
    private static let patience = Duration.seconds(60)

    /// Waits until nobody is busy.
    ///
    /// - Throws: ``SimulatorError`` with the code `wrongState` if that takes too long.
    func settled() async throws(SimulatorError) {
        let guardian = Task { [weak self] in
            try await Task.sleep(for: Self.patience)
            self?.state.withLock { $0.waiting.take() }?.resume()
        }
        defer { guardian.cancel() }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isIdle = state.withLock { state in
                if state.isIdle { return true }
                state.waiting = continuation
                return false
            }
            if isIdle { continuation.resume() }
        }
        let rest = state.withLock { $0.isIdle ? nil : $0.description }
        if let rest { throw SimulatorError(.wrongState, reason: "The scenario does not come to rest: \(rest)") }
    }
}
