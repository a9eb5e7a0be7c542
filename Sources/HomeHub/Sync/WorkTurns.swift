import Synchronization

/// Work that is done one piece after the other, although each piece waits in between.
final class WorkTurns: Sendable {
    // This is a class because whoever adds work shares it.

    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Does a piece of work once the ones before are done.
    func add<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) -> Task<Value, Never> {
        last.withLock { last in
            let former = last
            let task = Task {
                await former?.value
                return await work()
            }
            last = Task { _ = await task.value }
            return task
        }
    }

    /// Waits until everything that was added is done.
    func finish() async { await last.withLock { $0 }?.value }
}
