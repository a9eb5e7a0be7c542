/// Lets one thing happen at a time, in the order in which they were asked for. An actor can be entered again while it waits.
package actor AsyncLock {
    private var isLocked = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates turns of which none is taken.
    package init() {}

    /// Waits for one's turn. It has to be ended.
    package func lock() async {
        guard isLocked else {
            isLocked = true
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            waiting.append(continuation)
        }
    }

    /// Ends one's turn.
    package func unlock() {
        if waiting.isEmpty {
            isLocked = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
