import Foundation

/// A file that is written under another name and gets its own when it is whole. Only its owner may read it.
struct OwnFile {
    let path: String
    private let unfinished: String
    private let handle: FileHandle

    /// Begins a file.
    ///
    /// - Throws: ``CommandFailure`` when there is one of that name, or it cannot be made.
    init(path: String) throws(CommandFailure) {
        self.path = path
        unfinished = path + ".new"
        guard !FileManager.default.fileExists(atPath: path) else {
            throw CommandFailure("fileExists", "\(path) is there already. Give another name.")
        }
        unlink(unfinished)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR)
        guard descriptor >= 0 else {
            throw CommandFailure("fileUnwritable", "\(path) cannot be made: \(String(cString: strerror(errno))).")
        }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Writes a piece.
    func write(_ bytes: some DataProtocol) throws(CommandFailure) {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw CommandFailure("fileUnwritable", "\(path) cannot be written: \(error.localizedDescription)")
        }
    }

    /// Gives the file its name, once it is on the disk.
    func finish() throws(CommandFailure) {
        guard fsync(handle.fileDescriptor) == 0, rename(unfinished, path) == 0 else {
            throw CommandFailure("fileUnwritable", "\(path) cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Removes what was written.
    func discard() {
        unlink(unfinished)
    }
}
