import Foundation
import GRDB
import HomeModel

/// A row of the table of logs.
struct LogRow: Sendable {
    var id: Int64
    var name: LogID
    var lineage: UUID
    var revision: Int
    var hash: EntryHash

    var cursor: LogCursor { LogCursor(lineage: lineage, revision: revision) }
}

/// Reads logs, entries and records.
enum LogTable {
    static func names(_ database: Database) throws -> [LogID] {
        try rows(database).map(\.name)
    }

    static func rows(_ database: Database) throws -> [LogRow] {
        let columns = try Row.fetchAll(database, sql: "SELECT id, name, lineage, revision, hash FROM log ORDER BY id")
        return try columns.map(row)
    }

    static func row(_ log: LogID, _ database: Database) throws -> LogRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT id, name, lineage, revision, hash FROM log WHERE name = ?"
        )
        return try Row.fetchOne(statement, arguments: [log.description]).map(row)
    }

    static func load(_ log: LogID, _ database: Database) throws -> StoredLog? {
        guard let row = try row(log, database) else { return nil }
        let bodies = try Row.fetchCursor(
            database,
            sql: "SELECT kind, id, body FROM record WHERE log = ? ORDER BY place",
            arguments: [row.id]
        )
        var records: [HomeModel.Record] = []
        while let columns = try bodies.next() {
            let body: Data = columns[2]
            do {
                records.append(try JSONDecoder().decode(HomeModel.Record.self, from: body))
            } catch {
                let kind: String = columns[0]
                let id: String = columns[1]
                throw StoreError(.damaged, "The \(kind) \(id) of \(log) can't be read: \(error). Restore a backup.")
            }
        }
        return StoredLog(log: log, cursor: row.cursor, hash: row.hash, records: records)
    }

    static func entries(
        of log: LogID,
        after cursor: LogCursor,
        limit: Int,
        _ database: Database
    ) throws -> [StoredEntry]? {
        guard let row = try row(log, database), row.lineage == cursor.lineage,
            (0...row.revision).contains(cursor.revision)
        else { return nil }
        let count = row.revision - cursor.revision
        guard count > 0 else { return [] }
        guard count <= limit else { return nil }
        let first = EntryRowID.rowID(log: row.id, revision: cursor.revision + 1)
        let last = EntryRowID.rowID(log: row.id, revision: row.revision)
        let entries = try Row.fetchAll(
            database,
            sql: "SELECT hash, encoded FROM entry WHERE place BETWEEN ? AND ? ORDER BY place",
            arguments: [first, last]
        )
        guard entries.count == count else { return nil }
        return try entries.map { StoredEntry(entry: try Entry(encoded: bytes($0[1])), hash: try hash($0[0])) }
    }

    /// Checks that each entry matches its stored hash and has the hash of the previous entry, and that the last hash is
    /// the log's.
    static func checkChains(_ database: Database, file: String) throws {
        for row in try rows(database) {
            let rowIDs = EntryRowID.rowIDs(log: row.id)
            let entries = try Row.fetchCursor(
                database,
                sql: "SELECT place, hash, encoded FROM entry WHERE place BETWEEN ? AND ? ORDER BY place",
                arguments: [rowIDs.lowerBound, rowIDs.upperBound]
            )
            var previous: (revision: Int, hash: EntryHash)?
            while let columns = try entries.next() {
                let revision = EntryRowID.revision(columns[0])
                let encoded = bytes(columns[2])
                let hash = try hash(columns[1])
                let entry = try Entry(encoded: encoded)
                guard EntryHash(of: encoded) == hash, entry.revision == revision,
                    entry.log == row.name, entry.lineage == row.lineage
                else {
                    throw StoreError.damaged(file: file, "entry \(revision) of \(row.name) was changed")
                }
                let expected = previous ?? (revision == 1 ? (0, .none) : (revision - 1, entry.previousHash))
                guard revision == expected.revision + 1, entry.previousHash == expected.hash else {
                    throw StoreError.damaged(file: file, "entries before entry \(revision) of \(row.name) are missing")
                }
                previous = (revision, hash)
            }
            guard let previous, previous == (row.revision, row.hash) else {
                throw StoreError.damaged(file: file, "the newest entries of \(row.name) are missing")
            }
        }
    }

    private static func row(_ columns: Row) throws -> LogRow {
        let name: String = columns[1]
        let lineage: String = columns[2]
        guard let log = LogID(name), let lineage = UUID(uuidString: lineage) else {
            throw StoreError(.damaged, "The name or the lineage of the log \(name) is invalid. Restore a backup.")
        }
        return LogRow(id: columns[0], name: log, lineage: lineage, revision: columns[3], hash: try hash(columns[4]))
    }

    private static func bytes(_ data: Data) -> [UInt8] { Array(data) }

    private static func hash(_ bytes: Data) throws -> EntryHash {
        guard let hash = EntryHash(Array(bytes)) else {
            throw StoreError(.damaged, "A hash has \(bytes.count) bytes. Restore a backup.")
        }
        return hash
    }
}
