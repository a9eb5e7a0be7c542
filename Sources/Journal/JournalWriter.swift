import Foundation
import GRDB
import HubAPI

/// The owner of the journal's open database. It writes one transaction after another.
actor JournalWriter {
    /// What follows a write.
    enum Next: Hashable, Sendable {
        /// Nothing, until more is recorded.
        case nothing
        /// Old entries are left to remove.
        case more
        /// The file could not be written, and is tried again.
        case retry
    }

    /// What waits to be written.
    typealias Waiting = (entries: [JournalEntry], samples: [JournalSample])

    private enum File {
        case open(DatabasePool)
        /// The file can't be opened now.
        case unavailable
        /// The file is of a newer version.
        case unsupported(JournalError)
        case closed
    }

    private let database: JournalDatabase
    private let limits: JournalLimits
    private let now: @Sendable () -> Date
    private let notify: @Sendable (JournalNotice) -> Void
    private var file = File.unavailable
    private var counts = TableCounts()
    private var isUnwritable = false
    /// Whether old rows are left to remove.
    private var isMoreDue = false
    /// The last write, after which the next one begins.
    private var last: Task<Next, Never>?

    init(
        _ database: JournalDatabase,
        limits: JournalLimits,
        now: @escaping @Sendable () -> Date,
        notify: @escaping @Sendable (JournalNotice) -> Void
    ) {
        self.database = database
        self.limits = limits
        self.now = now
        self.notify = notify
    }

    /// The open database; `nil` if there is none.
    var openDatabase: DatabasePool? {
        if case .open(let pool) = file { pool } else { nil }
    }

    // MARK: Opening and closing

    /// Opens the file.
    ///
    /// - Throws: ``JournalError`` with the code `insecure`.
    func open() async throws(JournalError) {
        do throws(JournalError) {
            try openNow()
        } catch  where error.code == .insecure {
            throw error
        } catch  where error.code == .damaged {
            await replace(because: error)
        } catch {
            failed(error)
        }
    }

    func close() async {
        _ = await last?.value
        if case .open(let pool) = file { await JournalDatabase.close(pool) }
        file = .closed
    }

    private func openNow() throws(JournalError) {
        do throws(JournalError) {
            let pool = try database.open()
            do {
                counts = try pool.write { database in
                    try SampleTable.removeEmptySeries(database)
                    return TableCounts(
                        entries: try EntryTable.count(database),
                        samples: try SampleTable.count(database)
                    )
                }
            } catch {
                throw database.error(error)
            }
            file = .open(pool)
        } catch  where error.code == .futureFormat {
            file = .unsupported(error)
            notify(.unsupported(error))
        }
    }

    /// Moves a damaged file aside and begins another.
    private func replace(because damage: JournalError) async {
        if case .open(let pool) = file { await JournalDatabase.close(pool) }
        file = .unavailable
        do throws(JournalError) {
            let path = try database.moveAside(now: now(), keeping: limits.damagedFiles)
            notify(.damaged(damage, movedTo: path))
            try openNow()
        } catch {
            failed(error)
        }
    }

    private func failed(_ error: JournalError) {
        guard !isUnwritable else { return }
        isUnwritable = true
        notify(.unwritable(error))
    }

    // MARK: Writing

    /// Writes what waits, after all earlier writes.
    ///
    /// - Parameters:
    ///   - taking: A closure that removes and returns what waits.
    ///   - puttingBack: A closure that receives what could not be written.
    ///   - droppedEntries: A closure that returns the number of entries that were dropped since it was last called.
    func write(
        taking take: @escaping @Sendable () -> Waiting,
        puttingBack putBack: @escaping @Sendable (Waiting) -> Void,
        droppedEntries: @escaping @Sendable () -> Int
    ) async -> Next {
        let previous = last
        let task = Task {
            _ = await previous?.value
            let waiting = take()
            let next = await self.write(waiting)
            if next == .retry { putBack(waiting) } else { self.wrote(droppedEntries) }
            return next
        }
        last = task
        return await task.value
    }

    private func wrote(_ droppedEntries: () -> Int) {
        guard isUnwritable, case .open = file else { return }
        isUnwritable = false
        notify(.writable(droppedEntries: droppedEntries()))
    }

    private func write(_ waiting: Waiting) async -> Next {
        // One attempt with the file as it is, and one with the file that replaces a damaged one.
        for _ in 0..<2 {
            switch file {
            case .unavailable:
                do throws(JournalError) {
                    try openNow()
                } catch  where error.code == .damaged {
                    await replace(because: error)
                } catch {
                    failed(error)
                    return .retry
                }
            case .unsupported, .closed:
                return .nothing
            case .open:
                break
            }
            guard case .open(let pool) = file else { continue }
            // Most requests for entries find that nothing waits.
            if waiting.entries.isEmpty, waiting.samples.isEmpty, !isMoreDue, !isUnwritable { return .nothing }
            do {
                (counts, isMoreDue) = try await transact(waiting, on: pool)
                return isMoreDue ? .more : .nothing
            } catch {
                let error = database.error(error)
                guard error.code == .damaged else {
                    failed(error)
                    return .retry
                }
                await replace(because: error)
            }
        }
        if case .unsupported = file { return .nothing }
        return .retry
    }

    private func transact(
        _ waiting: Waiting,
        on pool: DatabasePool
    ) async throws -> (TableCounts, isMoreDue: Bool) {
        let transaction = JournalTransaction(limits: limits, now: now(), notify: notify, counts: counts)
        let entries = waiting.entries.compactMap(transaction.prepare)
        let samples = waiting.samples
        return try await pool.write { database in
            var transaction = transaction
            let isMoreDue = try transaction.write(entries, samples, database)
            return (transaction.counts, isMoreDue)
        }
    }

    // MARK: Reading

    /// Reads from the database.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(JournalError) -> Value {
        switch file {
        case .open(let pool):
            do {
                return try await pool.read(body)
            } catch {
                let error = database.error(error)
                if error.code == .damaged, case .open(let current) = file, current === pool {
                    await replace(because: error)
                }
                throw error
            }
        case .unsupported(let error): throw error
        case .unavailable: throw JournalError(.inputOutput, "\(database.path) can't be opened.")
        case .closed: throw JournalError(.closed, "The journal was closed.")
        }
    }
}
