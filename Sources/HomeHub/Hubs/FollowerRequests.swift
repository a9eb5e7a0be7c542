import Foundation
import HomeModel
import HomeStore
import HubAPI
import Replication
import Synchronization

/// Carries out what the other hub passes on while this one leads.
///
/// Each of the other hub's clients has a session here, with its user, device and rights. So the same checks apply as for this
/// hub's own clients, and a repeated request gets its first reply.
package final class FollowerRequests: Sendable {
    // This is a class because the connection to the other hub and the sessions share it.

    /// What of the hub is needed.
    struct Parts: Sendable {
        /// Opens a session for a client, which gets its messages through the closure.
        var open: @Sendable (LeaderRequest.Client, @escaping @Sendable (HubMessage) -> Void) -> HubSession
        /// Brings a session's rights up to date, or returns why it has none any more.
        var admit: @Sendable (HubSession) -> HubError?
    }

    private struct State {
        /// Sends to the other hub; `nil` while it isn't connected.
        var send: (@Sendable ([UInt8]) -> Bool)?
        var replicator: Replicator?
        var sessions: [UUID: HubSession] = [:]
        /// The sizes of the requests without an answer, by number.
        var open: [Int: Int] = [:]
        var bytes = 0
        /// The place of the last batch that this hub has begun to tell.
        var place = 0
    }

    private let parts: Parts
    private let state = Mutex(State())

    init(_ parts: Parts) {
        self.parts = parts
    }

    // MARK: The replicator

    /// Sets what stores the other hub's changes; `nil` while this hub is alone.
    func use(_ replicator: Replicator?) { state.withLock { $0.replicator = replicator } }

    /// Handles that batches up to a place are applied, and are about to be told.
    func willTell(through place: Int) { state.withLock { $0.place = max($0.place, place) } }

    // MARK: The other hub

    /// Handles that the other hub is connected, and tells it this hub's clock.
    ///
    /// - Parameter send: A closure that sends it a message, or returns `false` if the connection has ended.
    package func connect(_ send: @escaping @Sendable ([UInt8]) -> Bool) {
        end()
        state.withLock { $0.send = send }
        answer(0, .clock)
    }

    /// Handles that the other hub isn't connected any more. Its clients come to it again.
    package func disconnect() {
        state.withLock { $0.send = nil }
        end()
    }

    private func end() {
        let sessions = state.withLock { state in
            state.open = [:]
            state.bytes = 0
            defer { state.sessions = [:] }
            return state.sessions.values
        }
        for session in sessions { session.close() }
    }

    /// Handles a request of the other hub. What isn't one is ignored.
    package func receive(_ bytes: [UInt8]) {
        guard let request = LeaderRequest(bytes) else { return }
        if case .end(let session) = request.content {
            state.withLock { $0.sessions.removeValue(forKey: session) }?.close()
            return
        }
        let hasRoom = state.withLock { state in
            guard state.open.count < LeaderLimits.requests, state.open[request.number] == nil,
                state.bytes + bytes.count <= LeaderLimits.requestBytes
            else { return false }
            state.open[request.number] = bytes.count
            state.bytes += bytes.count
            return true
        }
        switch request.content {
        case .call(let client, let method, let key, let until, let parameters):
            guard hasRoom, let session = session(of: client) else {
                return answer(request.number, .reply(.failure(LeaderLine.Failure.tooMuch.error)))
            }
            if let refusal = parts.admit(session) { return answer(request.number, .reply(.failure(refusal))) }
            session.receive(
                HubRequest(id: request.number, method: method, parameters: parameters, key: key, until: until)
            )
        case .change(let change):
            guard hasRoom else {
                return answer(request.number, .failed(LeaderLine.Failure.tooMuch.storeError))
            }
            store(change, for: request.number)
        case .end: break
        }
    }

    private func session(of client: LeaderRequest.Client) -> HubSession? {
        state.withLock { state in
            if let known = state.sessions[client.session] { return known }
            guard state.sessions.count < LeaderLimits.sessions else { return nil }
            let session = parts.open(client) { [weak self] message in
                guard case .reply(let number, let reply) = message else { return }
                self?.answer(number, .reply(reply))
            }
            state.sessions[client.session] = session
            return session
        }
    }

    private func store(_ change: [UInt8], for number: Int) {
        guard let content = BatchContent(change), let replicator = state.withLock({ $0.replicator }) else {
            return answer(number, .failed(StoreError(.invalid, "The other hub's change can't be read.")))
        }
        Task {
            do throws(StoreError) {
                _ = try await replicator.write(content.steps)
                answer(number, .stored)
            } catch {
                answer(number, .failed(error))
            }
        }
    }

    private func answer(_ number: Int, _ content: LeaderAnswer.Content) {
        state.withLock { state in
            if let size = state.open.removeValue(forKey: number) { state.bytes -= size }
            let clock = RunningClock.now
            var bytes = LeaderAnswer(number: number, place: state.place, clock: clock, content).bytes
            if bytes.count > LeaderLimits.answerBytes {
                let failure = HubError(
                    .hubFailure,
                    "The request was carried out, but its reply is too long for the connection of the hubs. Look at the home."
                )
                bytes = LeaderAnswer(number: number, place: state.place, clock: clock, .reply(.failure(failure))).bytes
            }
            _ = state.send?(bytes)
        }
    }
}
