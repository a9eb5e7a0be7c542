package import Consensus
import GRDB

/// What a hub stores as one of two. A hub that is alone has no such state.
extension HomeStore {
    /// Returns what this hub keeps as a voter; `nil` if it is alone.
    package func voterState() async throws(StoreError) -> VoterState? {
        try await read { try VoterTable.state($0) }
    }

    /// Makes this hub the first of two: from now on, its state changes by ``apply(through:opening:)`` alone.
    ///
    /// - Throws: ``StoreError`` with `occupied` if it is one of two already.
    package func beginPair() async throws(StoreError) {
        try await appends.write { _, database in
            guard try VoterTable.applied(database) == nil else {
                throw StoreError(.occupied, "This hub is one of two hubs already.")
            }
            try VoterTable.begin(at: .start, database)
        }
    }

    /// Makes this hub one that is alone. Batches that weren't applied are discarded.
    package func endPair() async throws(StoreError) {
        try await appends.write { _, database in try VoterTable.end(database) }
    }

    /// Writes a change of what this hub keeps as a voter. It is on the disk when this returns.
    package func persist(_ change: LogChange) async throws(StoreError) {
        try await appends.write { _, database in try VoterTable.write(change, database) }
    }

    /// Removes the batches up to a place, which were applied.
    package func discard(through place: Int) async throws(StoreError) {
        try await appends.write(isDurable: false) { _, database in
            try VoterTable.discard(through: place, database)
        }
    }

    /// Applies the stored batches up to a place, in one transaction with the place itself.
    ///
    /// A power failure may undo this. The batches are still there then, and are applied again.
    ///
    /// - Parameters:
    ///   - place: The place.
    ///   - open: A closure that returns the content of a batch.
    /// - Returns: The batches, in order.
    /// - Throws: ``StoreError``, or the error of `open` as one. Nothing was applied then.
    package func apply(
        through place: Int,
        opening open: @escaping @Sendable (Consensus.Batch) throws(StoreError) -> BatchContent
    ) async throws(StoreError) -> [AppliedBatch] {
        try await appends.write(isDurable: false) { [requests] transaction, database in
            guard let applied = try VoterTable.applied(database) else {
                throw StoreError(.invalid, "This hub is alone, so it has no batches to apply.")
            }
            let batches = try VoterTable.batches(after: applied.place, through: place, database)
            guard batches.count == place - applied.place, let last = batches.last else {
                throw StoreError(.damaged, "Batches of changes up to \(place) are missing. Restore a backup.")
            }
            let results = try batches.map { batch in
                let opened = batch.bytes.isEmpty ? nil : try open(batch)
                guard let content = try ChangeParts.whole(of: opened, database) else {
                    return AppliedBatch(position: batch.position, content: nil, result: .success([]))
                }
                let result = try BatchWriter.apply(content, &transaction, requests, database)
                return AppliedBatch(position: batch.position, content: content, result: result)
            }
            try VoterTable.setApplied(last.position, database)
            return results
        }
    }
}
