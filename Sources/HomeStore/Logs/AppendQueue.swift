import Foundation
import GRDB
import HomeModel
import Synchronization

/// Brings appends to the disk in the order in which they come. Those that come while one is being written wait
/// together and become the next transaction, so that many at once cost little more than one.
///
/// A class because callers and the database's writer share it.
final class AppendQueue: Sendable {
    private struct State {
        var waiting: [PendingAppend] = []
        var isWriting = false
        var isClosed = false
        /// Whether the last transaction was on the disk so soon that waking a thread for it would have cost more.
        var isQuick = false
        /// The rows of logs as they are on the disk. This is the only writer, so they need not be read each time.
        var known: [LogID: LogRow] = [:]
    }

    /// What a transaction takes at most that its caller's thread carries out. To wake the writer's thread and to be woken
    /// by it costs some tens of microseconds.
    private static let quick = Duration.microseconds(500)

    private let database: DatabasePool
    private let requests: RequestIndex
    private let file: String
    private let state = Mutex(State())

    init(database: DatabasePool, requests: RequestIndex, file: String) {
        self.database = database
        self.requests = requests
        self.file = file
    }

    /// Appends drafts after everything that was called before.
    ///
    /// The call has its place in the order before it first suspends, in the caller's own isolation: calls that an actor
    /// makes one after the other are written in that order. The writing itself happens off every actor, for with a quick
    /// disk the thread waits for it.
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        let pending: PendingAppend
        do {
            pending = PendingAppend(Batch(drafts: try drafts.map(PreparedDraft.init), removed: removed))
            try enqueue(pending)
        } catch {
            throw StoreError(error, file: file)
        }
        return try await written(pending)
    }

    private func enqueue(_ pending: PendingAppend) throws(StoreError) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.waiting.append(pending) }
            return state.isClosed
        }
        if isClosed { throw StoreError(.closed, "The store \(file) was closed.") }
    }

    @concurrent
    private func written(_ pending: PendingAppend) async throws(StoreError) -> [AppendedEntry] {
        startWriting()
        do {
            return try await pending.result()
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Has what waits written, unless a writer is at it.
    private func startWriting() {
        let (isDue, isQuick) = state.withLock { state in
            guard !state.isWriting, !state.waiting.isEmpty else { return (false, false) }
            state.isWriting = true
            return (true, state.isQuick)
        }
        if isDue, isQuick {
            database.writeWithoutTransaction { writeOnce($0) }
        } else if isDue {
            // Straight to the writer's own queue: a task between would be woken only to wake the writer.
            database.asyncWriteWithoutTransaction { self.write($0) }
        }
    }

    /// Takes no more, and waits until what was taken is written.
    func close() async {
        state.withLock { $0.isClosed = true }
        // The writer does one thing after the other; it fails only if it was closed, and then has nothing to do.
        try? await database.writeWithoutTransaction { self.write($0) }
    }

    private func write(_ database: Database) {
        while let (waiting, known) = takeWaiting() { write(waiting, known, database) }
    }

    /// Writes what waits, and leaves what comes meanwhile to the writer's queue.
    private func writeOnce(_ database: Database) {
        if let (waiting, known) = takeWaiting() { write(waiting, known, database) }
        let isDone = state.withLock { state in
            state.isWriting = !state.waiting.isEmpty
            return !state.isWriting
        }
        if !isDone { self.database.asyncWriteWithoutTransaction { self.write($0) } }
    }

    private func write(_ waiting: [PendingAppend], _ known: [LogID: LogRow], _ database: Database) {
        let start = ContinuousClock.now
        do {
            let (transaction, results) = try database.inOneTransaction {
                var transaction = LogTransaction(rows: known)
                let results = try write(waiting.map(\.batch), &transaction, database)
                return (transaction, results)
            }
            let isQuick = ContinuousClock.now - start <= Self.quick
            state.withLock { state in
                state.known = transaction.rows
                state.isQuick = isQuick
            }
            requests.follow(transaction.requests)
            for (result, pending) in zip(results, waiting) { pending.finish(result) }
        } catch {
            for pending in waiting { pending.finish(.failure(error)) }
        }
    }

    /// Everything that waits, and what is known of the logs; nil, and the writer ends, if nothing does.
    private func takeWaiting() -> ([PendingAppend], [LogID: LogRow])? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return (state.waiting, state.known)
        }
    }

    /// Writes batches within the transaction that is open. What a batch itself makes impossible fails it alone; what the
    /// database makes impossible is thrown, and fails all of them. So is whatever fails a batch that is the only one.
    private func write(
        _ batches: [Batch],
        _ transaction: inout LogTransaction,
        _ database: Database
    ) throws -> [Result<[AppendedEntry], any Error>] {
        if batches.count == 1 {
            return [.success(try LogTable.append(batches[0], &transaction, requests, database))]
        }
        return try batches.map { batch in
            var attempt = transaction
            var result: Result<[AppendedEntry], any Error> = .success([])
            try database.inSavepoint {
                do {
                    result = .success(try LogTable.append(batch, &attempt, requests, database))
                    return .commit
                } catch let error as StoreError {
                    result = .failure(error)
                    return .rollback
                }
            }
            if case .success = result { transaction = attempt }
            return result
        }
    }
}
