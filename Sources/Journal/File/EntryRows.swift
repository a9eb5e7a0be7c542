import Foundation
import GRDB
import GRDBSQLite
import HomeModel
import HubAPI

/// The columns of entries that one statement adds.
///
/// A hub records nearly everything that it does, so this binds the columns to SQLite without a value for each. What isn't
/// a number is in one piece of memory, from which SQLite reads it.
struct EntryRows {
    private enum Column {
        case null
        case number(Int64)
        case text(Range<Int>)
        case bytes(Range<Int>)
    }

    /// The maximum number of entries. Twice as many would make each cheaper by a few percent.
    static let limit = 16
    private static let names = [
        "id", "home", "time", "kind", "object", "parent", "cause", "subject", "person", "app", "content",
    ]
    /// The statements for each number of entries, from one.
    private static let statements = (1...limit).map { count in
        let row = "(\(names.map { _ in "?" }.joined(separator: ", ")))"
        let rows = Array(repeating: row, count: count).joined(separator: ", ")
        return "INSERT OR IGNORE INTO entry (\(names.joined(separator: ", "))) VALUES \(rows)"
    }

    private(set) var count = 0
    private var columns: [Column] = []
    private var memory: [UInt8] = []

    /// Adds an entry.
    ///
    /// - Parameters:
    ///   - content: The content, as ``EntryTable/encode(_:)`` returns it.
    ///   - home: The number of its home.
    mutating func append(_ entry: JournalEntry, content: [UInt8], home: Int64) {
        count += 1
        append(entry.id)
        columns += [
            .number(home), .number(entry.time.milliseconds), .number(Int64(JournalKind(entry.content).rawValue)),
        ]
        append(entry.content.subjects.first?.id)
        append(entry.parent)
        append(entry.cause.kind.rawValue)
        append(entry.cause.subject)
        append(entry.person)
        append(entry.app)
        columns.append(.bytes(append(bytes: content)))
    }

    private mutating func append(_ id: UUID?) {
        guard let id else { return columns.append(.null) }
        columns.append(.bytes(withUnsafeBytes(of: id.uuid) { append(bytes: $0) }))
    }

    private mutating func append(_ text: String?) {
        guard let text else { return columns.append(.null) }
        columns.append(.text(append(bytes: text.utf8)))
    }

    private mutating func append(bytes: some Collection<UInt8>) -> Range<Int> {
        let start = memory.count
        memory.append(contentsOf: bytes)
        return start..<memory.count
    }

    /// Adds the entries to the database, and removes them here. Entries with the ID of another one are ignored.
    ///
    /// - Returns: The number of entries that were added.
    mutating func insert(into database: Database) throws -> Int {
        guard count > 0 else { return 0 }
        let statement = try database.cachedStatement(sql: Self.statements[count - 1]).sqliteStatement
        let code = memory.withUnsafeBytes { memory in
            bind(to: statement, from: memory)
            let code = sqlite3_step(statement)
            sqlite3_reset(statement)
            // The memory isn't valid any more after this.
            sqlite3_clear_bindings(statement)
            return code
        }
        guard code == SQLITE_DONE else {
            let message = database.sqliteConnection.map { String(cString: sqlite3_errmsg($0)) }
            throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
        }
        count = 0
        columns.removeAll(keepingCapacity: true)
        memory.removeAll(keepingCapacity: true)
        return database.changesCount
    }

    private func bind(to statement: SQLiteStatement, from memory: UnsafeRawBufferPointer) {
        for (number, column) in zip(Int32(1)..., columns) {
            switch column {
            case .null: sqlite3_bind_null(statement, number)
            case .number(let value): sqlite3_bind_int64(statement, number, value)
            case .text(let range):
                let text = memory[range].assumingMemoryBound(to: CChar.self)
                sqlite3_bind_text(statement, number, text.baseAddress, Int32(range.count), nil)
            case .bytes(let range):
                let bytes = UnsafeRawBufferPointer(rebasing: memory[range])
                sqlite3_bind_blob(statement, number, bytes.baseAddress, Int32(range.count), nil)
            }
        }
    }
}
