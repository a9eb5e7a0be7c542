import HomeIdentity
import RelayAPI

/// The requests to append entries that wait for a connection. Requests for one feed are in separate batches, one after the
/// other.
struct AppendQueue {
    /// A feed of a house.
    struct Place: Hashable, Sendable {
        var house: HouseID
        var feed: FeedID
    }

    /// A request.
    struct Request: Sendable {
        var house: HouseID
        var key: PublicKey
        var entries: [CheckedEntry]
        /// The time of the request, in milliseconds since 1970.
        var time: Int64

        /// The feeds.
        var places: Set<Place> { Set(entries.map { Place(house: house, feed: $0.header.feed) }) }
    }

    /// A request, and who waits for its results.
    struct Waiting: Sendable {
        var request: Request
        var complete: @Sendable (Result<[AppendResult], RelayStoreError>) -> Void
    }

    /// The number of entries after which a batch gets no further request.
    static let batchItems = 256
    /// The size of a batch after which it gets no further request, in bytes.
    static let batchBytes = 8 << 20
    /// The number of requests that are looked at for a batch.
    private static let searched = 1_024

    private var waiting: [Waiting] = []
    /// The feeds of the batches that are being written.
    private var busy: Set<Place> = []

    /// The number of requests.
    var count: Int { waiting.count }

    /// Adds a request.
    mutating func add(_ request: Waiting) {
        waiting.append(request)
    }

    /// Takes the requests that can be written now. Returns `nil` if there are none.
    mutating func next() -> AppendBatch? {
        var taken: [Waiting] = []
        var left: [Waiting] = []
        var (items, bytes, index) = (0, 0, 0)
        // Those that have to wait make later ones for the same feeds wait too.
        var blocked = busy
        while index < min(waiting.count, Self.searched), items < Self.batchItems, bytes < Self.batchBytes {
            let candidate = waiting[index]
            index += 1
            let places = candidate.request.places
            if blocked.isDisjoint(with: places) {
                taken.append(candidate)
                busy.formUnion(places)
                items += candidate.request.entries.count
                bytes += candidate.request.entries.reduce(0) { $0 + $1.bytes.count }
            } else {
                left.append(candidate)
            }
            blocked.formUnion(places)
        }
        waiting.replaceSubrange(..<index, with: left)
        return taken.isEmpty ? nil : AppendBatch(taken)
    }

    /// Notes that a batch is no longer being written.
    mutating func finished(_ batch: AppendBatch) {
        for waiting in batch.waiting { busy.subtract(waiting.request.places) }
    }
}
