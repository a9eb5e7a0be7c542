import Glibc
import Synchronization

/// The lock of a data folder. It ends with the process at the latest.
package final class FolderLock: Sendable {
    // This is a class because it owns an open file.

    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets another process have the folder.
    package func release() {
        guard let file = descriptor.withLock({ $0.take() }) else { return }
        // Closing alone would leave the lock to a child process that is just being started.
        flock(file, LOCK_UN)
        close(file)
    }
}
