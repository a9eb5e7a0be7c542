import Foundation
import Synchronization

/// A hub's data folder, locked for one store and closed to everyone but its owner.
///
/// A class because it owns the lock: the open file, which is closed with the last reference.
final class DataFolder: Sendable {
    private enum Name {
        static let database = "hearth.sqlite"
        static let unfinishedDatabase = "hearth.sqlite.new"
        static let lock = "lock"
        /// What follows the database's name in that of a copy in an earlier format, before the format's number.
        static let formerFormat = ".format"
        /// What SQLite appends to the database's name for files that are part of it.
        static let sidecars = ["-wal", "-shm"]
    }

    let directory: URL
    private let lockFile: Mutex<Int32?>

    /// Creates the folder if it is not there, checks who has access to it, and locks it.
    init(at directory: URL) throws(StoreError) {
        self.directory = directory.standardizedFileURL
        try Self.prepare(self.directory.path)
        lockFile = Mutex(try Self.lock(self.directory.path))
        for path in databaseFiles { try Self.checkFile(path) }
    }

    deinit {
        unlock()
    }

    /// Lets the folder go, for another store to open.
    func unlock() {
        lockFile.withLock { file in
            guard let descriptor = file else { return }
            // A process that is being started holds copies of all open files for a moment, and so would hold the lock.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            file = nil
        }
    }

    /// The database's file.
    var databasePath: String { path(Name.database) }

    /// Where a database is made before it gets its name.
    var unfinishedDatabasePath: String { path(Name.unfinishedDatabase) }

    /// Where a copy of a database of an earlier format is to be kept: a name that nothing has; nil if one that is the
    /// same to the byte is kept already.
    func copyPath(format: Int, of copy: String) -> String? {
        let first = databasePath + Name.formerFormat + "\(format)"
        var path = first
        var number = 2
        while FileManager.default.fileExists(atPath: path) {
            if FileManager.default.contentsEqual(atPath: path, andPath: copy) { return nil }
            path = "\(first)-\(number)"
            number += 1
        }
        return path
    }

    /// Whether there is a database.
    ///
    /// - Throws: `damaged` if parts of one are there without the database itself.
    func hasDatabase() throws(StoreError) -> Bool {
        if FileManager.default.fileExists(atPath: databasePath) { return true }
        for path in databaseFiles where FileManager.default.fileExists(atPath: path) {
            throw .damaged(file: databasePath, "the file is gone, but \(path) is there")
        }
        return false
    }

    /// Whether a file of that name is a database or part of one.
    static func isDatabase(_ name: String) -> Bool {
        name == Name.database || Name.sidecars.contains { name == Name.database + $0 }
    }

    /// Whether a file of that name is a copy that was made before the database got a later format.
    static func isFormerDatabase(_ name: String) -> Bool { name.hasPrefix(Name.database + Name.formerFormat) }

    /// Whether a file of that name may be in a folder without a database: the lock, or what was left of the making of one.
    static func isLeftover(_ name: String) -> Bool {
        name == Name.lock
            || ([""] + Name.sidecars + ["-journal"]).contains { name == Name.unfinishedDatabase + $0 }
    }

    /// Runs something, and makes a ``StoreError`` of whatever it throws.
    nonisolated(nonsending) func attempt<Value>(
        _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await body()
        } catch {
            throw StoreError(error, file: databasePath)
        }
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private var databaseFiles: [String] { [databasePath] + Name.sidecars.map { databasePath + $0 } }
}

extension DataFolder {
    private static func prepare(_ path: String) throws(StoreError) {
        do {
            // An existing folder is no error, and keeps the mode that it has.
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: NSNumber(value: FileMode.ownerFolder)]
            )
        } catch {
            throw StoreError(.inputOutput, "The data folder \(path) cannot be made: \(error.localizedDescription)")
        }
        let status = try status(of: path, "data folder")
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.inputOutput, "\(path) is no folder: give another data folder.")
        }
        try checkOwner(status, path)
        guard status.st_mode & FileMode.others != 0 else { return }
        // A folder that holds nothing has nothing to hide yet; one that does was open to others, and somebody should
        // know before it is used on.
        let content = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [path]
        guard content.isEmpty else {
            throw StoreError(
                .insecure,
                "Others have access to the data folder \(path), which holds keys: run chmod 700 \(path)"
            )
        }
        guard chmod(path, FileMode.ownerFolder) == 0 else {
            throw StoreError(.insecure, "The data folder \(path) cannot be closed to others: \(systemError()).")
        }
    }

    private static func lock(_ directory: String) throws(StoreError) -> Int32 {
        let path = directory + "/" + Name.lock
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FileMode.ownerFile)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) cannot be opened: \(systemError()).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = systemError()
            let isTaken = errno == EWOULDBLOCK
            var holder: [UInt8] = Array(repeating: 0, count: 16)
            let count = read(descriptor, &holder, holder.count)
            close(descriptor)
            guard isTaken else { throw StoreError(.inputOutput, "\(path) cannot be locked: \(error).") }
            let process = String(decoding: holder.prefix(max(0, count)), as: UTF8.self).filter(\.isNumber)
            throw StoreError(
                .inUse,
                "Another hub uses the data folder \(directory)"
                    + (process.isEmpty ? "" : " (process \(process))") + ": stop it, or give another folder."
            )
        }
        let process = Array("\(getpid())\n".utf8)
        // The number helps people only; the lock holds without it.
        if ftruncate(descriptor, 0) == 0 { _ = write(descriptor, process, process.count) }
        return descriptor
    }

    private static func checkFile(_ path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let status = try status(of: path, "file")
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.insecure, "\(path) is no ordinary file.")
        }
        try checkOwner(status, path)
        guard status.st_mode & FileMode.others == 0 else {
            throw StoreError(.insecure, "Others have access to \(path), which holds keys: run chmod 600 \(path)")
        }
    }

    private static func status(of path: String, _ what: String) throws(StoreError) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StoreError(.inputOutput, "The \(what) \(path) cannot be looked at: \(systemError()).")
        }
        return status
    }

    private static func checkOwner(_ status: stat, _ path: String) throws(StoreError) {
        guard status.st_uid == geteuid() else {
            throw StoreError(.insecure, "\(path) belongs to another user (uid \(status.st_uid)).")
        }
    }

    private static func systemError() -> String { String(cString: strerror(errno)) }
}

/// Modes of files and folders.
enum FileMode {
    /// Only the owner may enter, list and change.
    static let ownerFolder: mode_t = 0o700
    /// Only the owner may read and write.
    static let ownerFile: mode_t = 0o600
    /// What group and others may do.
    static let others: mode_t = 0o077
}
