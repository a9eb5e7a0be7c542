/// Lets one thing happen at a time, in the order in which they were asked for. An actor can be entered again while it waits.
package actor AsyncLock {
    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Creates turns of which none is taken.
    package init() {}

    /// Waits for one's turn. It has to be ended.
    package func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            waiting.append(continuation)
        }
    }

    /// Ends one's turn.
    package func end() {
        if waiting.isEmpty {
            isTaken = false
        } else {
            waiting.removeFirst().resume()
        }
    }
}
