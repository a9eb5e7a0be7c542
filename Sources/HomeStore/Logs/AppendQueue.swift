import Foundation
import GRDB
import HomeModel
import Synchronization

/// Brings appends to the disk in the order in which they come. Those that come while one is being written wait
/// together and become the next transaction, so that many at once cost little more than one.
///
/// A class because callers and the writing task share it.
final class AppendQueue: Sendable {
    private typealias Answer = CheckedContinuation<[AppendedEntry], any Error>

    private struct State {
        var waiting: [(batch: Batch, answer: Answer)] = []
        var writer: Task<Void, Never>?
        var isClosed = false
    }

    private let database: DatabasePool
    private let file: String
    private let state = Mutex(State())

    init(database: DatabasePool, file: String) {
        self.database = database
        self.file = file
    }

    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        do {
            try Self.check(drafts)
            let batch = Batch(drafts: try drafts.map(PreparedDraft.init), removed: removed)
            return try await withCheckedThrowingContinuation { answer in
                let isClosed = state.withLock { state in
                    if !state.isClosed { state.waiting.append((batch, answer)) }
                    return state.isClosed
                }
                if isClosed {
                    answer.resume(throwing: StoreError(.closed, "The store \(file) was closed."))
                } else {
                    startWriter()
                }
            }
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Takes no more, and waits until what was taken is written.
    func close() async {
        let writer = state.withLock { state in
            state.isClosed = true
            return state.writer
        }
        await writer?.value
    }

    private static func check(_ drafts: [EntryDraft]) throws(StoreError) {
        struct Key: Hashable {
            var log: LogID
            var entryID: UUID
        }
        guard Set(drafts.map { Key(log: $0.log, entryID: $0.entryID) }).count == drafts.count else {
            throw StoreError(.invalid, "Two drafts for one log have the same entry id.")
        }
    }

    private func startWriter() {
        state.withLock { state in
            guard state.writer == nil else { return }
            state.writer = Task { await self.write() }
        }
    }

    private func write() async {
        while let waiting = takeWaiting() {
            let batches = waiting.map(\.batch)
            do {
                let results = try await database.write { database in
                    try batches.map { try Self.write($0, database) }
                }
                for (result, item) in zip(results, waiting) { item.answer.resume(with: result) }
            } catch {
                for item in waiting { item.answer.resume(throwing: error) }
            }
        }
    }

    /// Everything that waits; nil, and the writer ends, if nothing does.
    private func takeWaiting() -> [(batch: Batch, answer: Answer)]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.writer = nil
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    /// Writes one batch. What the batch itself makes impossible fails it alone; what the database makes impossible is
    /// thrown, and fails all that share the transaction.
    private static func write(
        _ batch: Batch,
        _ database: Database
    ) throws -> Result<[AppendedEntry], any Error> {
        var result: Result<[AppendedEntry], any Error> = .success([])
        try database.inSavepoint {
            do {
                result = .success(try LogTable.append(batch, database))
                return .commit
            } catch let error as StoreError {
                result = .failure(error)
                return .rollback
            }
        }
        return result
    }
}
