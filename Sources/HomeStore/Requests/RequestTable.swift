import Foundation
import GRDB
import HomeModel

/// Reads and writes stored requests.
enum RequestTable {
    /// Creates the table, which formats before 3 don't have.
    static func create(_ database: Database) throws {
        // request.place is the order in which requests were carried out. The store has the index in memory, so that
        // writes don't have to update one on the disk.
        try database.execute(
            sql: """
                CREATE TABLE request (
                    place INTEGER PRIMARY KEY,
                    user BLOB NOT NULL,
                    app TEXT NOT NULL,
                    key BLOB NOT NULL,
                    digest BLOB NOT NULL,
                    reply BLOB NOT NULL,
                    time INTEGER NOT NULL
                ) STRICT;
                """
        )
    }

    /// Returns all requests in order.
    static func all(_ database: Database) throws -> [RequestIndex.Request] {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT place, user, app, key, length(reply), time FROM request ORDER BY place"
        )
        var requests: [RequestIndex.Request] = []
        while let row = try rows.next() {
            requests.append(
                RequestIndex.Request(rowID: row[0], key: try key(row, from: 1), bytes: row[4], time: row[5])
            )
        }
        return requests
    }

    /// Returns the receipt with a row ID; `nil` if it was removed in the meantime.
    static func receipt(at rowID: Int64, _ database: Database) throws -> RequestReceipt? {
        let sql = "SELECT user, app, key, digest, reply FROM request WHERE place = ?"
        guard let row = try Row.fetchOne(database, sql: sql, arguments: [rowID]) else { return nil }
        let (digest, reply): (Data, Data) = (row[3], row[4])
        return RequestReceipt(request: try key(row, from: 0), digest: Array(digest), reply: Array(reply))
    }

    /// Stores a request within the open transaction, and removes the oldest ones beyond the limits.
    ///
    /// - Throws: ``StoreError`` with the code `repeated` if the request is already stored.
    static func append(
        _ receipt: RequestReceipt,
        at time: Int64,
        _ changes: inout RequestChanges,
        _ index: RequestIndex,
        _ database: Database
    ) throws {
        guard let steps = index.steps(toAdd: receipt, at: time, &changes) else {
            throw StoreError(.repeated, "The request \(receipt.request.key) was already carried out.")
        }
        if steps.setsClockBack {
            try database.execute(sql: "UPDATE request SET time = ? WHERE time > ?", arguments: [time, time])
        }
        let sql = "INSERT INTO request (place, user, app, key, digest, reply, time) VALUES (?, ?, ?, ?, ?, ?, ?)"
        try database.cachedStatement(sql: sql).execute(
            arguments: [
                steps.rowID, receipt.request.sender.bytes, receipt.request.app, receipt.request.key.bytes,
                Data(receipt.digest), Data(receipt.reply), time,
            ]
        )
        if let last = steps.lastRemoved {
            try database.cachedStatement(sql: "DELETE FROM request WHERE place <= ?").execute(arguments: [last])
        }
    }

    private static func key(_ row: Row, from column: Int) throws -> RequestKey {
        let (sender, key): (Data, Data) = (row[column], row[column + 2])
        guard let sender = UUID(bytes: sender), let key = UUID(bytes: key) else {
            throw StoreError(.damaged, "The key of a stored request is invalid. Restore a backup.")
        }
        return RequestKey(sender: sender, app: row[column + 1], key: key)
    }
}
