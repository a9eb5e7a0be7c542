import Foundation
import GRDB
import HomeModel

/// Makes, checks and opens the database's file.
enum DatabaseFile {
    /// Marks the file as ours, where SQLite lets an application do so: "Hrth".
    static let applicationID: Int32 = 0x4872_7468

    private static let readerCount = 2
    private static let busySeconds = 5.0
    /// SQLite's number for the level at which a commit is on the disk when it returns.
    private static let fullSynchronous = 2

    /// Creates an empty database. It gets its name when it is whole, so that a database that is not whole is never one
    /// whose making was cut short.
    static func create(_ folder: DataFolder) throws {
        let path = folder.unfinishedDatabasePath
        removeLeftovers(path)
        try createFile(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            // From the start: a change of this mode that is cut short would leave a journal behind, without which the
            // database is not whole.
            try database.execute(sql: "PRAGMA journal_mode = \(JournalMode.writeAhead.rawValue)")
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.inTransaction {
                try Schema.create(database)
                return .commit
            }
        }
        try queue.close()
        try giveName(folder.databasePath, to: path)
    }

    /// Makes a database of an earlier format one of this version's, in one transaction, after it was copied beside it.
    /// The copy takes no other copy's name. After a migration that was cut short the copy is there already, and is kept
    /// once.
    static func migrate(_ folder: DataFolder, from format: Int) throws {
        let unfinished = folder.unfinishedDatabasePath
        removeLeftovers(unfinished)
        let source = try reader(folder.databasePath)
        try copy(source, to: unfinished, journal: .rollback)
        try source.close()
        if let path = folder.copyPath(format: format, of: unfinished) {
            try giveName(path, to: unfinished)
        } else {
            removeLeftovers(unfinished)
        }
        try change(folder.databasePath) { try Schema.migrate($0, from: format) }
    }

    /// Opens a database for reading only.
    static func reader(_ path: String) throws -> DatabaseQueue {
        var configuration = configuration()
        configuration.readonly = true
        return try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Changes a database that nobody else has open, in one transaction.
    static func change(_ path: String, _ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try database.inTransaction(.immediate) {
                try body(database)
                return .commit
            }
        }
        try queue.close()
    }

    /// How a database keeps what a transaction changes until it is committed.
    enum JournalMode: String {
        /// In a log beside it: for a database that is written.
        case writeAhead = "WAL"
        /// In a file that is not there in between: for a copy, which so is whole in one file.
        case rollback = "DELETE"
    }

    /// Copies a database into a file that is not there, as it is at one moment.
    static func copy(_ source: some DatabaseReader, to path: String, journal: JournalMode) throws {
        try createFile(path)
        let copy = try DatabaseQueue(path: path, configuration: configuration())
        try source.backup(to: copy)
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(journal.rawValue)") }
        try copy.close()
    }

    /// Gives a whole file its name, for good.
    static func giveName(_ path: String, to unfinished: String) throws {
        try sync(unfinished)
        guard rename(unfinished, path) == 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be made: \(String(cString: strerror(errno))).")
        }
        try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Removes what a reader has left beside a whole database that nobody has open.
    ///
    /// - Throws: ``StoreError`` with `inputOutput` if the write-ahead log isn't empty: what it holds isn't in the database
    ///   yet, and would be lost.
    static func removeSidecars(_ path: String) throws {
        guard isEmpty(path + "-wal") else {
            throw StoreError(
                .inputOutput,
                "\(path)-wal holds changes that were not written into the database. Close whatever has it open, and retry."
            )
        }
        for sidecar in [path + "-wal", path + "-shm"] { unlink(sidecar) }
    }

