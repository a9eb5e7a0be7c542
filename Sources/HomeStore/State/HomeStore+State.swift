import Foundation
import GRDB

extension HomeStore {
    /// Returns the automations' state of one kind, of all homes.
    package func states(_ kind: StateKey.Kind) async throws(StoreError) -> [StateKey: [UInt8]] {
        try await read { try StateTable.all(kind, $0) }
    }

    /// Stores state; `nil` removes a value.
    package func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) {
        try await write { try StateTable.set(values, $0) }
    }

    /// Claims triggers' firings, all in one transaction. Once a claim is made, no later call with the same occurrence makes
    /// it again, not even after a crash.
    ///
    /// - Parameters:
    ///   - claims: The claims.
    ///   - values: State that is stored in the same transaction, by the claim's index, if the claim is new.
    /// - Returns: For each claim, whether it is new.
    package func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] {
        for claim in claims where claim.occurrence.utf8.count > FiringLimits.occurrenceLength {
            throw StoreError(.invalid, "An occurrence is longer than \(FiringLimits.occurrenceLength) bytes.")
        }
        return try await write { try FiringTable.claim(claims, updating: values, $0) }
    }

    /// Marks a firing as carried out.
    ///
    /// - Parameters:
    ///   - claim: The claim.
    ///   - values: State that is stored in the same transaction.
    package func complete(
        _ claim: FiringClaim,
        updating values: [StateKey: [UInt8]?]
    ) async throws(StoreError) {
        try await write { database in
            try FiringTable.complete(claim, database)
            try StateTable.set(values, database)
        }
    }

    /// Returns the firings that were claimed and not carried out to the end, because the hub stopped.
    package func incompleteFirings() async throws(StoreError) -> [FiringClaim] {
        try await read { try FiringTable.incomplete($0) }
    }
}
