import Foundation
import GRDB
import RelayAPI

/// Creates, checks and opens the database of a relay.
enum RelayDatabase {
    /// The name of the file in the data folder.
    static let name = "relay.sqlite"
    /// The version of the tables. A change of the tables needs a higher one, and a migration.
    static let version = 3
    /// Identifies the file as a relay's database in the place that SQLite provides for applications: "Hrly".
    static let applicationID: Int32 = 0x4872_6C79

    private static let busySeconds = 5.0
    /// The maximum number of reads at a time.
    private static let readerCount = 4
    /// SQLite's number for the level that guarantees a commit to be on the disk.
    private static let fullSynchronous = 2
    private static let ownerFile: mode_t = 0o600

    /// Opens the database of a folder, which is created if there is none.
    static func open(in folder: String) throws -> DatabasePool {
        let path = folder + "/" + name
        if FileManager.default.fileExists(atPath: path) {
            let found = try check(path)
            if found < version { try migrate(path, from: found) }
        } else {
            try create(path, in: folder)
        }
        let pool = try DatabasePool(path: path, configuration: configuration())
        // This can't be part of the configuration, because the pool sets a weaker level while it opens.
        try pool.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == fullSynchronous else {
                throw RelayStoreError.failure("SQLite doesn't write \(path) through to the disk.")
            }
        }
        return pool
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readerCount
        configuration.busyMode = .timeout(busySeconds)
        return configuration
    }

    /// Creates the database, inaccessible to others. It gets its name when it is complete, so that an interrupted start
    /// leaves nothing that looks like an emptied database.
    private static func create(_ path: String, in folder: String) throws {
        let unfinished = path + ".new"
        for leftover in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + leftover) }
        let descriptor = Foundation.open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, ownerFile)
        guard descriptor >= 0 else { throw systemFailure("\(path) can't be created") }
        Foundation.close(descriptor)
        let queue = try DatabaseQueue(path: unfinished, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA journal_mode = WAL")
            try RelaySchema.create(database)
        }
        try queue.close()
        guard rename(unfinished, path) == 0 else { throw systemFailure("\(path) can't be created") }
        let directory = Foundation.open(folder, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw systemFailure("\(folder) can't be opened") }
        defer { Foundation.close(directory) }
        guard fsync(directory) == 0 else { throw systemFailure("\(folder) can't be written") }
    }

    /// Adds the tables that an earlier version doesn't have, in one transaction.
    private static func migrate(_ path: String, from version: Int) throws {
        let queue = try DatabaseQueue(path: path, configuration: configuration())
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA synchronous = FULL")
            try RelaySchema.migrate(database, from: version)
        }
        try queue.close()
    }

    private static func systemFailure(_ what: String) -> RelayStoreError {
        .failure("\(what): \(String(cString: strerror(errno))).")
    }

    /// Checks, without changing it, that a file is a relay's database of a known version that is intact.
    ///
    /// - Returns: The version.
    private static func check(_ path: String) throws -> Int {
        var configuration = Self.configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        return try queue.read { database in
            let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            let found = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            let tables = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") ?? 0
            guard tables > 0 || id == applicationID else {
                throw RelayStoreError.failure(
                    "\(path) is empty. Restore the relay's database, or remove the file to start with an empty relay, "
                        + "which the hubs fill again."
                )
            }
            guard id == applicationID else {
                throw RelayStoreError.failure("\(path) is a database, but not a relay's. Choose another folder.")
            }
            guard found <= version else {
                throw RelayStoreError.failure(
                    "\(path) was written by a newer version (format \(found); this version supports up to \(version))."
                        + " Use the newer version. The file was left unchanged."
                )
            }
            let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard finding == "ok", found >= 1 else {
                throw RelayStoreError.failure(damage(path, finding ?? "its format \(found) doesn't exist"))
            }
            return found
        }
    }

    private static func damage(_ path: String, _ what: String) -> String {
        "\(path) is damaged: \(what). It was left unchanged. Restore a copy, or move the file away to start with an empty "
            + "relay, which the hubs fill again."
    }
}

extension RelayStoreError {
    /// Creates a store error from an error of the database.
    init(_ error: any Error, file: String) {
        switch error {
        case let error as RelayStoreError: self = error
        case let error as DatabaseError where error.resultCode == .SQLITE_FULL:
            self = .full("There is no space left for \(file). Free some space.")
        case let error as DatabaseError where error.resultCode == .SQLITE_MISUSE: self = .closed
        case let error as DatabaseError where error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT:
            self = .failure("\(file) is damaged: \(error.message ?? "it isn't a database"). It was left unchanged.")
        case let error as DatabaseError:
            self = .failure("\(file) can't be read or written: \(error.message ?? "\(error.resultCode)").")
        default: self = .failure("\(file) can't be read or written: \(error).")
        }
    }
}
