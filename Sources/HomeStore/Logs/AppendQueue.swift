import Foundation
import GRDB
import HomeModel
import Synchronization

/// Brings appends to the disk in the order in which they come. Those that come while one is being written wait
/// together and become the next transaction, so that many at once cost little more than one.
///
/// A class because callers and the database's writer share it.
final class AppendQueue: Sendable {
    private typealias Answer = CheckedContinuation<[AppendedEntry], any Error>
    private typealias Item = (batch: Batch, answer: Answer)

    private struct State {
        var waiting: [Item] = []
        var isWriting = false
        var isClosed = false
        /// The rows of logs as they are on the disk. This is the only writer, so they need not be read each time.
        var known: [LogID: LogRow] = [:]
    }

    private let database: DatabasePool
    private let index: EntryIDIndex
    private let file: String
    private let state = Mutex(State())

    init(database: DatabasePool, index: EntryIDIndex, file: String) {
        self.database = database
        self.index = index
        self.file = file
    }

    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        do {
            try Self.check(drafts)
            let batch = Batch(drafts: try drafts.map(PreparedDraft.init), removed: removed)
            return try await withCheckedThrowingContinuation { (answer: Answer) in
                let (isClosed, isIdle) = state.withLock { state in
                    guard !state.isClosed else { return (true, false) }
                    state.waiting.append((batch, answer))
                    defer { state.isWriting = true }
                    return (false, !state.isWriting)
                }
                if isClosed {
                    answer.resume(throwing: StoreError(.closed, "The store \(file) was closed."))
                } else if isIdle {
                    // Straight to the writer's own queue: a task between would be woken only to wake the writer.
                    database.asyncWriteWithoutTransaction { self.write($0) }
                }
            }
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Takes no more, and waits until what was taken is written.
    func close() async {
        state.withLock { $0.isClosed = true }
        // The writer does one thing after the other; it fails only if it was closed, and then has nothing to do.
        try? await database.writeWithoutTransaction { _ in }
    }

    private static func check(_ drafts: [EntryDraft]) throws(StoreError) {
        guard drafts.count > 1 else { return }
        struct Key: Hashable {
            var log: LogID
            var entryID: UUID
        }
        guard Set(drafts.map { Key(log: $0.log, entryID: $0.entryID) }).count == drafts.count else {
            throw StoreError(.invalid, "Two drafts for one log have the same entry id.")
        }
    }

    private func write(_ database: Database) {
        while let (waiting, known) = takeWaiting() {
            do {
                var transaction = LogTransaction(rows: known)
                var results: [Result<[AppendedEntry], any Error>] = []
                if waiting.count == 1 {
                    results = [try write(waiting[0].batch, &transaction, isAlone: true, database)]
                } else {
                    try database.inTransaction {
                        for item in waiting {
                            results.append(try write(item.batch, &transaction, isAlone: false, database))
                        }
                        return .commit
                    }
                }
                state.withLock { $0.known = transaction.rows }
                index.follow(transaction)
                for (result, item) in zip(results, waiting) { item.answer.resume(with: result) }
            } catch {
                for item in waiting { item.answer.resume(throwing: error) }
            }
        }
    }

    /// Everything that waits, and what is known of the logs; nil, and the writer ends, if nothing does.
    private func takeWaiting() -> ([Item], [LogID: LogRow])? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return (state.waiting, state.known)
        }
    }

    /// Writes one batch. What the batch itself makes impossible fails it alone; what the database makes impossible is
    /// thrown, and fails all that share the transaction.
    ///
    /// - Parameter isAlone: Whether it has a transaction of its own to open; else it is part of the one that is open.
    private func write(
        _ batch: Batch,
        _ transaction: inout LogTransaction,
        isAlone: Bool,
        _ database: Database
    ) throws -> Result<[AppendedEntry], any Error> {
        var attempt = transaction
        var result: Result<[AppendedEntry], any Error> = .success([])
        let append: () throws -> Database.TransactionCompletion = {
            do {
                result = .success(try LogTable.append(batch, &attempt, self.index, database))
                return .commit
            } catch let error as StoreError {
                result = .failure(error)
                return .rollback
            }
        }
        if isAlone { try database.inTransaction(nil, append) } else { try database.inSavepoint(append) }
        if case .success = result { transaction = attempt }
        return result
    }
}
