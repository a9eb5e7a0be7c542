import Foundation
import HomeModel
import HubAPI

/// Homes that are taken over from an export.
extension HomeDatabase {
    /// The newest state, for an import of a user's that is worked out elsewhere.
    func importGround(for user: UUID) -> ImportDecision.Ground {
        ImportDecision.Ground(state: newest, rollbackCount: rollbackCount, person: record(of: user), now: now())
    }

    /// Carries out an import: of each home one entry, all of them and what becomes of the user's list stored together or not
    /// at all.
    ///
    /// - Parameter receipt: Is stored together with the changes.
    /// - Returns: The changes on their way to the disk; nil if what it was decided on is not so any more, and nothing was
    ///   changed.
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
                // Not decided again: the homes are not those on which it was.
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

    /// Decides an import and carries it out, with nothing in between.
    func submitImport(
        _ exported: [ExportedHome],
        by caller: Caller,
        _ projection: Projection,
        cause: Cause,
        request: KeyedRequest?
    ) throws(HubError) -> (report: ImportReport, commitment: PendingChange) {
        let decision = try ImportDecision(exported, on: importGround(for: caller.user), by: caller, projection)
        let receipt = try request?.receipt(decision.report)
        return (decision.report, submit(decision, by: caller, cause: cause, receipt: receipt) ?? PendingChange(nil))
    }
}
