import Foundation
import GRDB
import HomeModel

/// Creates, checks and opens the database file.
enum DatabaseFile {
    /// Identifies the file as a hub's database in the place that SQLite provides for applications: "Hrth".
    static let applicationID: Int32 = 0x4872_7468

    private static let readerCount = 2
    private static let busySeconds = 5.0
    /// SQLite's number for the level that guarantees a commit to be on the disk.
    private static let fullSynchronous = 2

    /// Creates an empty database. It gets its final name when it is complete, so an incomplete database is never the
    /// result of an interrupted creation.
    static func create(_ folder: DataFolder) throws {
        let path = folder.unfinishedDatabasePath
        removeLeftovers(path)
        try createFile(path)
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            // Set first: if a later change of this mode were interrupted, the database would depend on a journal.
            try database.execute(sql: "PRAGMA journal_mode = \(JournalMode.writeAhead.rawValue)")
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.inTransaction {
                try Schema.create(database)
                return .commit
            }
        }
        try queue.close()
        try moveIntoPlace(path, as: folder.databasePath)
    }

    /// Migrates a database from an earlier format in one transaction, after copying it to a file next to it. The copy
    /// never replaces another one. If an identical copy is left from an interrupted migration, no second one is made.
    static func migrate(_ folder: DataFolder, from format: Int) throws {
        let unfinished = folder.unfinishedDatabasePath
        removeLeftovers(unfinished)
        let source = try reader(folder.databasePath)
        try copy(source, to: unfinished, journal: .rollback)
        try source.close()
        if let path = folder.copyPath(format: format, of: unfinished) {
            try moveIntoPlace(unfinished, as: path)
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

    /// Changes a database that isn't open elsewhere, in one transaction.
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

    /// The journal for uncommitted changes.
    enum JournalMode: String {
        /// A write-ahead log next to the database, for a database in use.
        case writeAhead = "WAL"
        /// A journal that exists only during a transaction, for a copy that must be complete in one file.
        case rollback = "DELETE"
    }

    /// Writes a consistent copy of a database to a new file.
    static func copy(_ source: some DatabaseReader, to path: String, journal: JournalMode) throws {
        try createFile(path)
        let copy = try DatabaseQueue(path: path, configuration: configuration())
        try source.backup(to: copy)
        try copy.writeWithoutTransaction { try $0.execute(sql: "PRAGMA journal_mode = \(journal.rawValue)") }
        try copy.close()
    }

    /// Writes a database anew, without the pages that aren't used any more.
    static func vacuum(_ path: String) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { try $0.execute(sql: "VACUUM") }
        try queue.close()
    }

    /// Gives a complete file its final name, durably.
    static func moveIntoPlace(_ unfinished: String, as path: String) throws {
        try sync(unfinished)
        guard rename(unfinished, path) == 0 else {
            throw StoreError(.inputOutput, "\(path) can't be created: \(String(cString: strerror(errno))).")
        }
        try sync(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    }

    /// Removes the additional files that a reader left next to a database that isn't open.
    ///
    /// - Throws: ``StoreError`` with `inputOutput` if the write-ahead log isn't empty. Its changes aren't in the
    ///   database yet and would be lost.
    static func removeSidecars(_ path: String) throws {
        guard isEmpty(path + "-wal") else {
            throw StoreError(
                .inputOutput,
                "\(path)-wal has changes that aren't in the database yet. Close all programs that use it, and try again."
            )
        }
        for sidecar in [path + "-wal", path + "-shm"] { unlink(sidecar) }
    }

    /// Removes the files of an interrupted attempt to create a database.
    static func removeLeftovers(_ path: String) {
        for leftover in [path, path + "-journal", path + "-wal", path + "-shm"] { unlink(leftover) }
    }

    /// Opens a checked database for reading and writing.
    static func open(_ path: String) throws -> DatabasePool {
        let pool = try DatabasePool(path: path, configuration: configuration())
        // This can't be part of the configuration, because the pool sets a weaker level while it opens.
        try pool.writeWithoutTransaction { database in
            try database.setDurable(true)
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == fullSynchronous else {
                throw StoreError(.inputOutput, "SQLite does not write \(path) through to the disk.")
            }
        }
        return pool
    }

    /// Closes a database on a separate thread. Closing waits for readers, which need the threads that tasks run on. If
    /// all of those threads waited here, the readers would never finish.
    static func close(_ database: DatabasePool) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try database.close() })
            }
        }
    }

    /// Checks, without changing it, that a database is a hub's, has a supported format, is intact, and that the hashes
    /// of its entries match.
    static func check(_ path: String) throws -> DatabaseContent {
        try checkHeader(path)
        let queue = try reader(path)
        defer { try? queue.close() }
        return try queue.read { database in
            guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID else {
                throw StoreError(.damaged, "\(path) is a database, but not a hub's. It was left unchanged.")
            }
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            guard version <= Schema.version else {
                throw StoreError(
                    .futureFormat,
                    "\(path) was written by a newer version (format \(version); this version supports up to"
                        + " \(Schema.version)). Use the newer version. The file was left unchanged."
                )
            }
            guard version >= Schema.firstVersion else {
                throw StoreError.damaged(file: path, "its format \(version) doesn't exist")
            }
            let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard finding == "ok" else { throw StoreError.damaged(file: path, finding ?? "it can't be checked") }
            try LogTable.checkChains(database, file: path)
            if version == Schema.version { try VoterTable.check(database, file: path) }
            return DatabaseContent(
                format: version,
                requests: version < Schema.version ? [] : try RequestTable.all(database)
            )
        }
    }

    /// Checks the header and the size. SQLite would open an empty file as an empty database, so an empty home would
    /// replace a full one. It also accepts a truncated last page, which is only valid together with a write-ahead log.
    private static func checkHeader(_ path: String) throws {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        let header = Array(try file.read(upToCount: Header.length) ?? Data())
        guard header.prefix(Header.magic.count).elementsEqual(Header.magic) else {
            throw StoreError.damaged(file: path, header.isEmpty ? "it is empty" : "it is not a database")
        }
        guard header.count == Header.length else { throw StoreError.damaged(file: path, "it is truncated") }
        let stored = Int(header[Header.pageSize]) << 8 | Int(header[Header.pageSize + 1])
        let pageSize = stored == Header.largestPageSizeMark ? Header.largestPageSize : stored
        guard pageSize > 0 else { throw StoreError.damaged(file: path, "its page size is 0") }
        guard header[Header.journalModes].allSatisfy(Header.knownJournalModes.contains) else {
            throw StoreError.damaged(file: path, "only a newer SQLite can read or write it")
        }
        let isWhole = try file.seekToEnd().isMultiple(of: UInt64(pageSize))
        guard isWhole || !isEmpty(path + "-wal") else { throw StoreError.damaged(file: path, "it is truncated") }
    }

    /// The header of a database file. Source: SQLite's "Database File Format", section 1.3.
    private enum Header {
        static let magic = Array("SQLite format 3\0".utf8)
        static let length = 100
        /// The offset of the page size, in two bytes, high byte first.
        static let pageSize = 16
        /// The offsets of the journal modes for writing and reading.
        static let journalModes = 18...19
        /// Rollback journal and write-ahead log.
        static let knownJournalModes: ClosedRange<UInt8> = 1...2
        /// The value for a size that doesn't fit into two bytes.
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
            // Deleted data is overwritten whenever its page is written, so that removed keys don't linger.
            try database.execute(sql: "PRAGMA secure_delete = FAST")
        }
        return configuration
    }

    private static func createFile(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, FileMode.ownerFile)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) can't be created: \(String(cString: strerror(errno))).")
        }
        Foundation.close(descriptor)
    }

    /// Waits until a file's content or a folder's entries are on the disk.
    private static func sync(_ path: String) throws {
        let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) can't be opened: \(String(cString: strerror(errno))).")
        }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError(.inputOutput, "\(path) can't be written: \(String(cString: strerror(errno))).")
        }
    }
}

/// The result of checking a database.
struct DatabaseContent: Sendable {
    /// The format of the database.
    var format = Schema.version
    /// The stored requests in order; empty for an earlier format.
    var requests: [RequestIndex.Request] = []
}
