import Foundation
import GRDB
import HomeModel

extension LogTable {
    /// Gives every log a new lineage. Its first entry records the restore and suspends what was granted, or takes over a later
    /// state. Earlier entries are deleted; their effects are in the log's state.
    ///
    /// - Parameter recovered: The later states of logs. Those that don't exist are created.
    static func beginLineages(
        by caller: Caller,
        now: Date,
        recovering recovered: [LogID: [HomeModel.Record]] = [:],
        _ database: Database
    ) throws {
        var created = recovered
        for var log in try rows(database) {
            let rowIDs = EntryRowID.rowIDs(log: log.id)
            try database.execute(
                sql: "DELETE FROM entry WHERE place BETWEEN ? AND ?",
                arguments: [rowIDs.lowerBound, rowIDs.upperBound]
            )
            log.lineage = UUID()
            try database.execute(
                sql: "UPDATE log SET lineage = ? WHERE id = ?",
                arguments: [log.lineage.uuidString, log.id]
            )
            let records = try load(log.name, database)?.records ?? []
            let change =
                created.removeValue(forKey: log.name).map { Change.recovery(of: records, to: $0) }
                ?? Change.restoration(of: records)
            try append(change, to: log.name, at: log.revision, by: caller, now: now, database)
        }
        for (log, records) in created {
            try append(Change.recovery(of: [], to: records), to: log, at: 0, by: caller, now: now, database)
        }
    }

    private static func append(
        _ change: Change,
        to log: LogID,
        at revision: Int,
        by caller: Caller,
        now: Date,
        _ database: Database
    ) throws {
        let draft = EntryDraft(
            log: log,
            entryID: UUID(),
            caller: caller,
            cause: .person,
            time: now,
            change: change,
            expectedRevision: revision
        )
        var transaction = LogTransaction(rows: [:])
        let batch = DraftGroup(drafts: [try PreparedDraft(draft)], removed: [])
        _ = try append(batch, &transaction, RequestIndex([]), database)
    }
}
