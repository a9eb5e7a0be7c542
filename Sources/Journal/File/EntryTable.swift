import Foundation
import GRDB
import HomeModel
import HubAPI

/// Reads and writes the entries in a journal's database.
enum EntryTable {
    /// What an entry's row has besides its columns.
    private struct Body: Decodable {
        var content: JournalContent
        var names: [JournalObject]?
        var device: String?
        var way: Way?
    }

    private static let columns = "entry.id, home.id, time, parent, cause, subject, person, app, content"
    private static let source = "entry JOIN home ON home.number = entry.home"

    // MARK: Writing

    /// Returns the content of an entry as it is stored.
    static func encode(_ entry: JournalEntry) throws -> [UInt8] {
        var json = Array(#"{"content":"#.utf8) + (try entry.content.json())
        if !entry.names.isEmpty { json += #","names":"#.utf8 + (try JSONEncoder().encode(entry.names)) }
        if let device = entry.device { json += #","device":"#.utf8 + (try JSONEncoder().encode(device)) }
        if let way = entry.way { json += #","way":"#.utf8 + (try JSONEncoder().encode(way)) }
        json += "}".utf8
        return json
    }

    /// Adds entries in their order. An entry with the ID of another one is ignored.
    ///
    /// - Parameter entries: The entries with their contents, as ``encode(_:)`` returns them.
    /// - Returns: The number of entries that were added.
    static func add(_ entries: [JournalTransaction.Prepared], _ database: Database) throws -> Int {
        var added = 0
        var homes: [UUID: Int64] = [:]
        var rows = EntryRows()
        for (entry, content) in entries {
            let home = try homes[entry.home] ?? number(ofHome: entry.home, database)
            homes[entry.home] = home
            let others = entry.content.subjects.dropFirst()
            if rows.count == EntryRows.limit || !others.isEmpty { added += try rows.insert(into: database) }
            rows.append(entry, content: content, home: home)
            if !others.isEmpty, try rows.insert(into: database) == 1 {
                added += 1
                try add(others, mentionedBy: database.lastInsertedRowID, database)
            }
        }
        return added + (try rows.insert(into: database))
    }

    /// Adds the objects that an entry is about besides the main one.
    private static func add(
        _ objects: ArraySlice<JournalObject>,
        mentionedBy row: Int64,
        _ database: Database
    ) throws {
        let mention = try database.cachedStatement(sql: "INSERT OR IGNORE INTO mention (object, row) VALUES (?, ?)")
        for object in objects { try mention.execute(arguments: [object.id.bytes, row]) }
    }

    /// Returns the number of a home, which is stored if it is new.
    static func number(ofHome home: UUID, _ database: Database) throws -> Int64 {
        let find = try database.cachedStatement(sql: "SELECT number FROM home WHERE id = ?")
        if let number = try Int64.fetchOne(find, arguments: [home.bytes]) { return number }
        try database.execute(sql: "INSERT INTO home (id) VALUES (?)", arguments: [home.bytes])
        return database.lastInsertedRowID
    }

    // MARK: Removing

    /// Removes old entries: those from before a time, and the oldest beyond the maximum.
    ///
    /// - Parameters:
    ///   - excess: The number of entries beyond the maximum.
    ///   - limit: The maximum number of entries from before the time that are removed.
    /// - Returns: The number of removed entries, and whether more are due.
    static func prune(
        before time: Date,
        excess: Int,
        limit: Int,
        _ database: Database
    ) throws -> (removed: Int, isMoreDue: Bool) {
        // Most transactions have nothing to remove, and to find that out costs a fraction of the removals.
        let find = try database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM entry WHERE time < ?)")
        var aged = 0
        if try Bool.fetchOne(find, arguments: [time.milliseconds]) == true {
            aged = try remove(
                "SELECT row FROM entry WHERE time < ? ORDER BY time LIMIT ?",
                [time.milliseconds, limit],
                database
            )
        }
        let beyond = excess - aged
        guard beyond > 0 else { return (aged, aged == limit) }
        let step = min(beyond, limit)
        let removed = try remove("SELECT row FROM entry ORDER BY row LIMIT ?", [step], database)
        return (aged + removed, aged == limit || step < beyond)
    }

    private static func remove(_ rows: String, _ arguments: StatementArguments, _ database: Database) throws -> Int {
        // At its limit, the journal removes rows in every transaction, and preparing takes longer than running.
        for table in ["mention", "entry"] {
            let statement = try database.cachedStatement(sql: "DELETE FROM \(table) WHERE row IN (\(rows))")
            try statement.execute(arguments: arguments)
        }
        return database.changesCount
    }

    // MARK: Reading

    /// Returns the number of entries.
    static func count(_ database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0
    }

    /// Returns the selected entries, newest first.
    ///
    /// - Throws: ``JournalError`` with `noSuchEntry` if the journal doesn't have the entry to continue from.
    static func entries(_ selection: JournalSelection, _ database: Database) throws -> [JournalEntry] {
        let request = try request(selection, database)
        return try Row.fetchAll(database, sql: request.sql, arguments: request.arguments).compactMap(entry)
    }

    /// Returns the statement that selects entries.
    static func request(
        _ selection: JournalSelection,
        _ database: Database
    ) throws -> (sql: String, arguments: StatementArguments) {
        var bounds: [String] = []
        var arguments: StatementArguments = ["home": selection.home.bytes, "limit": selection.limit]
        if let id = selection.before {
            guard let row = try row(of: id, in: selection.home, database) else {
                throw JournalError(.noSuchEntry, "The journal has no entry \(id.uuidString), or no longer has it.")
            }
            bounds.append("entry.row < :before")
            _ = arguments.append(contentsOf: ["before": row])
        }
        if let since = selection.since {
            // Entries are in the order of recording. No entry that was recorded before the first of these is late enough.
            bounds.append(
                "entry.row >= (SELECT min(row) FROM entry INDEXED BY entryByTime WHERE time >= :since) AND entry.time >= :since"
            )
            _ = arguments.append(contentsOf: ["since": since.milliseconds])
        }
        var conditions = ["home.id = :home"]
        if let about = selection.about {
            conditions.append("entry.row IN (\(rowsAbout(kinds: selection.kinds, bounds)))")
            _ = arguments.append(contentsOf: ["about": about.bytes])
        } else {
            // The unary plus keeps SQLite from choosing an index for the kind.
            conditions += bounds + ["+entry.kind IN (\(list(selection.kinds)))"]
        }
        let order = "ORDER BY entry.row DESC LIMIT :limit"
        return ("SELECT \(columns) FROM \(source) WHERE \(conditions.joined(separator: " AND ")) \(order)", arguments)
    }

    /// Returns a statement that selects the newest rows about an object: of each kind, and those that mention it.
    private static func rowsAbout(kinds: Set<JournalKind>, _ bounds: [String]) -> String {
        let main = kinds.map { "entry WHERE object = :about AND kind = \($0.rawValue)" }.sorted()
        let mentions = "mention JOIN entry ON entry.row = mention.row WHERE mention.object = :about"
        return (main + [mentions + " AND +entry.kind IN (\(list(kinds)))"])
            .map { source in
                let conditions = ([source] + bounds).joined(separator: " AND ")
                return "SELECT * FROM (SELECT entry.row FROM \(conditions) ORDER BY entry.row DESC LIMIT :limit)"
            }
            .joined(separator: " UNION ALL ")
    }

    private static func list(_ kinds: Set<JournalKind>) -> String {
        kinds.map(\.rawValue).sorted().map { "\($0)" }.joined(separator: ", ")
    }

    /// A row of the newest entries about an object, whose content isn't decoded yet.
    struct CandidateRow {
        /// The entry's number in the order of recording.
        var number: Int64
        /// The entry that caused it.
        var parent: UUID?
        fileprivate var columns: Row

        /// Decodes the entry; `nil` if a newer version wrote content that this version doesn't know.
        func entry() -> JournalEntry? { EntryTable.entry(columns) }
    }

    /// Returns the newest entries of one kind that are mainly about an object.
    static func latest(
        _ kind: JournalKind,
        of object: UUID,
        in home: UUID,
        limit: Int,
        _ database: Database
    ) throws -> [CandidateRow] {
        let statement = try database.cachedStatement(sql: latestStatement)
        let arguments: StatementArguments = [object.bytes, kind.rawValue, home.bytes, limit]
        return try Row.fetchAll(statement, arguments: arguments).map { row in
            CandidateRow(
                number: row[columnCount],
                parent: (row[parentColumn] as Data?).flatMap(UUID.init(bytes:)),
                columns: row
            )
        }
    }

    static let latestStatement = """
        SELECT \(columns), entry.row FROM \(source) WHERE object = ? AND kind = ? AND home.id = ?
        ORDER BY entry.row DESC LIMIT ?
        """
    private static let columnCount = 9
    private static let parentColumn = 3

    /// Returns the entry with an ID.
    static func entry(_ id: UUID, in home: UUID, _ database: Database) throws -> JournalEntry? {
        let statement = try database.cachedStatement(sql: entryStatement)
        return try Row.fetchOne(statement, arguments: [id.bytes, home.bytes]).flatMap(entry)
    }

    static let entryStatement = "SELECT \(columns) FROM \(source) WHERE entry.id = ? AND home.id = ?"

    private static func row(of id: UUID, in home: UUID, _ database: Database) throws -> Int64? {
        let sql = "SELECT row FROM \(source) WHERE entry.id = ? AND home.id = ?"
        return try Int64.fetchOne(database, sql: sql, arguments: [id.bytes, home.bytes])
    }

    /// Returns the entry of a row; `nil` if a newer version wrote content that this version doesn't know.
    private static func entry(_ row: Row) -> JournalEntry? {
        guard let id = UUID(bytes: row[0]), let home = UUID(bytes: row[1]),
            let body = try? JSONDecoder().decode(Body.self, from: row[8] as Data)
        else { return nil }
        return JournalEntry(
            id: id,
            home: home,
            time: Date(timeIntervalSince1970: Double(row[2] as Int64) / 1_000),
            parent: (row[3] as Data?).flatMap(UUID.init(bytes:)),
            cause: Cause(
                kind: Cause.Kind(rawValue: row[4]),
                subject: (row[5] as Data?).flatMap(UUID.init(bytes:))
            ),
            person: row[6],
            app: row[7],
            device: body.device,
            way: body.way,
            content: body.content,
            names: body.names ?? []
        )
    }
}
