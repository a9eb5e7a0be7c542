import Foundation
import HomeModel
import HomeStore
import HubAPI
import Synchronization

/// The requests that carried a key and what came of them: a client that lost its connection before the reply asks again
/// with the same key, and gets the first result instead of having it done twice.
///
/// Replies are kept in memory as long as the hub runs, of as many requests as the limits say; of those that changed a log
/// the store keeps a receipt besides, which outlives the hub.
final class ReplyCache: Sendable {
    // A class, because all sessions share it.

    /// How much is kept in memory of requests that were answered; the oldest go first.
    struct Limits: Sendable {
        /// The most requests.
        var count = RequestLimits.count
        /// The most bytes in their results.
        var bytes = RequestLimits.bytes
    }

    typealias Answer = @Sendable (HubReply) -> Void

    private struct Entry {
        enum Progress {
            case running(waiting: [Answer])
            case done(HubReply)
        }

        /// The digest of what was asked.
        var digest: [UInt8]
        var progress = Progress.running(waiting: [])
    }

    private struct State {
        var entries: [RequestKey: Entry] = [:]
        /// The answered ones in their order, from `first`.
        var answered: [RequestKey] = []
        var first = 0
        var bytes = 0
    }

    private let store: HomeStore?
    private let limits: Limits
    private let state = Mutex(State())

    /// - Parameter store: Where receipts are; nil if there are none.
    init(store: HomeStore?, limits: Limits = Limits()) {
        self.store = store
        self.limits = limits
    }

    /// Takes a request that carries a key.
    ///
    /// - Parameter answer: Gets the reply to the earlier request with the same key, at once or when it is there, or an
    ///   error if that one asked for something else.
    /// - Returns: Whether the request is to be carried out, and ``end(_:_:isKept:)`` called with its reply.
    func take(_ request: KeyedRequest, answer: @escaping Answer) async -> Bool {
        guard begin(request, answer: answer) else { return false }
        do throws(HubError) {
            guard let reply = try await storedReply(to: request) else { return true }
            end(request.key, reply)
            answer(reply)
        } catch {
            // Nothing is kept of it: the key is another request's, or the store may be read the next time.
            end(request.key, .failure(error), isKept: false)
            answer(.failure(error))
        }
        return false
    }

    private func storedReply(to request: KeyedRequest) async throws(HubError) -> HubReply? {
        guard let store, store.hasReceipt(of: request.key) else { return nil }
        let receipt: RequestReceipt?
        do {
            receipt = try await store.receipt(of: request.key)
        } catch {
            throw HubError(.storeFailure, "What came of the request before cannot be read: \(error)")
        }
        guard let receipt else { return nil }
        guard receipt.digest == request.digest else { throw Self.reuse(of: request.key) }
        return .success(Data(receipt.reply))
    }

    /// Notes a request that carries a key, as far as those of this start of the hub go.
    ///
    /// - Returns: Whether there was none of that key. Then ``end(_:_:isKept:)`` is to be called with its reply.
    func begin(_ request: KeyedRequest, answer: @escaping Answer) -> Bool {
        let key = request.key
        let (isNew, reply) = state.withLock { state -> (Bool, HubReply?) in
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(digest: request.digest)
                return (true, nil)
            }
            guard entry.digest == request.digest else { return (false, .failure(Self.reuse(of: key))) }
            switch entry.progress {
            case .running(let waiting):
                guard waiting.count < SessionLimits.waitingRepeats else {
                    return (false, .failure(Self.tooManyRepeats))
                }
                state.entries[key]?.progress = .running(waiting: waiting + [answer])
                return (false, nil)
            case .done(let reply):
                return (false, reply)
            }
        }
        if let reply { answer(reply) }
        return isNew
    }

    /// Notes what came of a request, and tells those who asked again meanwhile.
    func end(_ key: RequestKey, _ reply: HubReply, isKept: Bool = true) {
        let waiting = state.withLock { state -> [Answer] in
            guard case .running(let waiting)? = state.entries[key]?.progress else { return [] }
            guard isKept else {
                state.entries[key] = nil
                return waiting
            }
            state.entries[key]?.progress = .done(reply)
            state.answered.append(key)
            state.bytes += reply.size
            while state.answered.count - state.first > limits.count || state.bytes > limits.bytes {
                let oldest = state.answered[state.first]
                state.first += 1
                if case .done(let reply)? = state.entries.removeValue(forKey: oldest)?.progress {
                    state.bytes -= reply.size
                }
            }
            if state.first > limits.count {
                state.answered.removeFirst(state.first)
                state.first = 0
            }
            return waiting
        }
        for answer in waiting { answer(reply) }
    }

    private static let tooManyRepeats = HubError(
        .tooManyRequests,
        "\(SessionLimits.waitingRepeats) repeats of the request wait for its result already. Wait for their replies."
    )

    private static func reuse(of key: RequestKey) -> HubError {
        HubError(.keyReused, "The key \(key.key) is that of another request: give each request one of its own.")
    }
}
