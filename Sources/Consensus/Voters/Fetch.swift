/// The batches that a hub has fetched from the relay and not yet taken over.
struct Fetch: Sendable {
    /// The position before the first of them.
    var start: BatchPosition
    private(set) var batches: [Batch] = []
    private var byteCount = 0

    init(start: BatchPosition) {
        self.start = start
    }

    /// The position of the last of them.
    var end: BatchPosition { batches.last?.position ?? start }

    /// Adds batches.
    ///
    /// - Returns: Whether there are any, and not more than an honest relay keeps.
    mutating func add(_ more: [Batch]) -> Bool {
        batches += more
        byteCount += more.reduce(0) { $0 + $1.bytes.count }
        return !more.isEmpty && batches.count <= ConsensusLimits.relayBatches && byteCount <= ConsensusLimits.relayBytes
    }
}
