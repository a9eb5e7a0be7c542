import Foundation
import HomeModel
import Synchronization

/// Which entries of the logs are kept, by their identity: so that a repeated request is told at once, and no write has
/// to keep up an index on the disk.
///
/// A class because the writer and readers share it.
final class EntryIDIndex: Sendable {
    private struct Entries {
        var revisions: [UUID: Int] = [:]
        /// The last revision that was compacted away.
        var compacted = 0
    }

    private let logs: Mutex<[LogID: Entries]>

    /// - Parameter revisions: What the database holds: revisions by entry, by log.
    init(_ revisions: [LogID: [UUID: Int]]) {
        logs = Mutex(revisions.mapValues { Entries(revisions: $0) })
    }

    /// The revision of an entry that is on the disk; nil if there is none of that identity.
    func revision(of entryID: UUID, in log: LogID) -> Int? {
        logs.withLock { $0[log]?.revisions[entryID] }
    }

    /// Takes over what a transaction did that is on the disk.
    func follow(_ transaction: LogTransaction) {
        logs.withLock { logs in
            for log in transaction.removed { logs[log] = nil }
            for (log, added) in transaction.added {
                var entries = logs.removeValue(forKey: log) ?? Entries()
                entries.revisions.merge(added) { $1 }
                let last = LogTable.compactedRevision(at: transaction.rows[log]?.revision ?? 0)
                if last > entries.compacted {
                    entries.compacted = last
                    entries.revisions = entries.revisions.filter { $0.value > last }
                }
                logs[log] = entries
            }
        }
    }
}

/// What a transaction found and did.
struct LogTransaction: Sendable {
    /// The rows of logs as they are in it, as far as they are known.
    var rows: [LogID: LogRow]
    /// The entries that it appended, with their revisions.
    var added: [LogID: [UUID: Int]] = [:]
    /// The logs that it removed.
    var removed: Set<LogID> = []
}
