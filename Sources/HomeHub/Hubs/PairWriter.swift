import HomeModel
import HomeStore
import Replication

/// What stores the changes of one of two hubs: its replicator while it leads, or the other hub's.
///
/// Clients' requests that change the homes are passed on before they are decided. What comes here at a hub that follows is
/// what this hub itself has to change, such as a browser's sign-in. It is decided on what this hub has, and decided again if
/// the leader has something newer.
final class PairWriter: ChangeWriter {
    // This is a class because it owns the record of what this hub is writing.

    /// What this hub is writing.
    let own: OwnWrites
    private let replicator: Replicator
    private let line: LeaderLine

    init(_ replicator: Replicator, _ line: LeaderLine, _ own: OwnWrites) {
        (self.replicator, self.line, self.own) = (replicator, line, own)
    }

    @discardableResult
    nonisolated(nonsending) func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID]
    ) async throws(StoreError) -> [AppendedEntry] {
        if line.isLeading { return try await replicator.append(drafts, removing: removed) }
        let items: [BatchDraft]
        do {
            items = try drafts.map { try BatchDraft($0) }
        } catch {
            throw StoreError(.invalid, "The change can't be encoded: \(error)")
        }
        guard case .appended(let entries)? = try await write([.append(items, removing: removed)]).first else {
            return []
        }
        return entries
    }

    /// Only the leader carries automations out.
    func claim(
        _ claims: [FiringClaim],
        updating values: [Int: [StateKey: [UInt8]?]]
    ) async throws(StoreError) -> [Bool] {
        try await replicator.claim(claims, updating: values)
    }

    func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {
        try await replicator.complete(claim, updating: values)
    }

    func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) {
        try await set([.setStates(values)])
    }

    func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {
        try await set([.setSecrets(values)])
    }

    private func set(_ steps: [BatchContent.Step]) async throws(StoreError) {
        own.begin(steps)
        do throws(StoreError) {
            _ = try await line.isLeading ? replicator.write(steps) : write(steps)
        } catch {
            own.fail(steps)
            throw error
        }
    }

    /// Has the leader store a change, and returns what it did if that is this hub.
    private func write(_ steps: [BatchContent.Step]) async throws(StoreError) -> [BatchContent.StepResult] {
        let bytes: [UInt8]
        do {
            bytes = try BatchContent(steps).encoded()
        } catch {
            throw StoreError(.invalid, "The change can't be encoded: \(error)")
        }
        let (line, replicator) = (line, replicator)
        let result: Result<[BatchContent.StepResult], StoreError>? = await withCheckedContinuation { continuation in
            let isPassed = line.pass(.change(bytes)) {
                continuation.resume(returning: await Self.write(steps, by: replicator))
            } completion: { answer in
                switch answer {
                case .success(.stored): continuation.resume(returning: .success([]))
                case .success(.failed(let error)): continuation.resume(returning: .failure(error))
                case .success: continuation.resume(returning: .failure(LeaderLine.Failure.lost.storeError))
                case .failure(let failure): continuation.resume(returning: .failure(failure.storeError))
                }
            }
            if !isPassed { continuation.resume(returning: nil) }
        }
        guard let result else { return try await replicator.write(steps) }
        return try result.get()
    }

    private static func write(
        _ steps: [BatchContent.Step],
        by replicator: Replicator
    ) async -> Result<[BatchContent.StepResult], StoreError> {
        do throws(StoreError) {
            return .success(try await replicator.write(steps))
        } catch {
            return .failure(error)
        }
    }
}
