package import HomeModel

/// What stores the decided changes of homes: the store itself at a hub that is alone, and the replicator at one of two hubs.
///
/// When a method returns without an error, no failure of one machine undoes the change, and the store has it.
package protocol ChangeWriter: Sendable {
    /// Appends entries and removes logs, all or nothing. See ``HomeStore/append(_:removing:)``.
    @discardableResult
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry]

    /// Claims firings, each for the first time only. See ``HomeStore/claim(_:updating:)``.
    func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool]

    /// Marks a firing as carried out. See ``HomeStore/complete(_:updating:)``.
    func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError)

    /// Stores state of automations; `nil` removes a value.
    func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError)

    /// Stores secrets that both of two hubs have, all or none; `nil` removes one.
    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError)
}

extension ChangeWriter {
    /// Claims firings, each for the first time only.
    package func claim(_ claims: [FiringClaim]) async throws(StoreError) -> [Bool] {
        try await claim(claims, updating: [:])
    }

    /// Marks a firing as carried out.
    package func complete(_ claim: FiringClaim) async throws(StoreError) { try await complete(claim, updating: [:]) }
}

extension HomeStore: ChangeWriter {
    /// Stores secrets, all or none; `nil` removes one.
    ///
    /// - Throws: ``StoreError`` with `noSuchLog` if a secret's log doesn't exist.
    package func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
        try await write { try SecretTable.set(values, $0) }
    }
}
