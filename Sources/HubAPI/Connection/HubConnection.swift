import Foundation
import Synchronization

/// A client's end of a connection to a hub: matches replies to calls and keeps their order among the events.
///
/// The handlers of events and of replies all run serially, in the hub's order, on the transport's thread: whoever wants
/// another queue hands over from there and keeps the order.
package final class HubConnection: Sendable {
    // A class, because calls in flight belong to one connection that several threads use.

    private typealias Completion = @Sendable (HubReply) -> Void

    private struct State {
        var nextID = 1
        var waiting: [Int: Completion] = [:]
        var end: HubError?
    }

    private let transport: any HubTransport
    private let state = Mutex(State())

    /// Opens a connection over a transport that has not been opened yet.
    ///
    /// - Parameters:
    ///   - transport: The way to the hub.
    ///   - onEvent: Gets every event, serially.
    ///   - onClose: Told once why the connection ended, after every waiting call got that error.
    package init(
        over transport: any HubTransport,
        onEvent: @escaping @Sendable (HubEvent) -> Void,
        onClose: @escaping @Sendable (HubError) -> Void = { _ in }
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

    /// Calls a method. `completion` runs once, in the hub's order of events and replies.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        do throws(HubError) {
            call(try EncodedCall(method, parameters), completion: completion)
        } catch {
            completion(.failure(error))
        }
    }

    /// Makes a call that was prepared, which may have been made on an earlier connection.
    package func call<Parameters, Result>(
        _ call: EncodedCall<Parameters, Result>,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>) -> Void
    ) {
        self.call(call) { result, _ in completion(result) }
    }

    /// Makes a call that was prepared, and tells which entries its reply follows: ``HubReply/follows``.
    package func call<Parameters, Result>(
        _ call: EncodedCall<Parameters, Result>,
        completion: @escaping @Sendable (Swift.Result<Result, HubError>, [LogPlace]) -> Void
    ) {
        let method = call.method
        let (id, end) = state.withLock { state -> (Int, HubError?) in
            if let end = state.end { return (0, end) }
            let id = state.nextID
            state.nextID += 1
            state.waiting[id] = { reply in completion(Self.decoded(reply.result, from: method), reply.follows) }
            return (id, nil)
        }
        if let end {
            completion(.failure(end), [])
        } else {
            transport.send(HubRequest(id: id, method: method.name, parameters: call.body, key: call.key))
        }
    }

    /// Calls a method and waits for its reply.
    package func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(HubError) -> Result {
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

    private func end(with error: HubError) -> [Completion] {
        state.withLock { state in
            guard state.end == nil else { return [] }
            state.end = error
            let waiting = state.waiting.sorted { $0.key < $1.key }.map(\.value)
            state.waiting = [:]
            return waiting
        }
    }

    private static func decoded<Parameters, Result>(
        _ reply: Swift.Result<Data, HubError>,
        from method: Method<Parameters, Result>
    ) -> Swift.Result<Result, HubError> {
        reply.flatMap { body in
            do {
                return .success(try JSONDecoder().decode(Result.self, from: body))
            } catch {
                let reason = "The hub's reply to \(method.name) is not of the expected form: \(error)."
                return .failure(HubError(.malformedMessage, reason))
            }
        }
    }
}
