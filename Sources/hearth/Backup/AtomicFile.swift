import Foundation

/// A file that is written under another name and gets its own when it is whole. Only its owner may read it. It takes no
/// other file's name, and if it is let go before it is finished nothing is left of it. What a program that was killed has left
/// goes with the next file of that name.
struct AtomicFile: ~Copyable {
    let path: String
    private let temporaryPath: String
    private let descriptor: Int32

    /// Begins a file.
    ///
    /// - Throws: ``CommandFailure`` when there is one of that name, or it cannot be made.
    init(path: String) throws(CommandFailure) {
        let place = URL(filePath: path)
        try Self.checkDoesNotExist(path)
        let folder = place.deletingLastPathComponent()
        Self.removeAbandoned(of: place.lastPathComponent, in: folder)
        let name = Self.temporaryPrefix(of: place.lastPathComponent) + UUID().uuidString + Self.temporarySuffix
        let temporaryPath = folder.appending(path: name).path
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        // Says that somebody still writes it. Where there are no locks nothing abandoned is found either.
        _ = flock(descriptor, LOCK_EX | LOCK_NB)
        self.path = path
        self.temporaryPath = temporaryPath
        self.descriptor = descriptor
    }

    deinit {
        unlink(temporaryPath)
        close(descriptor)
    }

    /// Writes a piece.
    func write(_ bytes: some DataProtocol) throws(CommandFailure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw Self.unwritable(path) }
            rest = rest.dropFirst(count)
        }
    }

    /// Gives the file its name, once it is on the disk.
    ///
    /// - Throws: ``CommandFailure`` when something has taken the name meanwhile, or it cannot be written.
    consuming func finish() throws(CommandFailure) {
        guard fsync(descriptor) == 0 else { throw Self.unwritable(path) }
        // Unlike a renamed file, a linked one never takes the place of another.
        guard link(temporaryPath, path) == 0 else {
            throw errno == EEXIST ? Self.taken(path) : Self.unwritable(path)
        }
        let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.unwritable(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.unwritable(path) }
    }

    /// Refuses a name that something has.
    static func checkDoesNotExist(_ path: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: path) else { throw taken(path) }
    }

    /// Removes what a program that was killed has left of files of a name.
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
        CommandFailure("fileExists", "\(path) is there already. Give another name.")
    }

    private static func unwritable(_ path: String) -> CommandFailure {
        CommandFailure("fileUnwritable", "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
