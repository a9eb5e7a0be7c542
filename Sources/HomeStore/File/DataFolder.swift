import Foundation
import Synchronization

/// A hub's data folder, locked for one store and inaccessible to other users.
///
/// This is a class because it owns the lock: the open file, which is closed with the last reference.
final class DataFolder: Sendable {
    private enum Name {
        static let database = "hearth.sqlite"
        static let unfinishedDatabase = "hearth.sqlite.new"
        static let lock = "lock"
        /// The suffix of a copy in an earlier format, followed by the format's number.
        static let previousFormat = ".format"
        /// The suffixes of SQLite's additional files, which are part of the database.
        static let sidecars = ["-wal", "-shm"]
    }

    let directory: URL
    private let lockFile: Mutex<Int32?>

    /// Creates the folder if it doesn't exist, checks its access permissions, and locks it.
    init(at directory: URL) throws(StoreError) {
        self.directory = directory.standardizedFileURL
        try Self.prepare(self.directory.path)
        lockFile = Mutex(try Self.lock(self.directory.path))
        for path in databaseFiles { try Self.checkFile(path) }
    }

    deinit {
        unlock()
    }

    /// Releases the lock, so that another store can open the folder.
    func unlock() {
        lockFile.withLock { file in
            guard let descriptor = file else { return }
            // This unlocks explicitly because a child process that is starting briefly holds copies of all open files.
            flock(descriptor, LOCK_UN)
            close(descriptor)
            file = nil
        }
    }

    /// The path of the database.
    var databasePath: String { path(Name.database) }

    /// The path of a database that is being created.
    var unfinishedDatabasePath: String { path(Name.unfinishedDatabase) }

    /// Returns the path for a copy of a database in an earlier format. The path doesn't exist yet. `nil` if an
    /// identical copy already exists.
    func copyPath(format: Int, of copy: String) -> String? {
        let first = databasePath + Name.previousFormat + "\(format)"
        var path = first
        var number = 2
        while FileManager.default.fileExists(atPath: path) {
            if FileManager.default.contentsEqual(atPath: path, andPath: copy) { return nil }
            path = "\(first)-\(number)"
            number += 1
        }
        return path
    }

    /// Returns whether there is a database.
    ///
    /// - Throws: `damaged` if additional files exist without the database itself.
    func hasDatabase() throws(StoreError) -> Bool {
        if FileManager.default.fileExists(atPath: databasePath) { return true }
        for path in databaseFiles where FileManager.default.fileExists(atPath: path) {
            throw .damaged(file: databasePath, "the file is missing, but \(path) exists")
        }
        return false
    }

    /// Returns whether a file with this name is a database or one of its additional files.
    static func isDatabase(_ name: String) -> Bool {
        name == Name.database || Name.sidecars.contains { name == Name.database + $0 }
    }

    /// Returns whether a file with this name is a copy of a database in an earlier format.
    static func isPreviousDatabase(_ name: String) -> Bool { name.hasPrefix(Name.database + Name.previousFormat) }

    /// Returns whether a file with this name may be in a folder without a database: the lock, or an unfinished
    /// database.
    static func isLeftover(_ name: String) -> Bool {
        name == Name.lock
            || ([""] + Name.sidecars + ["-journal"]).contains { name == Name.unfinishedDatabase + $0 }
    }

    /// Runs a closure and converts its errors to ``StoreError``.
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
            // An existing folder isn't an error and keeps its mode.
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: NSNumber(value: FileMode.ownerFolder)]
            )
        } catch {
            throw StoreError(.inputOutput, "The data folder \(path) can't be created: \(error.localizedDescription)")
        }
        let status = try status(of: path, "data folder")
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StoreError(.inputOutput, "\(path) is not a folder. Choose another data folder.")
        }
        try checkOwner(status, path)
        guard status.st_mode & FileMode.others != 0 else { return }
        // An empty folder has no secrets yet. A folder with files was accessible to others, which the user must know
        // before the hub uses it.
        let content = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [path]
        guard content.isEmpty else {
            throw StoreError(
                .insecure,
                "Other users have access to the data folder \(path), which contains keys. Run: chmod 700 \(path)"
            )
        }
        guard chmod(path, FileMode.ownerFolder) == 0 else {
            throw StoreError(.insecure, "Can't restrict access to the data folder \(path): \(systemError()).")
        }
    }

    private static func lock(_ directory: String) throws(StoreError) -> Int32 {
        let path = directory + "/" + Name.lock
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, FileMode.ownerFile)
        guard descriptor >= 0 else {
            throw StoreError(.inputOutput, "\(path) can't be opened: \(systemError()).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let error = systemError()
            let isTaken = errno == EWOULDBLOCK
            var holder: [UInt8] = Array(repeating: 0, count: 16)
            let count = read(descriptor, &holder, holder.count)
            close(descriptor)
            guard isTaken else { throw StoreError(.inputOutput, "\(path) can't be locked: \(error).") }
            let process = String(decoding: holder.prefix(max(0, count)), as: UTF8.self).filter(\.isNumber)
            throw StoreError(
                .inUse,
                "Another hub uses the data folder \(directory)"
                    + (process.isEmpty ? "" : " (process \(process))") + ". Stop it, or choose another folder."
            )
        }
        let process = Array("\(getpid())\n".utf8)
        // The process ID is only for the error message; the lock doesn't depend on it.
        if ftruncate(descriptor, 0) == 0 { _ = write(descriptor, process, process.count) }
        return descriptor
    }

    private static func checkFile(_ path: String) throws(StoreError) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        let status = try status(of: path, "file")
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw StoreError(.insecure, "\(path) is not a regular file.")
        }
        try checkOwner(status, path)
        guard status.st_mode & FileMode.others == 0 else {
            throw StoreError(
                .insecure,
                "Other users have access to \(path), which contains keys. Run: chmod 600 \(path)"
            )
        }
    }

    private static func status(of path: String, _ what: String) throws(StoreError) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StoreError(
                .inputOutput,
                "Can't read the attributes of the \(what) \(path): \(systemError()). Check its permissions."
            )
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

/// The modes of files and folders.
enum FileMode {
    /// Only the owner may enter, list and change the folder.
    static let ownerFolder: mode_t = 0o700
    /// Only the owner may read and write the file.
    static let ownerFile: mode_t = 0o600
    /// The permissions of the group and of others.
    static let others: mode_t = 0o077
}
