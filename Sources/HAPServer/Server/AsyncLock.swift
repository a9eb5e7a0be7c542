/// A FIFO lock for asynchronous code. It serializes operations of an actor, which is reentrant at every `await`.
package actor AsyncLock {
    private var isLocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates an unlocked lock.
    package init() {}

    /// Acquires the lock, in the order of the calls. Each call must be balanced with ``unlock()``.
    package func lock() async {
        guard isLocked else {
            isLocked = true
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            waiting.append(continuation)
        }
    }

    /// Releases the lock.
    package func unlock() {
        if waiting.isEmpty {
            isLocked = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
