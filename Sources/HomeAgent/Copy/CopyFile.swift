import Foundation
import GRDB
import HomeModel
import HubAPI
import Logging

/// The file of a hub's copy: rows of records, positions and last values.
final class CopyFile: Sendable {
    // This is a class because it owns an open database.

    /// Identifies the file in the place that SQLite provides for applications: "HrtC".
    private static let applicationID: Int32 = 0x4872_7443
    /// The version of the format.
    static let version = 1

    /// The result of opening a file.
    struct Opened {
        /// The file; `nil` if the copy is in memory only.
        var file: CopyFile?
        /// What the file has.
        var state = CopyState()
        /// What the file has of the hub's feed; `nil` for nothing.
        var feed: CopyFeed?
    }

    /// The file's path.
    let path: String
    private let database: DatabaseQueue

    private init(path: String, database: DatabaseQueue) {
        self.path = path
        self.database = database
    }

    /// Opens a file and reads it. A damaged one is replaced. One of a newer version, or one that can't be read now, such as on
    /// a full disk, is left alone.
    static func open(at path: String, log: Logger) -> Opened {
        do {
            return try read(path)
        } catch CopyFileError.newer(let version) {
            log.warning(
                "A newer version of Hearth wrote the copy of the homes. It is left alone, and this one is kept in memory only.",
                metadata: ["file": "\(path)", "version": "\(version)"]
            )
            return Opened()
        } catch  where !isDamage(error) {
            log.warning(
                "The copy of the homes can't be opened. It is left alone, and this one is kept in memory only.",
                metadata: ["file": "\(path)", "error": "\(error)"]
            )
            return Opened()
        } catch {
            log.warning(
                "The copy of the homes was damaged and is made anew.",
                metadata: ["file": "\(path)", "error": "\(error)"]
            )
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            do {
                return try read(path)
            } catch {
                log.warning(
                    "The copy of the homes can't be stored. It is kept in memory only.",
                    metadata: ["file": "\(path)", "error": "\(error)"]
                )
                return Opened()
            }
        }
    }

    /// Returns whether an error says that the file's content is wrong, not that the disk is full or fails.
    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case CopyFileError.inputOutput: false
        case let error as DatabaseError: [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR].contains(error.resultCode)
        default: true
        }
    }

    private static func read(_ path: String) throws -> Opened {
        // SQLite gives its additional files the mode of this one.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw CopyFileError.inputOutput(String(cString: strerror(errno))) }
        fchmod(descriptor, S_IRUSR | S_IWUSR)
        let size = lseek(descriptor, 0, SEEK_END)
        Glibc.close(descriptor)
        if size > 0 { try checkVersion(path) }
        var configuration = Configuration()
        configuration.journalMode = .wal
        let database = try DatabaseQueue(path: path, configuration: configuration)
        let file = CopyFile(path: path, database: database)
        do {
            try database.writeWithoutTransaction { database in
                let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
                if version == 0 {
                    try create(database)
                } else {
                    guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == applicationID,
                        try String.fetchOne(database, sql: "PRAGMA quick_check(1)") == "ok"
                    else { throw CopyFileError.damaged }
                }
                // Earlier versions knew no feeds, and ignore the table.
                try database.execute(sql: "CREATE TABLE IF NOT EXISTS feed (body BLOB NOT NULL)")
            }
            return try database.read { database in
                let rows = CopyTransaction(database: database)
                return Opened(file: file, state: try rows.state(), feed: try rows.feed())
            }
        } catch {
            try? database.close()
            throw error
        }
    }

    /// Checks that this version can read the file, before anything writes to it: opening it for writing does.
    private static func checkVersion(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? database.close() }
        let version = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
        if version > Self.version { throw CopyFileError.newer(version) }
    }

    private static func create(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(
                sql: """
                    PRAGMA application_id = \(applicationID);
                    CREATE TABLE fact (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
                    CREATE TABLE log (
                        home TEXT PRIMARY KEY NOT NULL, lineage TEXT NOT NULL, revision INTEGER NOT NULL, user TEXT
                    ) WITHOUT ROWID;
                    CREATE TABLE key (home TEXT PRIMARY KEY NOT NULL, bytes BLOB NOT NULL) WITHOUT ROWID;
                    CREATE TABLE record (
                        position INTEGER PRIMARY KEY AUTOINCREMENT, home TEXT NOT NULL, kind TEXT NOT NULL,
                        id TEXT NOT NULL, body BLOB NOT NULL, UNIQUE (home, kind, id)
                    );
                    CREATE TABLE value (
                        home TEXT NOT NULL, accessory TEXT NOT NULL, body BLOB NOT NULL, PRIMARY KEY (home, accessory)
                    ) WITHOUT ROWID;
                    CREATE TABLE run (id TEXT PRIMARY KEY NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
                    PRAGMA user_version = \(version);
                    """
            )
            return .commit
        }
    }

    /// Writes in a transaction.
    func write(_ body: (CopyTransaction) throws -> Void) throws {
        try database.write { try body(CopyTransaction(database: $0)) }
    }

    /// Closes the file.
    func close() {
        // What is committed is in the write-ahead log even if the database doesn't close cleanly.
        try? database.close()
    }
}

/// Why a copy can't be read.
enum CopyFileError: Error {
    /// Its content isn't what an agent writes.
    case damaged
    /// A newer version wrote it.
    case newer(Int)
    /// The file system reported an error.
    case inputOutput(String)
}
