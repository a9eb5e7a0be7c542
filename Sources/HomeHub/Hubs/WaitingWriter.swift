import HomeModel
import HomeStore

/// What stores the changes of one of two hubs before its replicator runs: nothing.
struct WaitingWriter: ChangeWriter {
    private static let error = StoreError(
        .notLeader,
        "This hub is starting, and doesn't know the other one's changes yet."
    )

    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] { throw Self.error }

    func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] { throw Self.error }

    func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {
        throw Self.error
    }

    func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) { throw Self.error }
    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) { throw Self.error }
}
