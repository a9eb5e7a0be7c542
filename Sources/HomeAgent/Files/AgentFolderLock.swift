import Glibc
import Synchronization

/// The lock of an agent's data folder. It ends with the process at the latest.
package final class AgentFolderLock: Sendable {
    // This is a class because it owns an open file.

    private let descriptor: Mutex<CInt?>

    init(_ descriptor: CInt) {
        self.descriptor = Mutex(descriptor)
    }

    deinit {
        release()
    }

    /// Lets another agent have the folder.
    package func release() {
        guard let file = descriptor.withLock({ $0.take() }) else { return }
        flock(file, LOCK_UN)
        close(file)
    }
}
