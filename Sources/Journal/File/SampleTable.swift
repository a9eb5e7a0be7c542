import Foundation
import GRDB

/// Reads and writes the samples in a journal's database.
enum SampleTable {
    // MARK: Writing

    /// Stores a sample, in place of an earlier one of the same minute.
    ///
    /// - Returns: Whether the number of samples has grown.
    static func put(_ sample: JournalSample, series: Int64, _ database: Database) throws -> Bool {
        let time = Int64((sample.time.timeIntervalSince1970 * 1_000).rounded())
        let update = try database.cachedStatement(
            sql: "UPDATE sample SET time = ?, value = ? WHERE series = ? AND minute = ?"
        )
        try update.execute(arguments: [time, sample.value, series, sample.minute])
        if database.changesCount > 0 { return false }
        let insert = try database.cachedStatement(
            sql: "INSERT INTO sample (series, minute, time, value) VALUES (?, ?, ?, ?)"
        )
        try insert.execute(arguments: [series, sample.minute, time, sample.value])
        return true
    }

    /// Returns the number of a characteristic's series, which is stored if it is new.
    static func series(of source: JournalSample.Source, _ database: Database) throws -> Int64 {
        let arguments: StatementArguments = [
            source.accessory.bytes, Int64(bitPattern: source.iid), source.home.bytes,
        ]
        let find = try database.cachedStatement(
            sql: "SELECT number FROM series WHERE accessory = ? AND iid = ? AND home = ?"
        )
        if let number = try Int64.fetchOne(find, arguments: arguments) { return number }
        try database.execute(
            sql: "INSERT OR REPLACE INTO series (accessory, iid, home) VALUES (?, ?, ?)",
            arguments: arguments
        )
        return database.lastInsertedRowID
    }

    // MARK: Removing

    /// Removes old samples: those from before a time, and the oldest beyond the maximum.
    static func prune(
        before time: Date,
        excess: Int,
        limit: Int,
        _ database: Database
    ) throws -> (removed: Int, isMoreDue: Bool) {
        let minute = Int64((time.timeIntervalSince1970 / 60).rounded(.down))
        let find = try database.cachedStatement(
            sql: "SELECT EXISTS (SELECT 1 FROM sample INDEXED BY sampleByMinute WHERE minute < ?)"
        )
        var aged = 0
        if try Bool.fetchOne(find, arguments: [minute]) == true {
            aged = try remove(
                "SELECT series, minute FROM sample INDEXED BY sampleByMinute WHERE minute < ? ORDER BY minute LIMIT ?",
                [minute, limit],
                database
            )
        }
        let beyond = excess - aged
        guard beyond > 0 else { return (aged, aged == limit) }
        let step = min(beyond, limit)
        let removed = try remove(
            "SELECT series, minute FROM sample INDEXED BY sampleByMinute ORDER BY minute LIMIT ?",
            [step],
            database
        )
        return (aged + removed, aged == limit || step < beyond)
    }

    private static func remove(_ keys: String, _ arguments: StatementArguments, _ database: Database) throws -> Int {
        let statement = try database.cachedStatement(sql: "DELETE FROM sample WHERE (series, minute) IN (\(keys))")
        try statement.execute(arguments: arguments)
        return database.changesCount
    }

    /// Removes the series that have no samples left.
    static func removeEmptySeries(_ database: Database) throws {
        try database.execute(
            sql: "DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM sample WHERE sample.series = series.number)"
        )
    }

    // MARK: Reading

    /// Returns the number of samples.
    static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM sample") ?? 0
    }

    /// Returns the samples of an accessory since a time, the oldest if there are more than the limit.
    static func samples(
        of accessory: UUID,
        in home: UUID,
        since: Date,
        limit: Int,
        _ database: Database
    ) throws -> [JournalSample] {
        let series = try Row.fetchAll(
            database,
            sql: "SELECT number, iid FROM series WHERE accessory = ? AND home = ? ORDER BY iid",
            arguments: [accessory.bytes, home.bytes]
        )
        let milliseconds = Int64((since.timeIntervalSince1970 * 1_000).rounded(.up))
        var samples: [JournalSample] = []
        for row in series {
            let source = JournalSample.Source(
                home: home,
                accessory: accessory,
                iid: UInt64(bitPattern: row["iid"] as Int64)
            )
            let found = try Row.fetchAll(
                database,
                sql: """
                    SELECT time, value FROM sample WHERE series = ? AND minute >= ? AND time >= ?
                    ORDER BY minute LIMIT ?
                    """,
                arguments: [row["number"] as Int64, milliseconds / 60_000 - 1, milliseconds, limit]
            )
            samples += found.map { row in
                JournalSample(
                    source,
                    time: Date(timeIntervalSince1970: Double(row["time"] as Int64) / 1_000),
                    value: row["value"]
                )
            }
        }
        guard samples.count > limit else { return samples }
        // The same time limits all characteristics, so that the reader continues after it.
        return Array(samples.sorted { $0.time < $1.time }.prefix(limit))
    }
}
