import Foundation
import GRDB
import HomeModel

extension LogTable {
    /// The number of superfluous entries that a log may have before they are compacted away.
    private static let compactionSlack = 256

    /// Appends a batch within the open transaction.
    ///
    /// - Parameters:
    ///   - transaction: The state of the transaction, which is updated.
    ///   - index: The requests that were stored before the transaction.
    /// - Throws: ``StoreError``, or the database's own error. The caller must then roll back the batch and
    ///   `transaction`.
    static func append(
        _ batch: DraftGroup,
        _ transaction: inout LogTransaction,
        _ index: RequestIndex,
        _ database: Database
    ) throws -> [AppendedEntry] {
        for draft in batch.drafts.map(\.draft) {
            guard let receipt = draft.receipt else { continue }
            let time = draft.time.milliseconds
            try RequestTable.append(receipt, at: time, &transaction.requests, index, database)
        }
        let entries = try batch.drafts.map { try append($0, &transaction, database) }
        for log in batch.removed {
            try remove(log, database)
            transaction.rows[log] = nil
        }
        return entries
    }

    private static func append(
        _ prepared: PreparedDraft,
        _ transaction: inout LogTransaction,
        _ database: Database
    ) throws -> AppendedEntry {
        let draft = prepared.draft
        var row = try transaction.rows[draft.log] ?? row(draft.log, database)
        guard draft.expectedRevision == row?.revision ?? 0 else {
            throw StoreError(
                .conflict,
                "\(draft.log) is at revision \(row?.revision ?? 0), not \(draft.expectedRevision). Decide again."
            )
        }
        var log = try row.take() ?? create(draft.log, prepared.lineage ?? UUID(), database)
        guard log.revision < EntryRowID.maximumRevision else {
            throw StoreError(.full, "\(draft.log) has reached the maximum number of entries.")
        }
        let entry = Entry(
            draft,
            payload: prepared.payload,
            lineage: log.lineage,
            revision: log.revision + 1,
            previousHash: log.hash
        )
        let encoded = try entry.encoded()
        guard let hash = EntryHash(of: encoded) else { throw StoreError(.invalid, "An entry has no hash.") }
        log.revision = entry.revision
        log.hash = hash
        try insert(encoded, in: log, database)
        for effect in prepared.effects { try apply(effect, log: log.id, database) }
        try update(log, database)
        try compact(log, database)
        transaction.rows[draft.log] = log
        return AppendedEntry(
            log: draft.log,
            entryID: entry.entryID,
            cursor: log.cursor,
            hash: hash,
            time: entry.time
        )
    }

    private static func create(_ name: LogID, _ lineage: UUID, _ database: Database) throws -> LogRow {
        try database.execute(
            sql: "INSERT INTO log (name, lineage, revision, hash) VALUES (?, ?, 0, ?)",
            arguments: [name.description, lineage.uuidString, Data(EntryHash.none.bytes)]
        )
        return LogRow(id: database.lastInsertedRowID, name: name, lineage: lineage, revision: 0, hash: .none)
    }

    private static func insert(_ encoded: [UInt8], in log: LogRow, _ database: Database) throws {
        let rowID = EntryRowID.rowID(log: log.id, revision: log.revision)
        try database.cachedStatement(sql: "INSERT INTO entry (place, hash, encoded) VALUES (?, ?, ?)")
            .execute(arguments: [rowID, Data(log.hash.bytes), Data(encoded)])
    }

    private static func update(_ log: LogRow, _ database: Database) throws {
        try database.cachedStatement(sql: "UPDATE log SET revision = ?, hash = ? WHERE id = ?")
            .execute(arguments: [log.revision, Data(log.hash.bytes), log.id])
    }

    private static func apply(_ effect: EncodedChange.Effect, log: Int64, _ database: Database) throws {
        switch effect {
        case .put(let id, let body):
            try database.cachedStatement(
                sql: """
                    INSERT INTO record (log, kind, id, body) VALUES (?, ?, ?, ?)
                    ON CONFLICT (log, kind, id) DO UPDATE SET body = excluded.body
                    """
            ).execute(arguments: [log, id.kind.rawValue, id.id, String(decoding: body, as: UTF8.self)])
        case .remove(let id):
            try database.cachedStatement(sql: "DELETE FROM record WHERE log = ? AND kind = ? AND id = ?")
                .execute(arguments: [log, id.kind.rawValue, id.id])
        }
    }

    /// Removes the entries beyond the limit, many at a time.
    private static func compact(_ log: LogRow, _ database: Database) throws {
        guard log.revision.isMultiple(of: compactionSlack) else { return }
        let last = log.revision - HomeStore.keptEntries
        guard last > 0 else { return }
        try database.execute(
            sql: "DELETE FROM entry WHERE place BETWEEN ? AND ?",
            arguments: [EntryRowID.rowIDs(log: log.id).lowerBound, EntryRowID.rowID(log: log.id, revision: last)]
        )
    }

    /// Removes a log with its contents and secrets.
    static func remove(_ name: LogID, _ database: Database) throws {
        try SecretTable.removeAll(of: name, database)
        if case .home(let home) = name {
            try FiringTable.removeAll(of: home, database)
            try StateTable.removeAll(of: home, database)
        }
        guard let log = try row(name, database) else { return }
        let rowIDs = EntryRowID.rowIDs(log: log.id)
        try database.execute(
            sql: "DELETE FROM entry WHERE place BETWEEN ? AND ?",
            arguments: [rowIDs.lowerBound, rowIDs.upperBound]
        )
        try database.execute(sql: "DELETE FROM record WHERE log = ?", arguments: [log.id])
        try database.execute(sql: "DELETE FROM log WHERE id = ?", arguments: [log.id])
    }
}
