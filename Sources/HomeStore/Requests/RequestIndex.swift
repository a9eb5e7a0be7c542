import HomeModel
import Synchronization

/// An in-memory index of the stored requests. It identifies new requests immediately, and writes don't have to update
/// an index on the disk.
///
/// This is a class because the writer and readers share it.
final class RequestIndex: Sendable {
    /// A stored request.
    struct Request: Sendable {
        var rowID: Int64
        var key: RequestKey
        /// The length of the reply.
        var bytes: Int
        /// Milliseconds since 1970, by the hub's clock. Never later than the time of a later request.
        var time: Int64
    }

    fileprivate struct State {
        var rowIDs: [RequestKey: Int64] = [:]
        /// The stored requests in order, starting at index `first`.
        var requests: [Request] = []
        var first = 0
        var bytes = 0

        init(_ requests: [Request]) {
            for request in requests { rowIDs[request.key] = request.rowID }
            bytes = requests.reduce(0) { $0 + $1.bytes }
            self.requests = requests
        }
    }

    private let state: Mutex<State>

    /// - Parameter requests: The requests in the database, in order.
    init(_ requests: [Request]) {
        state = Mutex(State(requests))
    }

    /// Replaces all requests by those that are now in the database, in order.
    func replaceAll(_ requests: [Request]) {
        state.withLock { $0 = State(requests) }
    }

    /// Returns the row ID of a request on the disk; `nil` if there is none with that key.
    func rowID(of key: RequestKey) -> Int64? {
        state.withLock { $0.rowIDs[key] }
    }

    /// Adds a request to a transaction's changes.
    ///
    /// - Returns: The steps that the transaction must carry out on the table; `nil` if the request already exists.
    func steps(toAdd receipt: RequestReceipt, at time: Int64, _ changes: inout RequestChanges) -> RequestChanges.Steps?
    {
        state.withLock { state -> RequestChanges.Steps? in
            guard state.rowIDs[receipt.request] == nil, !changes.added.contains(where: { $0.key == receipt.request })
            else { return nil }
            let newest = changes.added.last ?? state.requests.last
            let request = Request(
                rowID: (newest?.rowID ?? 0) + 1,
                key: receipt.request,
                bytes: receipt.reply.count,
                time: time
            )
            var steps = RequestChanges.Steps(rowID: request.rowID, setsClockBack: (newest?.time ?? time) > time)
            // If the clock was set back, times in the future are reset to now. Otherwise those requests would stay
            // until the clock has caught up.
            if steps.setsClockBack { changes.setBack(to: time) }
            changes.added.append(request)
            changes.bytes += request.bytes
            while let oldest = state.request(changes.removed, of: changes), state.isTooMuch(changes, oldest, at: time) {
                changes.removed += 1
                changes.bytes -= oldest.bytes
                steps.lastRemoved = oldest.rowID
            }
            return steps
        }
    }

    /// Applies the changes of a transaction that is on the disk.
    func apply(_ changes: RequestChanges) {
        guard !changes.added.isEmpty else { return }
        state.withLock { state in
            if let time = changes.latest {
                for index in state.requests.indices {
                    state.requests[index].time = min(state.requests[index].time, time)
                }
            }
            for request in changes.added { state.rowIDs[request.key] = request.rowID }
            state.requests += changes.added
            state.bytes += changes.bytes
            for request in state.requests[state.first...].prefix(changes.removed) { state.rowIDs[request.key] = nil }
            state.first += changes.removed
            if state.first > RequestLimits.count {
                state.requests.removeFirst(state.first)
                state.first = 0
            }
        }
    }
}

extension RequestIndex.State {
    /// Returns a request by its number among the stored requests and those that a transaction adds.
    fileprivate func request(_ number: Int, of changes: RequestChanges) -> RequestIndex.Request? {
        let stored = requests.count - first
        guard number >= stored else { return requests[first + number] }
        return number - stored < changes.added.count ? changes.added[number - stored] : nil
    }

    /// Returns whether the oldest request exceeds a limit.
    fileprivate func isTooMuch(_ changes: RequestChanges, _ oldest: RequestIndex.Request, at time: Int64) -> Bool {
        requests.count - first + changes.added.count - changes.removed > RequestLimits.count
            || bytes + changes.bytes > RequestLimits.bytes
            || min(oldest.time, changes.latest ?? oldest.time) < time - RequestLimits.age
    }
}

/// The changes of a transaction to the stored requests.
struct RequestChanges: Sendable {
    /// The steps to add one request to the table.
    struct Steps: Sendable {
        /// The row ID of the new request.
        var rowID: Int64
        /// Whether stored requests have times in the future, which must be set to this request's time.
        var setsClockBack: Bool
        /// The row ID of the last request to remove; `nil` if none is removed.
        var lastRemoved: Int64?
    }

    /// The added requests in order.
    var added: [RequestIndex.Request] = []
    /// The number of oldest requests to remove, including added ones.
    var removed = 0
    /// The change of the total length of the replies.
    var bytes = 0
    /// The latest time of earlier requests, if the clock was set back; otherwise `nil`.
    private(set) var latest: Int64?

    fileprivate mutating func setBack(to time: Int64) {
        latest = min(latest ?? time, time)
        for index in added.indices { added[index].time = min(added[index].time, time) }
    }
}
