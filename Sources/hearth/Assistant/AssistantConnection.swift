import Foundation
import ModelContext
import Synchronization

/// An assistant's connection over standard input and output.
final class AssistantConnection: Sendable {
    // This is a class because the reader's thread and the tasks of requests share it.

    private struct State {
        var session = MCPSession(AssistantTools.info)
        var tasks: [MCPSession.RequestID: Task<Void, Never>] = [:]
    }

    /// The time for requests in progress once the input has ended.
    private static let finalTime = Duration.seconds(5)
    private static let readBytes = 65_536

    private let worker: any MCPWorker
    private let state = Mutex(State())
    /// Messages don't mix on the output.
    private let output = Mutex(())

    /// Creates a connection.
    init(_ worker: any MCPWorker) {
        self.worker = worker
    }

    /// Reads messages until the end of the input.
    func run() async {
        await withCheckedContinuation { continuation in
            // Reading and writing block. While the client doesn't read replies, nothing more is read from it.
            Thread.detachNewThread { [self] in
                read()
                continuation.resume()
            }
        }
        let tasks = state.withLock { Array($0.tasks.values) }
        await withTaskGroup { group in
            group.addTask { for task in tasks { await task.value } }
            group.addTask { try? await Task.sleep(for: Self.finalTime) }
            await group.next()
            group.cancelAll()
            for task in tasks { task.cancel() }
        }
    }

    private func read() {
        var reader = MCPReader()
        var buffer = [UInt8](repeating: 0, count: Self.readBytes)
        while true {
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            for element in reader.decode(Array(buffer.prefix(count))) {
                for step in state.withLock({ $0.session.receive(element) }) { take(step) }
            }
        }
    }

    private func take(_ step: MCPSession.Step) {
        switch step {
        case .send(let message):
            send(message)
        case .work(let id, let work, let assistant):
            state.withLock { state in
                state.tasks[id] = Task { [self] in
                    let outcome = await worker.outcome(of: work, for: assistant)
                    let reply = self.state.withLock { state in
                        state.tasks[id] = nil
                        return state.session.finish(id, with: outcome)
                    }
                    if let reply { send(reply) }
                }
            }
        case .cancel(let id):
            state.withLock { $0.tasks.removeValue(forKey: id) }?.cancel()
        }
    }

    private func send(_ message: [UInt8]) {
        output.withLock { _ in ProgramOutput.line(String(decoding: message, as: UTF8.self)) }
    }
}
