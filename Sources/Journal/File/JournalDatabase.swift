import Foundation
import GRDB

/// Creates, checks, opens and moves the journal's database file.
///
/// The journal isn't worth a hub that doesn't start: a file that can't be read is moved aside. It doesn't contain keys, but
/// it does say who did what and when, so only its owner may have access to it.
struct JournalDatabase: Sendable {
    /// Identifies the file as a journal in the place that SQLite provides for applications: "HrtJ".
    static let applicationID: Int32 = 0x4872_744A

    private static let ownerFile: mode_t = 0o600
    private static let others: mode_t = 0o077
    private static let sidecars = ["-wal", "-shm"]
    private static let damagedInfix = ".damaged-"
    private static let readerCount = 2
    private static let busySeconds = 5.0
    /// SQLite's number for the level that guarantees a commit to be on the disk.
    private static let fullSynchronous = 2
    /// The size in bytes up to which the whole file is checked before it is opened. Damage in a larger one shows when
    /// SQLite reads the damaged part.
    private static let checkedSize: UInt64 = 1 << 26
    /// The length of a database's header. Source: SQLite's "Database File Format", section 1.3.
    private static let headerLength: UInt64 = 100
    /// The free space in bytes below which the disk counts as full.
    private static let noRoom: UInt = 1 << 16

    /// The path of the file.
    let path: String

    // MARK: Opening

    /// Opens the database, which is created if it doesn't exist.
    ///
    /// - Throws: ``JournalError``: `damaged` and `futureFormat` leave the file unchanged.
    func open() throws(JournalError) -> DatabasePool {
        do {
            try checkAccess()
            let isNew = !FileManager.default.fileExists(atPath: path)
            if isNew { try createFile() } else { try check() }
            let pool = try DatabasePool(path: path, configuration: Self.configuration())
            try pool.writeWithoutTransaction { database in
                // This can't be part of the configuration, because the pool sets a weaker level while it opens.
                try database.execute(sql: "PRAGMA synchronous = FULL")
                guard try Int.fetchOne(database, sql: "PRAGMA synchronous") == Self.fullSynchronous else {
                    throw JournalError(.inputOutput, "SQLite does not write \(path) through to the disk.")
                }
                if try Int.fetchOne(database, sql: "PRAGMA user_version") == 0 { try Self.create(database) }
            }
            return pool
        } catch {
            throw self.error(error)
        }
    }

    private static func create(_ database: Database) throws {
        try database.inTransaction(.immediate) {
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try JournalSchema.create(database)
            return .commit
        }
    }

