import HomeModel
import Synchronization

/// Which requests are stored, and where: so that a new one is known for new at once, and no write has to keep up an index
/// on the disk.
///
/// A class because the writer and readers share it.
final class RequestIndex: Sendable {
    /// A request that is stored.
    struct Request: Sendable {
        var place: Int64
        var key: RequestKey
        /// The length of its reply.
        var bytes: Int
        /// Milliseconds since 1970, by the hub's clock. Never more than that of a later request.
        var time: Int64
    }

    fileprivate struct State {
        var places: [RequestKey: Int64] = [:]
        /// The stored ones in their order, from `first`.
        var requests: [Request] = []
        var first = 0
        var bytes = 0
    }

    private let state: Mutex<State>

    /// - Parameter requests: What the database holds, in its order.
    init(_ requests: [Request]) {
        var state = State()
        for request in requests { state.places[request.key] = request.place }
        state.bytes = requests.reduce(0) { $0 + $1.bytes }
        state.requests = requests
        self.state = Mutex(state)
    }

    /// Where a request lies that is on the disk; nil if there is none of that key.
    func place(of key: RequestKey) -> Int64? {
        state.withLock { $0.places[key] }
    }

    /// Notes a request that a transaction adds, and tells what the transaction has to do to the table.
    ///
    /// - Returns: nil if there is such a request already.
    func steps(toAdd receipt: RequestReceipt, at time: Int64, _ changes: inout RequestChanges) -> RequestChanges.Steps?
    {
        state.withLock { state -> RequestChanges.Steps? in
            guard state.places[receipt.request] == nil, !changes.added.contains(where: { $0.key == receipt.request })
            else { return nil }
            let newest = changes.added.last ?? state.requests.last
            let request = Request(
                place: (newest?.place ?? 0) + 1,
                key: receipt.request,
                bytes: receipt.reply.count,
                time: time
            )
            var steps = RequestChanges.Steps(place: request.place, setsClockBack: (newest?.time ?? time) > time)
            // A clock that was set back counts from where it is now: what seems to come later would otherwise stay until
            // the clock has caught up.
            if steps.setsClockBack { changes.setBack(to: time) }
            changes.added.append(request)
            changes.bytes += request.bytes
            while let oldest = state.request(changes.gone, of: changes), state.isTooMuch(changes, oldest, at: time) {
                changes.gone += 1
                changes.bytes -= oldest.bytes
                steps.lastToGo = oldest.place
            }
            return steps
        }
    }

    /// Takes over what a transaction did that is on the disk.
    func follow(_ changes: RequestChanges) {
        guard !changes.added.isEmpty else { return }
        state.withLock { state in
            if let time = changes.latest {
                for index in state.requests.indices {
                    state.requests[index].time = min(state.requests[index].time, time)
                }
            }
            for request in changes.added { state.places[request.key] = request.place }
            state.requests += changes.added
            state.bytes += changes.bytes
            for request in state.requests[state.first...].prefix(changes.gone) { state.places[request.key] = nil }
            state.first += changes.gone
            if state.first > RequestLimits.count {
                state.requests.removeFirst(state.first)
                state.first = 0
            }
        }
    }
}

extension RequestIndex.State {
    /// A request by its number among those that are stored and those that a transaction adds.
    fileprivate func request(_ number: Int, of changes: RequestChanges) -> RequestIndex.Request? {
        let stored = requests.count - first
        guard number >= stored else { return requests[first + number] }
        return number - stored < changes.added.count ? changes.added[number - stored] : nil
    }

    /// Whether the oldest request has to go.
    fileprivate func isTooMuch(_ changes: RequestChanges, _ oldest: RequestIndex.Request, at time: Int64) -> Bool {
        requests.count - first + changes.added.count - changes.gone > RequestLimits.count
            || bytes + changes.bytes > RequestLimits.bytes
            || min(oldest.time, changes.latest ?? oldest.time) < time - RequestLimits.age
    }
}

/// What a transaction does to the stored requests.
struct RequestChanges: Sendable {
    /// What a transaction has to do to the table for one more request.
    struct Steps: Sendable {
        /// Where the request comes to lie.
        var place: Int64
        /// Whether the stored requests are of a time that has yet to come, and become of this one.
        var setsClockBack: Bool
        /// The place of the last of those that go; nil if none does.
        var lastToGo: Int64?
    }

    /// Those that it adds, in their order.
    var added: [RequestIndex.Request] = []
    /// How many go of the oldest, of those that it adds too.
    var gone = 0
    /// By how much the replies become longer.
    var bytes = 0
    /// The time that those before it have at the most; nil where the clock was not set back.
    private(set) var latest: Int64?

    fileprivate mutating func setBack(to time: Int64) {
        latest = min(latest ?? time, time)
        for index in added.indices { added[index].time = min(added[index].time, time) }
    }
}
