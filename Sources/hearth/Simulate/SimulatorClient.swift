import AccessorySimulator
import Foundation
import HAP
import HubAPI
import HubClient
import Synchronization

/// A command's connection to a simulator's control socket.
final class SimulatorClient: Sendable {
    // This is a class because a connection has an identity.

    private typealias Reply = Result<Data, HubError>

    private struct State {
        var nextID = 1
        var waiting: [Int: CheckedContinuation<Reply, Never>] = [:]
        var end: HubError?
    }

    private let transport: UnixSocketTransport
    private let state = Mutex(State())

    /// Connects to the simulator that the options name.
    init(_ options: SimulatorOptions) throws(CommandFailure) {
        transport = UnixSocketTransport(path: try options.path())
        transport.open { [weak self] message in self?.received(message) }
    }

    deinit {
        transport.close()
    }

    /// Calls a method.
    ///
    /// - Parameter parameters: A closure that writes the members of the parameters.
    func call<Answer: Decodable>(
        _ method: String,
        as: Answer.Type,
        _ parameters: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> Answer {
        try JSONDecoder().decode(Answer.self, from: try await call(method, parameters))
    }

    /// Calls a method and returns its result as JSON.
    @discardableResult
    func call(_ method: String, _ parameters: (inout JSONWriter) -> Void = { _ in }) async throws -> Data {
        var writer = JSONWriter()
        writer.object(parameters)
        let body = Data(writer.bytes)
        let reply = await withCheckedContinuation { (continuation: CheckedContinuation<Reply, Never>) in
            let (id, end) = state.withLock { state -> (Int, HubError?) in
                if let end = state.end { return (0, end) }
                let id = state.nextID
                state.nextID += 1
                state.waiting[id] = continuation
                return (id, nil)
            }
            if let end {
                continuation.resume(returning: .failure(end))
            } else {
                transport.send(HubRequest(id: id, method: method, parameters: body))
            }
        }
        do {
            return try reply.get()
        } catch {
            throw Self.failure(error)
        }
    }

    private func received(_ message: HubMessage) {
        switch message {
        case .reply(let id, let reply):
            state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: reply.result)
        case .closed(let error):
            let waiting = state.withLock { state in
                state.end = state.end ?? error
                defer { state.waiting = [:] }
                return Array(state.waiting.values)
            }
            for continuation in waiting { continuation.resume(returning: .failure(error)) }
        case .event:
            break
        }
    }

    /// Translates the transport's errors, which are about hubs.
    private static func failure(_ error: HubError) -> CommandFailure {
        switch error.code {
        case .noHub: CommandFailure("noSimulator", SimulatorOptions.noSimulator)
        case .untrustedHub: CommandFailure("untrustedSimulator", "Another user runs the simulator at that socket.")
        case .connectionLost: CommandFailure(error.code.rawValue, "The simulator closed the connection.")
        default: CommandFailure(error.code.rawValue, error.reason)
        }
    }
}
