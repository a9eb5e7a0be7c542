import Foundation
import HubAPI
import Synchronization

/// The requests that carried a key and what came of them: a client that lost its connection before the reply asks again
/// with the same key, and gets the first result instead of having it done twice.
///
/// It is kept as long as the hub runs, of as many requests as the limits say; ``HubAPI/Welcome/run`` tells clients when
/// it is gone.
final class ReplyLedger: Sendable {
    // A class, because all sessions share it.

    /// A request as its client names it. Nobody gets the replies to another's requests.
    struct Key: Hashable, Sendable {
        var user: UUID
        var app: String
        var key: UUID
    }

    /// How much is kept of requests that were answered; the oldest go first.
    struct Limits: Sendable {
        /// The most requests.
        var count = 4_096
        /// The most bytes in their results.
        var bytes = 1 << 24
    }

    typealias Answer = @Sendable (Result<Data, HubError>) -> Void

    private struct Entry {
        enum Progress {
            case running(waiting: [Answer])
            case done(Result<Data, HubError>)
        }

        /// What was asked, as a number that another request hardly has.
        var content: Int
        var progress = Progress.running(waiting: [])
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        /// The answered ones in their order, from `first`.
        var answered: [Key] = []
        var first = 0
        var bytes = 0
    }

    private let limits: Limits
    private let state = Mutex(State())

    init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Notes a request that carries a key.
    ///
    /// - Parameter answer: Gets the result of the earlier request with the same key, at once or when it is there, or an
    ///   error if that one asked for something else.
    /// - Returns: Whether the request is new. Then it is to be carried out, and ``end(_:_:)`` called with its result.
    func begin(_ key: Key, _ request: HubRequest, answer: @escaping Answer) -> Bool {
        let content = Self.content(of: request)
        let (isNew, result) = state.withLock { state -> (Bool, Result<Data, HubError>?) in
            guard let entry = state.entries[key] else {
                state.entries[key] = Entry(content: content)
                return (true, nil)
            }
            guard entry.content == content else { return (false, .failure(Self.reuse(of: key.key))) }
            switch entry.progress {
            case .running(let waiting):
                guard waiting.count < SessionLimits.waitingRepeats else {
                    return (false, .failure(Self.tooManyRepeats))
                }
                state.entries[key]?.progress = .running(waiting: waiting + [answer])
                return (false, nil)
            case .done(let result):
                return (false, result)
            }
        }
        if let result { answer(result) }
        return isNew
    }

    /// Notes what came of a request, and tells those who asked again meanwhile.
    func end(_ key: Key, _ result: Result<Data, HubError>) {
        let waiting = state.withLock { state -> [Answer] in
            guard case .running(let waiting)? = state.entries[key]?.progress else { return [] }
            state.entries[key]?.progress = .done(result)
            state.answered.append(key)
            state.bytes += Self.size(of: result)
            while state.answered.count - state.first > limits.count || state.bytes > limits.bytes {
                let oldest = state.answered[state.first]
                state.first += 1
                if case .done(let result)? = state.entries.removeValue(forKey: oldest)?.progress {
                    state.bytes -= Self.size(of: result)
                }
            }
            if state.first > limits.count {
                state.answered.removeFirst(state.first)
                state.first = 0
            }
            return waiting
        }
        for answer in waiting { answer(result) }
    }

    private static func content(of request: HubRequest) -> Int {
        var hasher = Hasher()
        hasher.combine(request.method)
        hasher.combine(request.parameters.count)
        // Data hashes its beginning only.
        request.parameters.withUnsafeBytes { hasher.combine(bytes: $0) }
        return hasher.finalize()
    }

    private static func size(of result: Result<Data, HubError>) -> Int {
        switch result {
        case .success(let body): body.count
        case .failure(let error): error.reason.utf8.count
        }
    }

    private static let tooManyRepeats = HubError(
        .tooManyRequests,
        "\(SessionLimits.waitingRepeats) repeats of the request wait for its result already. Wait for their replies."
    )

    private static func reuse(of key: UUID) -> HubError {
        HubError(.keyReused, "The key \(key) is that of another request: give each request one of its own.")
    }
}
