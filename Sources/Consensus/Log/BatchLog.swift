/// The newest batches that a voter has. Earlier ones are part of its base.
package struct BatchLog: Hashable, Sendable {
    /// The position of the last batch before the first one that is here.
    package private(set) var base: BatchPosition
    /// The batches, without gaps.
    package private(set) var batches: [Batch] = []
    /// The size of the batches, in bytes.
    package private(set) var byteCount = 0

    /// Creates an empty log after a base.
    package init(base: BatchPosition = .start) {
        self.base = base
    }

    /// Creates a log from stored batches.
    ///
    /// - Returns: `nil` if they have gaps or their terms decrease.
    package init?(base: BatchPosition, batches: [Batch]) {
        self.init(base: base)
        for batch in batches {
            guard batch.position.place == last.place + 1, batch.position.term >= last.term else { return nil }
            append(batch)
        }
    }

    /// The position of the newest batch.
    package var last: BatchPosition { batches.last?.position ?? base }

    /// Returns the position at a place; `nil` if the place is before the base or after the newest batch.
    package func position(at place: Int) -> BatchPosition? {
        if place == base.place { return base }
        guard place > base.place, place <= last.place else { return nil }
        return batches[place - base.place - 1].position
    }

    /// Returns the batches after a place, as many as a message takes.
    package func batches(after place: Int) -> [Batch] {
        var result: [Batch] = []
        var bytes = 0
        for batch in batches[max(0, place - base.place)...].prefix(ConsensusLimits.batchesPerMessage) {
            if bytes > 0, bytes + batch.bytes.count > ConsensusLimits.messageBatchBytes { break }
            bytes += batch.bytes.count
            result.append(batch)
        }
        return result
    }

    /// Returns the size of the batches after a place, in bytes.
    func byteCount(after place: Int) -> Int {
        batches.suffix(max(0, last.place - place)).reduce(0) { $0 + $1.bytes.count }
    }

    /// Appends a batch. Its place must be the next one.
    package mutating func append(_ batch: Batch) {
        precondition(batch.position.place == last.place + 1)
        byteCount += batch.bytes.count
        batches.append(batch)
    }

    /// Merges another log's batches into this one.
    ///
    /// Batches that are here already stay, and so does what follows them. The first one that differs removes everything
    /// from its place on.
    ///
    /// - Parameters:
    ///   - previous: The position before the first of the batches.
    ///   - other: The batches.
    /// - Returns: The change; `nil` if the log doesn't have `previous`, or the batches aren't a sequence after it.
    package mutating func merge(after previous: BatchPosition, _ other: [Batch]) -> LogChange? {
        var other = other[...]
        var expected = previous
        for batch in other {
            guard batch.position.place == expected.place + 1, batch.position.term >= expected.term else { return nil }
            expected = batch.position
        }
        // What is before the base is committed, and so the same in the other log.
        if let own = other.first(where: { $0.position.place == base.place }), own.position != base { return nil }
        other = other.drop { $0.position.place <= base.place }
        if previous.place >= base.place {
            guard position(at: previous.place) == previous else { return nil }
        } else {
            guard expected.place >= base.place else { return LogChange() }
        }
        other = other.drop { position(at: $0.position.place) == $0.position }
        var change = LogChange()
        guard let first = other.first else { return change }
        if first.position.place <= last.place {
            change.removedAfter = first.position.place - 1
            removeAll(after: first.position.place - 1)
        }
        for batch in other { append(batch) }
        change.added = Array(other)
        return change
    }

    /// Removes the batches after a place.
    package mutating func removeAll(after place: Int) {
        let count = max(0, last.place - place)
        for batch in batches.suffix(count) { byteCount -= batch.bytes.count }
        batches.removeLast(min(count, batches.count))
    }

    /// Discards the batches up to a place. The base takes their place.
    package mutating func discard(through place: Int) {
        guard let position = position(at: place), place > base.place else { return }
        let count = place - base.place
        for batch in batches.prefix(count) { byteCount -= batch.bytes.count }
        batches.removeFirst(count)
        base = position
    }

    /// Replaces everything up to a base. Batches after it stay if the log had the base's batch, else they go.
    package mutating func replace(by newBase: BatchPosition) {
        if position(at: newBase.place) == newBase, newBase.place > base.place {
            discard(through: newBase.place)
        } else if newBase != base {
            self = BatchLog(base: newBase)
        }
    }
}
