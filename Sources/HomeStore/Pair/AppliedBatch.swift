package import Consensus

/// A batch that was applied to the logs, and is so on the disk.
package struct AppliedBatch: Sendable {
    /// The batch's position.
    package var position: BatchPosition
    /// What the batch changed; `nil` for the batch with which a term begins, and for a part of a change except the last one.
    package var content: BatchContent?
    /// What each step did; or why the batch changed nothing. It is the same at both hubs.
    package var result: Result<[BatchContent.StepResult], StoreError>
}
