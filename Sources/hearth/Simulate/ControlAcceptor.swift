import AccessorySimulator
import Foundation
import HubAPI
import HubServer
import Synchronization

/// Serves the control of a simulator where a hub's methods are served otherwise: the same lines, limits and safeguards.
struct ControlAcceptor: HubSessionAcceptor {
    let simulator: Simulator

    func acceptConnection(deliver: @escaping @Sendable (HubMessage) -> Void) -> any ConnectionSession {
        ControlSession(simulator: simulator, deliver: deliver)
    }
}

/// One connection to the control. Requests are answered in the order in which their answers are there: one that waits for
/// an event holds up no other; changes are made in the order of the requests.
private final class ControlSession: ConnectionSession {
    // A class, because it is one connection, with the requests that are under way on it.

    private struct State {
        /// The requests that wait for an event.
        var waiting: [Int: Task<Void, Never>] = [:]
        var last = 0
        /// The request before, which has to be done before the next one begins.
        var former: Task<Void, Never>?
        var isOver = false
    }

    /// What may wait for long, and changes nothing.
    private static let waiting = "event.next"

    private let simulator: Simulator
    private let deliver: @Sendable (HubMessage) -> Void
    private let state = Mutex(State())

    init(simulator: Simulator, deliver: @escaping @Sendable (HubMessage) -> Void) {
        self.simulator = simulator
        self.deliver = deliver
    }

    func receive(_ request: HubRequest) {
        state.withLock { state in
            guard !state.isOver else { return }
            state.last += 1
            let number = state.last
            guard request.method == Self.waiting else {
                let former = state.former
                state.former = Task {
                    await former?.value
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

    /// Nobody waits any more. Changes run to their end: one that is broken off could leave its accessory without a server.
    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for task in waiting { task.cancel() }
    }
}
