import Glibc

/// A lock among servers that start at the same path.
///
/// It is an empty file that only the server's user can open. Locking the folder wouldn't be enough, because every user who
/// can read the folder can lock it.
struct SocketLock {
    /// The result of an attempt to acquire the lock.
    enum Attempt {
        /// The lock is acquired.
        case acquired(SocketLock)
        /// Another process holds it.
        case busy
        /// The file can't be created or opened; the error number.
        case failed(CInt)
        /// The file isn't an empty file of this user.
        case notOurs
    }

    private let file: String
    private let descriptor: CInt

    /// Tries to acquire the lock. Never waits, because its holder may need this thread.
    static func acquire(_ file: String) -> Attempt {
        let descriptor = open(file, O_RDONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return .failed(errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0, status.st_size == 0
        else {
            close(descriptor)
            return .notOurs
        }
        var present = stat()
        // If the file is no longer at its path, the previous holder has removed it, and locking it has no effect.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, lstat(file, &present) == 0,
            present.st_ino == status.st_ino, present.st_dev == status.st_dev
        else {
            close(descriptor)
            return .busy
        }
        return .acquired(SocketLock(file: file, descriptor: descriptor))
    }

    /// Releases the lock; call it once.
    func release() {
        unlink(file)
        // Closing alone would leave the lock to a child process that is just being started.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
