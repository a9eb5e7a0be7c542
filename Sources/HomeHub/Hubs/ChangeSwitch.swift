import HomeModel
import HomeStore
import Synchronization

/// What stores the changes of the homes now: the store of a hub that is alone, or the replicator of one of two.
final class ChangeSwitch: ChangeWriter {
    // This is a class because the parts of the hub share it, and a running hub becomes one of two.

    private struct State {
        var writer: any ChangeWriter
        /// The number of calls that aren't over.
        var count = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let current: Mutex<State>

    init(_ writer: any ChangeWriter) {
        current = Mutex(State(writer: writer))
    }

    /// What stores changes now.
    var writer: any ChangeWriter { current.withLock { $0.writer } }

    /// Lets another writer store what comes from now on.
    func use(_ writer: any ChangeWriter) { current.withLock { $0.writer = writer } }

    /// Waits until no change is being stored.
    func settle() async {
        await withCheckedContinuation { continuation in
            let isSettled = current.withLock { state in
                if state.count > 0 { state.waiting.append(continuation) }
                return state.count == 0
            }
            if isSettled { continuation.resume() }
        }
    }

    private func begin() -> any ChangeWriter {
        current.withLock { state in
            state.count += 1
            return state.writer
        }
    }

    private func end() {
        let waiting = current.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    @discardableResult
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        let writer = begin()
        defer { end() }
        return try await writer.append(drafts, removing: removed)
    }

    func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] {
        let writer = begin()
        defer { end() }
        return try await writer.claim(claims, updating: values)
    }

    func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {
        let writer = begin()
        defer { end() }
        try await writer.complete(claim, updating: values)
    }

    func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) {
        let writer = begin()
        defer { end() }
        try await writer.setStates(values)
    }

    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
        let writer = begin()
        defer { end() }
        try await writer.setSecrets(values)
    }
}
