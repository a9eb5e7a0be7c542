package import Foundation
import Glibc

/// A data folder that nobody but its owner has access to, for one process at a time.
package struct PrivateFolder: Hashable, Sendable {
    private static let lockName = "lock"
    private static let folderMode: mode_t = 0o700
    private static let fileMode: mode_t = 0o600
    private static let others: mode_t = 0o077

    /// The folder.
    package let directory: URL

    /// Creates the folder if it doesn't exist, and checks that it is its owner's alone.
    ///
    /// - Parameter content: What the folder holds, for the error: “this device's keys”.
    package init(at directory: URL, holding content: String) throws(FolderError) {
        self.directory = directory.standardizedFileURL
        let path = self.directory.path
        do {
            try FileManager.default.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: NSNumber(value: Self.folderMode)]
            )
        } catch {
            throw FolderError("The folder \(path) can't be created: \(error.localizedDescription)")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw FolderError("\(path) is not a folder that can be read. Choose another one with --data.")
        }
        guard status.st_uid == geteuid() else {
            throw FolderError("\(path) belongs to another user. Choose another folder with --data.")
        }
        guard status.st_mode & Self.others == 0 else {
            throw FolderError("Other users have access to \(path), which holds \(content). Run: chmod 700 \(path)")
        }
    }

    /// The folder's path.
    package var path: String { directory.path }

    /// Locks the folder.
    ///
    /// - Parameter program: What locks it, for the error: “An agent”.
    package func lock(for program: String) throws(FolderError) -> FolderLock {
        let file = directory.appending(path: Self.lockName).path
        let descriptor = open(file, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, Self.fileMode)
        guard descriptor >= 0 else {
            throw FolderError("\(file) can't be opened: \(String(cString: strerror(errno))).")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw FolderError("\(program) already runs with the data in \(path).", isLocked: true)
        }
        // People find the process that has the folder.
        let process = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        _ = Glibc.write(descriptor, process, process.count)
        return FolderLock(descriptor)
    }
}
