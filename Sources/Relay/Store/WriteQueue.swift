import GRDB
import RelayAPI
import Synchronization

/// Writes to the database in the order of the calls. Writes that arrive during a transaction are collected into the next
/// one, so that many at a time cost little more than one.
final class WriteQueue: Sendable {
    // This is a class because callers and the database's writer share it.

    /// A write that waits.
    private struct Waiting {
        /// Changes the database, and returns what tells the caller once the change is on the disk.
        var run: @Sendable (Database) throws -> @Sendable () -> Void
        /// Tells the caller that nothing was changed.
        var fail: @Sendable (any Error) -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var isWriting = false
        var isClosed = false
    }

    private let database: DatabasePool
    private let file: String
    /// Called after each transaction with the number of writes in it.
    private let onCommit: @Sendable (Int) -> Void
    private let state = Mutex(State())

    init(_ database: DatabasePool, file: String, onCommit: @escaping @Sendable (Int) -> Void) {
        self.database = database
        self.file = file
        self.onCommit = onCommit
    }

    /// Runs a write. It changes nothing if it throws; an error of the database undoes all writes of its transaction.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(RelayStoreError) -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                enqueue(
                    Waiting(
                        run: { database in
                            let value = try body(database)
                            return { continuation.resume(returning: value) }
                        },
                        fail: { continuation.resume(throwing: $0) }
                    )
                )
            }
        } catch {
            throw RelayStoreError(error, file: file)
        }
    }

    private func enqueue(_ write: Waiting) {
        enum Step { case none, start, refuse }
        let step = state.withLock { state -> Step in
            if state.isClosed { return .refuse }
            state.waiting.append(write)
            if state.isWriting { return .none }
            state.isWriting = true
            return .start
        }
        switch step {
        case .none: break
        case .start: database.asyncWriteWithoutTransaction { self.run($0) }
        case .refuse: write.fail(RelayStoreError.closed)
        }
    }

    /// Refuses new writes, and waits until those before are written.
    func close() async {
        state.withLock { $0.isClosed = true }
        // The writer is serial, so this runs after what was queued before.
        try? await database.writeWithoutTransaction { self.run($0) }
    }

    private func run(_ database: Database) {
        while true {
            let writes = state.withLock { state -> [Waiting] in
                defer { state.waiting = [] }
                if state.waiting.isEmpty { state.isWriting = false }
                return state.waiting
            }
            guard !writes.isEmpty else { return }
            run(writes, database)
        }
    }

    private func run(_ writes: [Waiting], _ database: Database) {
        do {
            try database.cachedStatement(sql: "BEGIN IMMEDIATE").execute()
            let results: [Result<@Sendable () -> Void, any Error>]
            do {
                results = try writes.map { try attempt($0, database) }
                try database.cachedStatement(sql: "COMMIT").execute()
            } catch {
                try database.rollback()
                throw error
            }
            onCommit(writes.count)
            for (write, result) in zip(writes, results) {
                switch result {
                case .success(let complete): complete()
                case .failure(let error): write.fail(error)
                }
            }
        } catch {
            for write in writes { write.fail(error) }
        }
    }

    /// Runs one write. Its own refusal undoes only itself.
    private func attempt(
        _ write: Waiting,
        _ database: Database
    ) throws -> Result<@Sendable () -> Void, any Error> {
        try database.cachedStatement(sql: "SAVEPOINT one").execute()
        do {
            let complete = try write.run(database)
            try database.cachedStatement(sql: "RELEASE one").execute()
            return .success(complete)
        } catch let error as RelayStoreError {
            try database.cachedStatement(sql: "ROLLBACK TO one").execute()
            try database.cachedStatement(sql: "RELEASE one").execute()
            return .failure(error)
        }
    }
}
