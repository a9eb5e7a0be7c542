import Foundation
import GRDB
import HomeModel

extension LogTable {
    /// How many entries may lie beyond those that are kept before they are compacted away.
    private static let compactionSlack = 256

    /// Appends a batch within the transaction that is open.
    ///
    /// - Parameters:
    ///   - transaction: What was done in the transaction until now; kept up.
    ///   - index: Which requests were there before it.
    /// - Throws: ``StoreError``, or the database's own error. What the batch did until then is to be rolled back, and
    ///   `transaction` with it.
    static func append(
        _ batch: Batch,
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
                "\(draft.log) is at revision \(row?.revision ?? 0), not \(draft.expectedRevision): decide anew."
            )
        }
        var log = try row.take() ?? create(draft.log, database)
        guard log.revision < EntryRowID.maximumRevision else {
            throw StoreError(.full, "\(draft.log) has as many entries as a log can have.")
        }
        let entry = Entry(
            draft,
            payload: prepared.encoded.payload,
            lineage: log.lineage,
            revision: log.revision + 1,
            previousHash: log.hash
        )
        let encoded = try entry.encoded()
        guard let hash = EntryHash(of: encoded) else { throw StoreError(.invalid, "An entry has no hash.") }
        log.revision = entry.revision
        log.hash = hash
        try insert(encoded, in: log, database)
        for effect in prepared.encoded.effects { try apply(effect, log: log.id, database) }
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

    private static func create(_ name: LogID, _ database: Database) throws -> LogRow {
        let lineage = UUID()
        try database.execute(
            sql: "INSERT INTO log (name, lineage, revision, hash) VALUES (?, ?, 0, ?)",
            arguments: [name.description, lineage.uuidString, Data(EntryHash.none.bytes)]
        )
        return LogRow(id: database.lastInsertedRowID, name: name, lineage: lineage, revision: 0, hash: .none)
    }

    private static func insert(_ encoded: [UInt8], in log: LogRow, _ database: Database) throws {
        let place = EntryRowID.place(log: log.id, revision: log.revision)
        try database.cachedStatement(sql: "INSERT INTO entry (place, hash, encoded) VALUES (?, ?, ?)")
            .execute(arguments: [place, Data(log.hash.bytes), Data(encoded)])
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

    /// Removes entries beyond those that are kept, a number at a time.
    private static func compact(_ log: LogRow, _ database: Database) throws {
        guard log.revision.isMultiple(of: compactionSlack) else { return }
        let last = log.revision - HomeStore.keptEntries
        guard last > 0 else { return }
        try database.execute(
            sql: "DELETE FROM entry WHERE place BETWEEN ? AND ?",
            arguments: [EntryRowID.places(log: log.id).lowerBound, EntryRowID.place(log: log.id, revision: last)]
        )
    }

    private static func remove(_ name: LogID, _ database: Database) throws {
        try SecretTable.removeAll(of: name, database)
        guard let log = try row(name, database) else { return }
        let places = EntryRowID.places(log: log.id)
        try database.execute(
            sql: "DELETE FROM entry WHERE place BETWEEN ? AND ?",
            arguments: [places.lowerBound, places.upperBound]
        )
        try database.execute(sql: "DELETE FROM record WHERE log = ?", arguments: [log.id])
        try database.execute(sql: "DELETE FROM log WHERE id = ?", arguments: [log.id])
    }
}
