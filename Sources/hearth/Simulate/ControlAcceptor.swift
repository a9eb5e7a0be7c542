import AccessorySimulator
import Foundation
import HubAPI
import HubServer
import Synchronization

/// Accepts connections to a simulator's control socket. Uses the hub's listener, with the same lines, limits and
/// checks.
struct ControlAcceptor: HubSessionAcceptor {
    let simulator: Simulator

    func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession {
        ControlSession(simulator: simulator, deliver: deliver)
    }
}

/// A connection to the control socket.
///
/// Changes are made in the order of the requests. A request that waits for an event doesn't delay other replies.
private final class ControlSession: ConnectionSession {
    // This is a class because it is one connection, with its pending requests.

    private struct State {
        /// The requests that are waiting for an event.
        var waiting: [Int: Task<Void, Never>] = [:]
        var last = 0
        /// The previous request. It must finish before the next one starts.
        var previous: Task<Void, Never>?
        var hasEnded = false
    }

    /// The method that can wait for a long time, and changes nothing.
    private static let waitingMethod = "event.next"

    private let simulator: Simulator
    private let deliver: @Sendable (HubMessage) -> Void
    private let state = Mutex(State())

    init(simulator: Simulator, deliver: @escaping @Sendable (HubMessage) -> Void) {
        self.simulator = simulator
        self.deliver = deliver
    }

    func receive(_ request: HubRequest) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.last += 1
            let number = state.last
            guard request.method == Self.waitingMethod else {
                let previous = state.previous
                state.previous = Task {
                    await previous?.value
                    await answer(request)
                }
                return
            }
            state.waiting[number] = Task {
                await answer(request)
                remove(number)
            }
        }
    }

    private func remove(_ number: Int) {
        state.withLock { _ = $0.waiting.removeValue(forKey: number) }
    }

    private func answer(_ request: HubRequest) async {
        let result: Result<Data, HubError>
        do {
            result = .success(Data(try await simulator.answer(request.method, Array(request.parameters)).bytes))
        } catch {
            result = .failure(HubError(HubError.Code(rawValue: error.code.rawValue), error.reason))
        }
        deliver(.reply(id: request.id, HubReply(result)))
    }

    func fallBehind() {}

    func catchUp() {}

    /// Cancels the requests that are waiting. Changes finish: a canceled change could leave its accessory without a
    /// server.
    func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for task in waiting { task.cancel() }
    }
}
