import Foundation

/// A file that is written under another name and gets its own when it is whole. Only its owner may read it. It takes no
/// other file's name, and if it is let go before it is finished nothing is left of it.
struct OwnFile: ~Copyable {
    let path: String
    private let unfinished: String
    private let handle: FileHandle

    /// Begins a file.
    ///
    /// - Throws: ``CommandFailure`` when there is one of that name, or it cannot be made.
    init(path: String) throws(CommandFailure) {
        let place = URL(filePath: path)
        try Self.checkIsFree(path)
        let name = ".\(place.lastPathComponent).\(UUID().uuidString).new"
        let unfinished = place.deletingLastPathComponent().appending(path: name).path
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        self.path = path
        self.unfinished = unfinished
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { unlink(unfinished) }

    /// Writes a piece.
    func write(_ bytes: some DataProtocol) throws(CommandFailure) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw CommandFailure("fileUnwritable", "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Gives the file its name, once it is on the disk.
    ///
    /// - Throws: ``CommandFailure`` when something has taken the name meanwhile, or it cannot be written.
    consuming func finish() throws(CommandFailure) {
        guard fsync(handle.fileDescriptor) == 0 else { throw Self.unwritable(path) }
        // Unlike a renamed file, a linked one never takes the place of another.
        guard link(unfinished, path) == 0 else {
            throw errno == EEXIST ? Self.taken(path) : Self.unwritable(path)
        }
        let folder = open(URL(filePath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.unwritable(path) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw Self.unwritable(path) }
    }

    /// Refuses a name that something has.
    static func checkIsFree(_ path: String) throws(CommandFailure) {
        guard !FileManager.default.fileExists(atPath: path) else { throw taken(path) }
    }

    private static func taken(_ path: String) -> CommandFailure {
        CommandFailure("fileExists", "\(path) is there already. Give another name.")
    }

    private static func unwritable(_ path: String) -> CommandFailure {
        CommandFailure("fileUnwritable", "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}
