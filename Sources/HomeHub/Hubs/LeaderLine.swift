import Foundation
import HomeStore
import HubAPI
import Replication
import Synchronization

/// Passes on to the other hub, while that leads, what only the leader does, and hands its answers out.
///
/// Requests are passed on in order. An answer waits until this hub has applied what it depends on, so that a client's events
/// come before the reply, as at a hub that is alone.
package final class LeaderLine: Sendable {
    // This is a class because sessions, the connection to the other hub and the replicator share it.

    /// Why a request has no answer.
    enum Failure: Error, Hashable, Sendable {
        /// No hub has led in time, so nothing was done.
        case noLeader
        /// The connection was lost before the answer, or another hub leads now. It may have been done, or not.
        case lost
        /// It was done, but this hub doesn't have it in time.
        case notFollowed
        /// Too much waits already. Nothing was done.
        case tooMuch
    }

    /// A closure that receives the answer, once.
    typealias Completion = @Sendable (Result<LeaderAnswer.Content, Failure>) -> Void
    /// A closure that carries the request out at this hub, in case it leads when the request's turn comes.
    typealias Here = @Sendable () async -> Void

    private struct Request {
        var content: LeaderRequest.Content
        var size: Int
        var completion: Completion
        var here: Here
        var session: UUID?
    }

    /// An answer that waits for the batches that it depends on.
    private struct Held {
        var number: Int
        var place: Int
        var content: LeaderAnswer.Content
        var request: Request
    }

    private enum Role {
        case alone, leading, following, withoutLeader
    }

    private struct State {
        var role = Role.alone
        /// Sends to the other hub; `nil` while it isn't connected.
        var send: (@Sendable ([UInt8]) -> Bool)?
        /// By how much the other hub's clock is ahead of this one's, at least; `nil` as long as it isn't known.
        var clockLead: Int64?
        var lastNumber = 0
        /// What wasn't sent yet, in order, by numbers that increase.
        var waiting: [(number: Int, request: Request)] = []
        /// What was sent.
        var sent: [Int: Request] = [:]
        var held: [Held] = []
        /// Whether what waits is being carried out at this hub.
        var isHandingOver = false
        var bytes = 0
        var count = 0
        /// The place of the last batch whose changes were told at this hub.
        var applied = 0
        /// The sessions of which the leader knows.
        var sessions: Set<UUID> = []

        mutating func end(_ request: Request) {
            count -= 1
            bytes -= request.size
        }
    }

    /// By how much a request may be longer with its number and the leader's clock.
    static let numberBytes = 2 * String(Int.max).count

    private let state = Mutex(State())
    private let times: (leader: Duration, follow: Duration)

    init(leaderTime: Duration = LeaderLimits.leaderTime, followTime: Duration = LeaderLimits.followTime) {
        times = (leaderTime, followTime)
    }

    // MARK: Requests

    /// Passes a request on, or has it wait for a hub that leads.
    ///
    /// - Parameters:
    ///   - session: The session whose request it is; `nil` for the hub itself.
    ///   - here: A closure that carries the request out at this hub instead.
    ///   - completion: A closure that receives the answer; it isn't called if the request is carried out at this hub. It must
    ///     return quickly and must not call the line.
    /// - Returns: Whether the request was taken. If not, this hub leads, and carries it out now.
    func pass(
        _ content: LeaderRequest.Content,
        of session: UUID? = nil,
        here: @escaping Here,
        completion: @escaping Completion
    ) -> Bool {
        let request = LeaderRequest(number: 0, content)
        let size = request.bytes.count
        let new = Request(content: content, size: size, completion: completion, here: here, session: session)
        let number: Int? = state.withLock { state in
            switch state.role {
            case .alone: return nil
            case .leading where state.waiting.isEmpty && !state.isHandingOver: return nil
            default: break
            }
            state.lastNumber += 1
            guard state.count < LeaderLimits.requests, state.bytes + size <= LeaderLimits.requestBytes,
                size + Self.numberBytes <= LeaderLimits.messageBytes
            else {
                completion(.failure(.tooMuch))
                return state.lastNumber
            }
            state.count += 1
            state.bytes += size
            state.waiting.append((state.lastNumber, new))
            return state.lastNumber
        }
        guard let number else { return false }
        go()
        let isWaiting = state.withLock { $0.waiting.contains { $0.number == number } }
        guard isWaiting else { return true }
        Task { [weak self, times] in
            try? await Task.sleep(for: times.leader)
            self?.giveUp(number)
        }
        return true
    }

    /// Asks the other hub, whether it leads or not.
    ///
    /// - Parameters:
    ///   - session: The session whose request it is.
    ///   - completion: A closure that receives the answer. It must return quickly and must not call the line.
    func ask(_ content: LeaderRequest.Content, of session: UUID, completion: @escaping Completion) {
        let size = LeaderRequest(number: 0, content).bytes.count
        state.withLock { state in
            guard let send = state.send, let lead = state.clockLead else { return completion(.failure(.noLeader)) }
            guard state.count < LeaderLimits.requests, state.bytes + size <= LeaderLimits.requestBytes else {
                return completion(.failure(.tooMuch))
            }
            state.lastNumber += 1
            guard send(LeaderRequest(number: state.lastNumber, content.expiring(by: lead)).bytes) else {
                return completion(.failure(.noLeader))
            }
            state.count += 1
            state.bytes += size
            state.sessions.insert(session)
            state.sent[state.lastNumber] = Request(
                content: content,
                size: size,
                completion: completion,
                here: {},
                session: session
            )
        }
    }

    private func giveUp(_ number: Int) {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return }
            let request = state.waiting.remove(at: index).request
            state.end(request)
            request.completion(.failure(.noLeader))
        }
    }

    /// Whether this hub carries a request out itself now.
    var isLeading: Bool {
        state.withLock { state in
            switch state.role {
            case .alone: true
            case .leading: state.waiting.isEmpty && !state.isHandingOver
            case .following, .withoutLeader: false
            }
        }
    }

    /// Whether this hub is one of two and doesn't lead.
    var isFollowing: Bool { state.withLock { $0.role == .following || $0.role == .withoutLeader } }

    /// Whether the other hub leads and is connected.
    var hasLeader: Bool { state.withLock { $0.role == .following && $0.send != nil && $0.clockLead != nil } }

    /// Sends what waits, or carries it out here.
    private func go() {
        let isHandingOver = state.withLock { state in
            switch state.role {
            case .following: sendWaiting(&state)
            case .leading, .alone:
                guard !state.waiting.isEmpty, !state.isHandingOver else { return false }
                state.isHandingOver = true
                return true
            case .withoutLeader: break
            }
            return false
        }
        if isHandingOver { Task { await handOver() } }
    }

    private func sendWaiting(_ state: inout State) {
        guard let send = state.send, let lead = state.clockLead else { return }
        while let (number, request) = state.waiting.first {
            // The connection takes it, or ends.
            guard send(LeaderRequest(number: number, request.content.expiring(by: lead)).bytes) else { return }
            if let session = request.session { state.sessions.insert(session) }
            state.waiting.removeFirst()
            state.sent[number] = request
        }
    }

    private func handOver() async {
        while let request = next() { await request.here() }
    }

    private func next() -> Request? {
        state.withLock { state in
            guard !state.waiting.isEmpty, state.role == .leading || state.role == .alone else {
                state.isHandingOver = false
                return nil
            }
            let request = state.waiting.removeFirst().request
            state.end(request)
            return request
        }
    }

    /// Forgets a session that has ended. What wasn't passed on of it isn't any more.
    func sessionDidEnd(_ session: UUID) {
        state.withLock { state in
            let dropped = state.waiting.filter { $0.request.session == session }
            state.waiting.removeAll { $0.request.session == session }
            for (_, request) in dropped {
                state.end(request)
                request.completion(.failure(.noLeader))
            }
            guard state.sessions.remove(session) != nil else { return }
            _ = state.send?(LeaderRequest(number: 0, .end(session)).bytes)
        }
    }

    // MARK: The other hub

    /// Handles that the other hub is connected.
    ///
    /// - Parameter send: A closure that sends it a message, or returns `false` if the connection has ended.
    package func connect(_ send: @escaping @Sendable ([UInt8]) -> Bool) {
        // Nothing is sent before the other hub has told its clock.
        state.withLock { state in
            state.send = send
            state.clockLead = nil
        }
    }

    /// Handles that the other hub isn't connected any more.
    package func disconnect() {
        state.withLock { state in
            state.send = nil
            state.clockLead = nil
            state.sessions = []
            lose(&state)
        }
    }

    /// Ends what was sent without an answer.
    private func lose(_ state: inout State) {
        let lost = state.sent.sorted { $0.key < $1.key }
        state.sent = [:]
        for (_, request) in lost {
            state.end(request)
            request.completion(.failure(.lost))
        }
    }

    /// Handles an answer of the other hub. What isn't one is ignored.
    package func receive(_ bytes: [UInt8]) {
        guard let answer = LeaderAnswer(bytes) else { return }
        let lead = answer.clock - RunningClock.now
        let heldNumber: Int? = state.withLock { state in
            // An answer that took long makes the other hub's clock seem later than it is, and never earlier.
            state.clockLead = max(state.clockLead ?? lead, lead)
            guard let request = state.sent.removeValue(forKey: answer.number) else { return nil }
            state.held.append(
                Held(number: answer.number, place: answer.place, content: answer.content, request: request)
            )
            return handOut(&state) ? nil : answer.number
        }
        go()
        guard let heldNumber else { return }
        Task { [weak self, times] in
            try? await Task.sleep(for: times.follow)
            self?.giveUpHeld(heldNumber)
        }
    }

    /// Hands out the answers whose batches were applied.
    ///
    /// - Returns: Whether none is left.
    private func handOut(_ state: inout State) -> Bool {
        while let first = state.held.first, first.place <= state.applied {
            state.held.removeFirst()
            state.end(first.request)
            first.request.completion(.success(first.content))
        }
        return state.held.isEmpty
    }

    private func giveUpHeld(_ number: Int) {
        state.withLock { state in
            guard let index = state.held.firstIndex(where: { $0.number == number }) else { return }
            let request = state.held.remove(at: index).request
            state.end(request)
            request.completion(.failure(.notFollowed))
            _ = handOut(&state)
        }
    }

    // MARK: The replicator

    /// Handles that everything up to a place was applied and told.
    func didApply(through place: Int) {
        state.withLock { state in
            state.applied = max(state.applied, place)
            _ = handOut(&state)
        }
    }

    /// Handles that this hub leads, follows, or neither. A hub that becomes one of two does neither.
    func change(to role: HubRole) {
        state.withLock { state in
            let former = state.role
            state.role =
                switch role {
                case .leading: .leading
                case .following: .following
                case .withoutLeader: .withoutLeader
                }
            if former == .following, state.role != .following { lose(&state) }
        }
        go()
    }

    /// Handles that this hub is alone.
    func endPair() {
        state.withLock { state in
            state.role = .alone
            lose(&state)
        }
        go()
    }
}

extension LeaderLine.Failure {
    /// The error for a client.
    var error: HubError {
        switch self {
        case .noLeader: HomeDatabase.noLeader
        case .lost:
            HubError(
                .noLeader,
                "The other hub leads and didn't answer. The change may still happen. Look, and try again."
            )
        case .notFollowed:
            HubError(.noLeader, "The change was made, but this hub doesn't have it yet. Look again in some seconds.")
        case .tooMuch:
            HubError(
                .tooManyRequests,
                "\(LeaderLimits.requests) requests, or \(LeaderLimits.requestBytes) bytes of requests, wait for the other hub. Try again later."
            )
        }
    }

    /// The error for a part of the hub that stores a change.
    var storeError: StoreError {
        switch self {
        case .noLeader, .tooMuch: StoreError(.notLeader, error.reason)
        case .lost, .notFollowed: StoreError(.unknownOutcome, error.reason)
        }
    }
}
