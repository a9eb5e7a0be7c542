import HomeModel
import HomeStore
import PeerProcess

/// Stores changes, except that the first secrets are refused, as by a leader with too much to do.
struct BusyOnce: ChangeWriter {
    let writer: any ChangeWriter
    let isRefused = AwaitableValue(false)

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

    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
        guard isRefused.value else {
            isRefused.change { $0 = true }
            throw StoreError(.notLeader, "Too many changes wait.")
        }
        try await writer.setSecrets(values)
    }
}
