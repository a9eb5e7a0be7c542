import Foundation
import GRDB
import HomeModel

extension LogTable {
    /// Gives every log a new lineage. Its first entry records the restore and suspends what was granted. Earlier
    /// entries are deleted; their effects are in the log's state.
    static func beginLineages(by caller: Caller, now: Date, _ database: Database) throws {
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
            let draft = EntryDraft(
                log: log.name,
                entryID: UUID(),
                caller: caller,
                cause: .person,
                time: now,
                change: Change.restoration(of: try load(log.name, database)?.records ?? []),
                expectedRevision: log.revision
            )
            var transaction = LogTransaction(rows: [:])
            let batch = Batch(drafts: [try PreparedDraft(draft)], removed: [])
            _ = try append(batch, &transaction, RequestIndex([]), database)
        }
    }
}