    /// Closes a database on a separate thread. Closing waits for readers, which need the threads that tasks run on.
    static func close(_ database: DatabasePool) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                // What is committed is in the write-ahead log even if the database doesn't close cleanly.
                try? database.close()
                continuation.resume()
            }
        }
    }

    private static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readerCount
        configuration.busyMode = .timeout(busySeconds)
        return configuration
    }

    private func createFile() throws(JournalError) {
        // The mode isn't subject to a later change: SQLite gives its additional files the mode of the database.
        let descriptor = Foundation.open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, Self.ownerFile)
        guard descriptor >= 0 else {
            throw JournalError(.inputOutput, "\(path) can't be created: \(String(cString: strerror(errno))).")
        }
        Foundation.close(descriptor)
    }

    // MARK: Checking

    /// Checks that only the owner has access to the files.
    private func checkAccess() throws(JournalError) {
        for path in [path] + Self.sidecars.map({ path + $0 }) {
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid() else {
                throw JournalError(.insecure, "\(path) is not a regular file of the hub's user. Move it away.")
            }
            guard status.st_mode & Self.others == 0 else {
                throw JournalError(
                    .insecure,
                    "Other users have access to \(path), which records what happens in the homes. Run: chmod 600 \(path)"
                )
            }
        }
    }

    /// Checks, without changing it, that the file is a journal in a supported format and that SQLite can read it.
    private func check() throws {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        let size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        // A file that was created right before the hub was killed.
        if size == 0, !FileManager.default.fileExists(atPath: path + "-wal") { return }
        // SQLite would take a file that is shorter than its header for an empty database.
        if 1..<Self.headerLength ~= size { throw damaged("it is truncated") }
        var configuration = Self.configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { database in
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
            // A file whose tables were not created yet.
            if version == 0, application == 0, try Self.isEmpty(database) { return }
            guard application == Self.applicationID else { throw damaged("it is not a journal") }
            guard version <= JournalSchema.version else {
                throw JournalError(
                    .futureFormat,
                    "\(path) was written by a newer version (format \(version); this version supports up to"
                        + " \(JournalSchema.version)). The hub runs without a journal. Use the newer version, or move the"
                        + " file away."
                )
            }
            guard size <= Self.checkedSize else { return }
            let finding = try String.fetchOne(database, sql: "PRAGMA quick_check(1)")
            guard finding == "ok" else { throw damaged(finding ?? "it can't be checked") }
        }
    }

    private static func isEmpty(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") == 0
    }

    private func damaged(_ what: String) -> JournalError {
        JournalError(.damaged, "\(path) is damaged: \(what).")
    }

    // MARK: Moving aside

    /// Moves a damaged file and its additional files aside, and removes the oldest damaged files beyond a number.
    ///
    /// - Returns: The new path.
    func moveAside(now: Date, keeping kept: Int) throws(JournalError) -> String {
        let stamp = now.formatted(.iso8601.dateSeparator(.omitted).timeSeparator(.omitted))
        let first = path + Self.damagedInfix + stamp
        var target = first
        var number = 2
        while FileManager.default.fileExists(atPath: target) {
            target = "\(first)-\(number)"
            number += 1
        }
        guard rename(path, target) == 0 else {
            throw JournalError(.inputOutput, "\(path) can't be moved: \(String(cString: strerror(errno))).")
        }
        // A new file must not find the write-ahead log of the old one.
        for sidecar in Self.sidecars where rename(path + sidecar, target + sidecar) != 0 { unlink(path + sidecar) }
        removeDamaged(keeping: kept)
        return target
    }

    /// Removes the damaged files that were moved aside first.
    private func removeDamaged(keeping kept: Int) {
        let file = URL(fileURLWithPath: path)
        let folder = file.deletingLastPathComponent()
        let prefix = file.lastPathComponent + Self.damagedInfix
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let damaged = names.filter { name in
            name.hasPrefix(prefix) && !Self.sidecars.contains { name.hasSuffix($0) }
        }
        for name in damaged.sorted().dropLast(kept) {
            for suffix in [""] + Self.sidecars { unlink(folder.appendingPathComponent(name + suffix).path) }
        }
    }

    // MARK: Errors

    /// Returns the journal's error for an error of the database or of a file.
    func error(_ error: any Error) -> JournalError {
        switch error {
        case let error as JournalError:
            return error
        case let error as DatabaseError:
            if isFull(error) {
                return JournalError(.full, "There is no space left for \(path). Free some space.")
            }
            let text = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
            switch error.resultCode {
            case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT, .SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH:
                // The statements are fixed, so a statement that fails means that the tables have been changed.
                return damaged(text)
            case .SQLITE_MISUSE:
                return JournalError(.closed, "The journal was closed.")
            default:
                return JournalError(.inputOutput, "\(path) can't be read or written: \(text).")
            }
        default:
            return JournalError(.inputOutput, "\(path) can't be read or written: \(error).")
        }
    }

    /// Returns whether a full disk is the cause. SQLite reports an I/O error if a full disk can't provide the memory that is
    /// shared through a file.
    private func isFull(_ error: DatabaseError) -> Bool {
        if error.resultCode == .SQLITE_FULL { return true }
        guard [.SQLITE_IOERR, .SQLITE_CANTOPEN].contains(error.resultCode) else { return false }
        var status = statvfs()
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        return statvfs(folder, &status) == 0 && UInt(status.f_bavail) * UInt(status.f_frsize) < Self.noRoom
    }
}
