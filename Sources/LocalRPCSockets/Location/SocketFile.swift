import Glibc

/// A socket in the file system, distinguished from a later one at the same path.
struct SocketFile: Hashable, Sendable {
    private let path: String
    private let device: dev_t
    private let inode: ino_t

    /// Identifies the socket at `path`; `nil` if there is none.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        self.path = path
        device = status.st_dev
        inode = status.st_ino
    }

    /// Removes the socket, unless another one has replaced it.
    func remove() {
        if SocketFile(path) == self { unlink(path) }
    }
}
