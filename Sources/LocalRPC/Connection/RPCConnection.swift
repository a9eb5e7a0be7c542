package import Foundation
import Synchronization

/// A client's end of a connection: matches replies to calls and keeps their order among the events.
///
/// Events and completions run serially, in the server's order, on the transport's thread. A client that needs another
/// queue can dispatch to it from there, which keeps the order.
package final class RPCConnection<Event: RPCEvent>: Sendable {
    // This is a class because several threads share the calls that are in progress on one connection.

    private typealias Completion = @Sendable (RPCReply<Event.Position>) -> Void

    private struct State {
        var nextID = 1
        var waiting: [Int: Completion] = [:]
        var end: RPCError?
    }

    private let transport: any RPCTransport<Event>
    private let state = Mutex(State())

    /// Opens a connection over a transport that has not been opened yet.
    ///
    /// - Parameters:
    ///   - transport: The transport to the server.
    ///   - onEvent: A closure that receives every event, serially.
    ///   - onClose: A closure that receives the reason when the connection has ended, once, after every waiting call.
    package init(
        over transport: any RPCTransport<Event>,
        onEvent: @escaping @Sendable (Event) -> Void = { _ in },
        onClose: @escaping @Sendable (RPCError) -> Void = { _ in }
    ) {
        self.transport = transport
        transport.open { [weak self] message in
            switch message {
            case .reply(let id, let reply):
                self?.completion(of: id)?(reply)
            case .event(let event):
                onEvent(event)
            case .closed(let error):
                for completion in self?.end(with: error) ?? [] {
                    completion(.failure(error))
                }
                onClose(error)
            }
        }
    }

    deinit {
        transport.close()
    }

    /// Sends a request with encoded parameters.
    ///
    /// - Parameter completion: A closure that receives the reply, once, in the server's order of events and replies.
    package func send(
        _ method: String,
        _ parameters: Data,
        key: UUID? = nil,
        completion: @escaping @Sendable (RPCReply<Event.Position>) -> Void
    ) {
        let (id, end) = state.withLock { state -> (Int, RPCError?) in
            if let end = state.end { return (0, end) }
            let id = state.nextID
            state.nextID += 1
            state.waiting[id] = completion
            return (id, nil)
        }
        if let end {
            completion(.failure(end))
        } else {
            transport.send(RPCRequest(id: id, method: method, parameters: parameters, key: key))
        }
    }

    /// Sends a request with encoded parameters and waits for its result.
    package func send(_ method: String, _ parameters: Data) async throws(RPCError) -> Data {
        let reply = await withCheckedContinuation { continuation in
            send(method, parameters) { continuation.resume(returning: $0) }
        }
        return try reply.result.get()
    }

    /// Calls a method. `completion` runs once, in the server's order of events and replies.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, RPCError>) -> Void
    ) {
        do throws(RPCError) {
            call(try EncodedCall(method, parameters), completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Makes an encoded call, which may have been made on an earlier connection.
    package func call<Parameters, Result>(
        _ call: EncodedCall<Parameters, Result>,
        completion: @escaping @Sendable (Swift.Result<Result, RPCError>) -> Void
    ) {
        self.call(call) { result, _ in completion(result) }
    }

    /// Makes an encoded call, and also passes on the reply's positions: ``RPCReply/follows``.
    package func call<Parameters, Result>(
        _ call: EncodedCall<Parameters, Result>,
        completion: @escaping @Sendable (Swift.Result<Result, RPCError>, [Event.Position]) -> Void
    ) {
        let method = call.method
        send(method.name, call.body, key: call.key) { reply in
            completion(reply.result.flatMap(method.decode), reply.follows)
        }
    }

    /// Calls a method and waits for its reply.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(RPCError) -> Result {
        let reply = await withCheckedContinuation { continuation in
            call(method, parameters) { continuation.resume(returning: $0) }
        }
        return try reply.get()
    }

    /// Ends the connection; waiting calls fail.
    package func close() {
        transport.close()
    }

    private func completion(of id: Int) -> Completion? {
        state.withLock { $0.waiting.removeValue(forKey: id) }
    }

    private func end(with error: RPCError) -> [Completion] {
        state.withLock { state in
            guard state.end == nil else { return [] }
            state.end = error
            let waiting = state.waiting.sorted { $0.key < $1.key }.map(\.value)
            state.waiting = [:]
            return waiting
        }
    }
}
