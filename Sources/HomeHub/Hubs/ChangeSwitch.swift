import HomeModel
import HomeStore
import Synchronization

/// What stores the changes of the homes now: the store of a hub that is alone, or the replicator of one of two.
final class ChangeSwitch: ChangeWriter {
    // This is a class because the parts of the hub share it, and a running hub becomes one of two.

    private let current: Mutex<any ChangeWriter>

    init(_ writer: any ChangeWriter) {
        current = Mutex(writer)
    }

    /// What stores changes now.
    var writer: any ChangeWriter { current.withLock { $0 } }

    /// Lets another writer store what comes from now on.
    func use(_ writer: any ChangeWriter) { current.withLock { $0 = writer } }

    @discardableResult
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        try await writer.append(drafts, removing: removed)
    }

    func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] {
        try await writer.claim(claims, updating: values)
    }

    func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {
        try await writer.complete(claim, updating: values)
    }

    func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) { try await writer.setStates(values) }

    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) { try await writer.setSecrets(values) }
}
