import Foundation
import HomeModel
import HubAPI

/// Imports of homes from an export.
extension HomeDatabase {
    /// Returns the newest state, for an import by a user that is decided outside this actor.
    func importGround(for user: UUID) -> ImportDecision.Ground {
        ImportDecision.Ground(state: newest, rollbackCount: rollbackCount, person: record(of: user), now: now())
    }

    /// Submits the changes of an import. The entries of all homes and of the user's list are stored together or not at
    /// all.
    ///
    /// - Parameters:
    ///   - decision: The decided import, with one entry per home.
    ///   - caller: The caller of the request.
    ///   - cause: The cause of the changes.
    ///   - receipt: The receipt that is stored together with the changes.
    /// - Returns: The changes, which are being stored, or `nil` if the state has changed since the decision. Nothing
    ///   changes then.
    func submit(
        _ decision: ImportDecision,
        by caller: Caller,
        cause: Cause,
        receipt: RequestReceipt? = nil
    ) -> PendingChange? {
        guard decision.rollbackCount == rollbackCount,
            decision.revisions.allSatisfy({ newest.revisions[$0.key] == $0.value })
        else { return nil }
        guard let first = decision.changes.first?.change else { return PendingChange(nil) }
        return try? submit(
            deciding: { () throws(HubError) in
                // The import can't be decided again here, because the homes have changed since the decision.
                guard decision.rollbackCount == self.rollbackCount else { throw Self.setBackImport }
                let drafts = decision.changes.map { self.draft($0.change, in: $0.log, by: caller, cause: cause) }
                return Decision(drafts: drafts, change: first)
            },
            receipt: receipt
        )
    }

    private static let setBackImport = HubError(
        .storeFailure,
        "A change before the import could not be stored, so the import was not done. Import again."
    )

    /// Decides an import and submits its changes. No other change can come between the two.
    func submitImport(
        _ exported: [ExportedHome],
        by caller: Caller,
        _ projection: Projection,
        cause: Cause,
        request: KeyedRequest?
    ) throws(HubError) -> (report: ImportReport, change: PendingChange) {
        let decision = try ImportDecision(exported, on: importGround(for: caller.user), by: caller, projection)
        let receipt = try request?.receipt(decision.report)
        return (decision.report, submit(decision, by: caller, cause: cause, receipt: receipt) ?? PendingChange(nil))
    }
}
