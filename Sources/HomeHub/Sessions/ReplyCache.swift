import Foundation
import HomeModel
import HomeStore
import HubAPI
import Synchronization

/// The replies to requests with idempotency keys.
///
/// A client that loses its connection before the reply retries the request with the same key. It then gets the first
/// result, and the request isn't carried out twice.
///
/// Replies stay in memory while the hub runs, up to the limits. For requests that changed a log, the store also keeps a
/// receipt, which survives a restart.
final class ReplyCache: Sendable {
    // This is a class because all sessions share it.

    /// The limits of the replies in memory. The oldest are removed first.
    struct Limits: Sendable {
        /// The maximum number of replies.
        var count = RequestLimits.count
        /// The maximum size of their results, in bytes.
        var bytes = RequestLimits.bytes
    }

    typealias Answer = @Sendable (HubReply) -> Void

    private struct Entry {
        enum Progress {
            case running(waiting: [Answer])
            case done(HubReply)
        }

        /// The digest of the request's method and parameters.
        var digest: [UInt8]
        var progress = Progress.running(waiting: [])
    }

    private struct State {
        var entries: [RequestKey: Entry] = [:]
        /// The keys of the answered requests in order, starting at `first`.
        var answered: [RequestKey] = []
        var first = 0
        var bytes = 0
    }

    private let store: HomeStore?
    private let limits: Limits
    private let state = Mutex(State())

    /// - Parameter store: The store of the receipts; `nil` if there are none.
    init(store: HomeStore?, limits: Limits = Limits()) {
        self.store = store
        self.limits = limits
    }

    /// Looks up a request by its key.
    ///
    /// - Parameter answer: A closure that receives the reply to the earlier request with the same key, now or when it
    ///   is available, or an error if that request was a different one.
    ///
    /// - Returns: Whether the caller must carry out the request, and then call ``complete(_:_:isCached:)`` with its reply.
    func register(_ request: KeyedRequest, answer: @escaping Answer) async -> Bool {
        guard reserve(request, answer: answer) else { return false }
        do throws(HubError) {
            guard let reply = try await storedReply(to: request) else { return true }
            complete(request.key, reply)
            answer(reply)
        } catch {
            // Nothing is cached: the key belongs to another request, or the store may be readable the next time.
            complete(request.key, .failure(error), isCached: false)
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
            throw HubError(.storeFailure, "The earlier result of the request cannot be read: \(error)")
        }
        guard let receipt else { return nil }
        guard receipt.digest == request.digest else { throw Self.reuse(of: request.key) }
        return .success(Data(receipt.reply))
    }

    /// Registers a request by its key, considering only requests since the hub's last start.
    ///
    /// - Returns: Whether the key is new. If so, the caller must call ``complete(_:_:isCached:)`` with its reply.
    func reserve(_ request: KeyedRequest, answer: @escaping Answer) -> Bool {
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

    /// Stores the reply to a request, and sends it to the repeats that wait for it.
    func complete(_ key: RequestKey, _ reply: HubReply, isCached: Bool = true) {
        let waiting = state.withLock { state -> [Answer] in
            guard case .running(let waiting)? = state.entries[key]?.progress else { return [] }
            guard isCached else {
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
        "\(SessionLimits.waitingRepeats) repeats of the request are already waiting for its result. Wait for their replies."
    )

    private static func reuse(of key: RequestKey) -> HubError {
        HubError(.keyReused, "The key \(key.key) belongs to a different request. Use a new key for each request.")
    }
}
