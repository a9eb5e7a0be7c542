import Foundation
import GRDB
import HomeModel
import Synchronization

/// A queue that writes appends to the disk in order. Appends that arrive during a write are combined into the next
/// transaction, so that many at the same time cost little more than one.
///
/// This is a class because callers and the database's writer share it.
final class AppendQueue: Sendable {
    private struct State {
        var waiting: [PendingAppend] = []
        var isWriting = false
        var isClosed = false
        /// Whether the last transaction was so fast that a thread switch would have cost more.
        var isQuick = false
        /// The current rows of logs on the disk. Cached because this is the only writer.
        var known: [LogID: LogRow] = [:]
    }

    /// The maximum duration of a transaction that runs on the caller's thread. Switching to the writer's thread and
    /// back costs tens of microseconds.
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

    /// Appends drafts after those of all earlier calls.
    ///
    /// The call takes its position in the queue before it first suspends, in the caller's own isolation. Consecutive
    /// calls by an actor are therefore written in that order. The write itself doesn't run on any actor, because it may
    /// block the thread.
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        let pending: PendingAppend
        do {
            pending = PendingAppend(DraftGroup(drafts: try drafts.map(PreparedDraft.init), removed: removed))
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

    /// Starts writing the waiting appends, unless a writer is active.
    private func startWriting() {
        let (isDue, isQuick) = state.withLock { state in
            guard !state.isWriting, !state.waiting.isEmpty else { return (false, false) }
            state.isWriting = true
            return (true, state.isQuick)
        }
        if isDue, isQuick {
            database.writeWithoutTransaction { writeOnce($0) }
        } else if isDue {
            // Directly on the writer's queue: a task in between would only add a thread switch.
            database.asyncWriteWithoutTransaction { self.write($0) }
        }
    }

    /// Writes within one transaction on the writer's queue.
    ///
    /// - Parameter isDurable: Whether the transaction is on the disk when this returns. See ``Database/setDurable(_:)``.
    func write<Value: Sendable>(
        isDurable: Bool = true,
        _ body: @escaping @Sendable (inout LogTransaction, Database) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await database.writeWithoutTransaction { database in
                if !isDurable { try database.setDurable(false) }
                defer { if !isDurable { self.restoreDurability(database) } }
                let known = self.state.withLock { $0.known }
                let (transaction, value) = try database.inOneTransaction {
                    var transaction = LogTransaction(rows: known)
                    let value = try body(&transaction, database)
                    return (transaction, value)
                }
                self.state.withLock { $0.known = transaction.rows }
                self.requests.apply(transaction.requests)
                return value
            }
        } catch {
            throw StoreError(error, file: file)
        }
    }

    /// Replaces logs and requests within one transaction on the writer's queue.
    ///
    /// - Parameters:
    ///   - path: A database that the transaction reads as `base`.
    ///   - body: The closure that replaces them.
    func replaceAll(
        attaching path: String,
        _ body: @escaping @Sendable (Database) throws -> Void
    ) async throws(StoreError) {
        do {
            try await database.writeWithoutTransaction { database in
                try database.execute(sql: "ATTACH DATABASE ? AS base", arguments: [path])
                defer { try? database.execute(sql: "DETACH DATABASE base") }
                let stored = try database.inOneTransaction {
                    try body(database)
                    return try RequestTable.all(database)
                }
                self.state.withLock { $0.known = [:] }
                self.requests.replaceAll(stored)
            }
        } catch {
            throw StoreError(error, file: file)
        }
    }

    private func restoreDurability(_ database: Database) {
        do {
            try database.setDurable(true)
        } catch {
            // Without it, an acknowledged change could be lost.
            state.withLock { $0.isClosed = true }
        }
    }

    /// Rejects new appends, and waits until the pending ones are written.
    func close() async {
        state.withLock { $0.isClosed = true }
        // The writer is serial. It fails only if it was closed, and then nothing is left to write.
        try? await database.writeWithoutTransaction { self.write($0) }
    }

    private func write(_ database: Database) {
        while let (waiting, known) = dequeue() { write(waiting, known, database) }
    }

    /// Writes the waiting appends once. Appends that arrive in the meantime go to the writer's queue.
    private func writeOnce(_ database: Database) {
        if let (waiting, known) = dequeue() { write(waiting, known, database) }
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
            requests.apply(transaction.requests)
            for (result, pending) in zip(results, waiting) { pending.finish(result) }
        } catch {
            for pending in waiting { pending.finish(.failure(error)) }
        }
    }

    /// Removes and returns all waiting appends with the known rows; `nil`, ending the writer, if there are none.
    private func dequeue() -> ([PendingAppend], [LogID: LogRow])? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return (state.waiting, state.known)
        }
    }

    /// Writes batches within the open transaction. A failure that is caused by a batch fails only that batch. A
    /// database error is thrown and fails all of them, as does any failure of a single batch.
    private func write(
        _ batches: [DraftGroup],
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
