import Foundation

/// A new file that appears under its name only when it is complete.
///
/// Until then it has a temporary name in the same folder. Only its owner can read it. It never replaces an existing
/// file, and it is removed if it goes out of scope unfinished. A temporary file that a killed process left behind is
/// removed when a file with the same name is created.
struct AtomicFile: ~Copyable {
    let path: String
    private let temporaryPath: String
    private let descriptor: Int32

    /// Creates the temporary file.
    ///
    /// - Throws: ``CommandFailure`` if a file with that name exists or can't be created.
    init(path: String) throws(CommandFailure) {
        let location = URL(filePath: path)
        try Self.checkDoesNotExist(path)
        let folder = location.deletingLastPathComponent()
        Self.removeAbandoned(of: location.lastPathComponent, in: folder)
        let name = Self.temporaryPrefix(of: location.lastPathComponent) + UUID().uuidString + Self.temporarySuffix
        let temporaryPath = folder.appending(path: name).path
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        // The lock marks the file as in use. On file systems without locks, abandoned files are never found.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        unlink(temporaryPath)
        close(descriptor)
    }

    /// Appends bytes.
    func write(_ bytes: some DataProtocol) throws(CommandFailure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Flushes the file to disk and gives it its name.
    ///
    /// - Throws: ``CommandFailure`` if another file now has the name, or writing fails.
    consuming func finish() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw Self.unwritable(path) }
        // Unlike a rename, a link never replaces an existing file.
        guard link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? Self.taken(path) : Self.unwritable(path)
        }
        let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.unwritable(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.unwritable(path) }
    }

    /// Throws if a file with that name exists.
    static func checkDoesNotExist(_ path: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: path) else { throw taken(path) }
    }

    /// Removes the temporary files that killed processes left behind for a file name.
    static func removeAbandoned(of name: String, in folder: URL) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for other in names where other.hasPrefix(temporaryPrefix(of: name)) && other.hasSuffix(temporarySuffix) {
            let unique = other.dropFirst(temporaryPrefix(of: name).count).dropLast(temporarySuffix.count)
            guard UUID(uuidString: String(unique)) != nil else { continue }
            let path = folder.appending(path: other).path
            let descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
        }
    }

    private static func temporaryPrefix(of name: String) -> String { ".\(name)." }
    private static let temporarySuffix = ".new"

    private static func taken(_ path: String) -> CommandFailure {
        CommandFailure("fileExists", "\(path) already exists. Choose another name.")
    }

    private static func unwritable(_ path: String) -> CommandFailure {
        CommandFailure("fileUnwritable", "\(path) can't be written: \(String(cString: strerror(errno))).")
    }
}
