import Foundation
import GRDB
import HomeModel

/// Applies a batch's content to the tables.
enum BatchWriter {
    /// Applies content within the open transaction: all of its steps, or none if one can't be carried out.
    ///
    /// - Returns: What each step did, or why none was carried out. That depends on the content and the tables alone.
    /// - Throws: An error of the database. The transaction must be rolled back.
    static func apply(
        _ content: BatchContent,
        _ transaction: inout LogTransaction,
        _ index: RequestIndex,
        _ database: Database
    ) throws -> Result<[BatchContent.StepResult], StoreError> {
        var attempt = transaction
        var result: Result<[BatchContent.StepResult], StoreError> = .success([])
        try database.inSavepoint {
            do {
                result = .success(try content.steps.map { try apply($0, &attempt, index, database) })
                return .commit
            } catch let error as StoreError where error.isDecided {
                result = .failure(error)
                return .rollback
            }
        }
        if case .success = result { transaction = attempt }
        return result
    }

    private static func apply(
        _ step: BatchContent.Step,
        _ transaction: inout LogTransaction,
        _ index: RequestIndex,
        _ database: Database
    ) throws -> BatchContent.StepResult {
        switch step {
        case .append(let drafts, let removed):
            let group = DraftGroup(drafts: try drafts.map(PreparedDraft.init), removed: removed)
            return .appended(try LogTable.append(group, &transaction, index, database))
        case .claim(let claims, let values):
            return .claimed(try FiringTable.claim(claims, updating: values, database))
        case .complete(let claim, let states):
            try FiringTable.complete(claim, database)
            try StateTable.set(states, database)
        case .setStates(let states):
            try StateTable.set(states, database)
        case .setSecrets(let secrets):
            for key in secrets.keys where !key.kind.isShared {
                throw StoreError(.invalid, "A \(key.kind.rawValue) is one hub's own.")
            }
            try SecretTable.set(secrets, database)
        case .setMetadata(let key, let value):
            guard key.isShared else { throw StoreError(.invalid, "The value \(key.rawValue) is one hub's own.") }
            try MetadataTable.set(value, for: key, database)
        case .part:
            throw StoreError(.invalid, "A part of a change can't be carried out.")
        }
        return .done
    }
}

extension StoreError {
    /// Whether the error follows from the content and the tables, so that it is the same at both hubs.
    fileprivate var isDecided: Bool { [.conflict, .repeated, .full, .invalid, .noSuchLog].contains(code) }
}
