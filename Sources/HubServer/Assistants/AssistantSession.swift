import Foundation
import ModelContext
import Synchronization

/// An assistant's session over HTTP: from its call of `initialize`, or for one request of a revision without it.
final class AssistantSession: Sendable, Identifiable {
    // This is a class because the requests of a session share it.

    private struct State {
        var session: MCPSession
        var tasks: [MCPSession.RequestID: Task<MCPOutcome, Never>] = [:]
        var isClosed = false
    }

    private enum Step {
        case send([UInt8])
        case work(MCPSession.RequestID, Task<MCPOutcome, Never>)
        case none
    }

    let id = UUID()
    /// The device that the assistant signed in as.
    let device: UUID
    private let worker: any MCPWorker
    private let state: Mutex<State>

    init(_ info: MCPServerInfo, of device: UUID, worker: any MCPWorker) {
        self.device = device
        self.worker = worker
        state = Mutex(State(session: MCPSession(info)))
    }

    /// Whether the assistant has called `initialize`.
    var isGreeted: Bool { state.withLock { $0.session.assistantName != nil } }
    /// Whether a request has no reply yet.
    var isActive: Bool { state.withLock { $0.session.activeRequests > 0 } }

    /// Handles a message and waits for the reply; `nil` if there is none. If the task is canceled, the session ends.
    func reply(to message: [UInt8]) async -> [UInt8]? {
        let step = state.withLock { state -> Step in
            guard !state.isClosed else { return .none }
            switch state.session.receive(message).first {
            case .send(let reply)?: return .send(reply)
            case .work(let id, let work, let assistant)?:
                let task = Task { [worker] in await worker.outcome(of: work, for: assistant) }
                state.tasks[id] = task
                return .work(id, task)
            case .cancel(let id)?:
                state.tasks.removeValue(forKey: id)?.cancel()
                return .none
            case nil: return .none
            }
        }
        switch step {
        case .none: return nil
        case .send(let reply): return reply
        case .work(let id, let task):
            let outcome = await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                close()
            }
            return state.withLock { state in
                // After a cancellation, another request may have the same ID.
                if state.tasks[id] == task { state.tasks[id] = nil }
                return state.session.finish(id, with: outcome)
            }
        }
    }

    /// Ends the session with its connection to the hub, and what it has asked a person.
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return Array(state.tasks.values)
        }
        for task in tasks { task.cancel() }
        Task { [worker] in await worker.close() }
    }
}