    /// Removes what an attempt that was cut short has left of a database.
    static func removeLeftovers(_ path: String) {
        for leftover in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(leftover) }
    }

    /// Opens a database that was checked, for reading and writing.
    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration())
        // The pool sets a weaker level of its own while it opens, so this cannot be part of the configuration.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == fullSynchronous else {
                throw StoreError(.inputOutput, "SQLite does not write \(path) through to the disk.")
            }
        }
        return pool
    }

    /// Closes a database on a thread of its own: it waits for readers, which end on threads that tasks run on. Were those
    /// threads all waiting here, the readers would never end.
    static func close(_ database: DatabasePool) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try database.close() })
            }
        }
    }

    /// Checks a database without changing it: that it is ours, of a format that this version knows, whole, and that
    /// the entries' hashes fit.
    static func check(_ path: String) throws -> DatabaseContent {
        try checkHeader(path)
        let queue = try reader(path)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
                throw StoreError(.damaged, "\(path) is a database, but none of a hub. It was left as it is.")
            }
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard version <= Schema.version else {
                throw StoreError(
                    .futureFormat,
                    "\(path) was written by a later version (format \(version); this one knows \(Schema.version)):"
                        + " use that version. It was left as it is."
                )
            }
            guard version >= Schema.firstVersion else {
                throw StoreError.damaged(file: path, "it has format \(version), which never was")
            }
            let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard finding == "ok" else { throw StoreError.damaged(file: path, finding ?? "it cannot be checked") }
            try LogTable.checkChains(database, file: path)
            return DatabaseContent(
                format: version,
                requests: version < Schema.version ? [] : try RequestTable.all(database)
            )
        }
    }

    /// SQLite takes an empty file for an empty database, and there must never be an empty home instead of a full one.
    /// Nor does it mind a last page that is cut short; only while there is a write-ahead log may that be so.
    private static func checkHeader(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let header = Array(try file.read(upToCount: Header.length) ?? Data())
        guard header.prefix(Header.magic.count).elementsEqual(Header.magic) else {
            throw StoreError.damaged(file: path, header.isEmpty ? "it is empty" : "it is no database")
        }
        guard header.count == Header.length else { throw StoreError.damaged(file: path, "it is cut short") }
        let stored = Int(header[Header.pageSize]) << 8 | Int(header[Header.pageSize + 1])
        let pageSize = stored == Header.largestPageSizeMark ? Header.largestPageSize : stored
        guard pageSize > 0 else { throw StoreError.damaged(file: path, "its pages have no size") }
        guard header[Header.journalModes].allSatisfy(Header.knownJournalModes.contains) else {
            throw StoreError.damaged(file: path, "it says that only a newer SQLite can read or write it")
        }
        let isWhole = try file.seekToEnd().isMultiple(of: UInt64(pageSize))
        guard isWhole || !isEmpty(path + "-wal") else { throw StoreError.damaged(file: path, "it is cut short") }
    }

    /// The header of a database file. Source: SQLite's "Database File Format", section 1.3.
    private enum Header {
        static let magic = Array("SQLite format 3\0".utf8)
        static let length = 100
        /// Where the page size is: two bytes, the higher one first.
        static let pageSize = 16
        /// Where it says by which sort of journal it is written and read.
        static let journalModes = 18...19
        /// A rollback journal, or a write-ahead log.
        static let knownJournalModes: ClosedRange<UInt8> = 1...2
        /// Stands for a size that does not fit into two bytes.
        static let largestPageSizeMark = 1
        static let largestPageSize = 65_536
    }

    private static func isEmpty(_ path: String) -> Bool {
        let size = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? NSNumber
        return (size?.intValue ?? 0) == 0
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readerCount
        configuration.busyMode = .timeout(busySeconds)
        configuration.prepareDatabase { database in
            // What is deleted is overwritten wherever its page is written anyway: removed keys do not linger.
            try database.execute(sql: "PRAGMA secure_delete = FAST")
        }
        return configuration
    }

    private static func createFile(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FileMode.ownerFile)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be made: \(String(cString: strerror(errno))).")
        }
        Foundation.close(descriptor)
    }

    /// Waits until a file's content, or a folder's names, are on the disk.
    private static func sync(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be opened: \(String(cString: strerror(errno))).")
        }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }
}

/// What a check of a database found.
struct DatabaseContent: Sendable {
    /// The format that it has.
    var format = Schema.version
    /// The requests that were carried out, in their order; none of a former format.
    var requests: [RequestIndex.Request] = []
}
