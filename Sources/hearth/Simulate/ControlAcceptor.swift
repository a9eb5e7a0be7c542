import AccessorySimulator
import Foundation
import LocalRPC
import Synchronization

/// An acceptor that serves the control of a simulator.
struct ControlAcceptor: RPCSessionAcceptor {
    let simulator: Simulator

    func acceptConnection(
        on executor: (any TaskExecutor)?,
        deliver: @escaping @Sendable (RPCMessage<NoEvents>) -> Void
    ) -> any RPCSession {
        ControlSession(simulator: simulator, deliver: deliver)
    }
}

/// One connection to the control.
///
/// Changes are made in the order of the requests. A request that waits for an event doesn't delay others: replies leave
/// as soon as they are known.
private final class ControlSession: RPCSession {
    // This is a class because it is one connection, with the requests that are in progress on it.

    private struct State {
        /// The requests that wait for an event.
        var waiting: [Int: Task<Void, Never>] = [:]
        var last = 0
        /// The previous request, which must end before the next one starts.
        var previous: Task<Void, Never>?
        var isOver = false
    }

    /// The method that can wait for long, and changes nothing.
    private static let waiting = "event.next"

    private let simulator: Simulator
    private let deliver: @Sendable (RPCMessage<NoEvents>) -> Void
    private let state = Mutex(State())

    init(simulator: Simulator, deliver: @escaping @Sendable (RPCMessage<NoEvents>) -> Void) {
        self.simulator = simulator
        self.deliver = deliver
    }

    func receive(_ request: RPCRequest) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.last += 1
            let number = state.last
            guard request.method == Self.waiting else {
                let previous = state.previous
                state.previous = Task {
                    await previous?.value
                    await answer(request)
                }
                return
            }
            state.waiting[number] = Task {
                await answer(request)
                done(number)
            }
        }
    }

    private func done(_ number: Int) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    private func answer(_ request: RPCRequest) async {
        let result: Result<Data, RPCError>
        do {
            result = .success(Data(try await simulator.answer(request.method, Array(request.parameters)).bytes))
        } catch {
            result = .failure(RPCError(RPCError.Code(rawValue: error.code.rawValue), error.reason))
        }
        deliver(.reply(id: request.id, RPCReply(result)))
    }

    func pauseEvents() {}

    func resumeEvents() {}

    /// Cancels the requests that wait. Changes continue to their end: a canceled one could leave its accessory without a
    /// server.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for task in waiting { task.cancel() }
    }
}
