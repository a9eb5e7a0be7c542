package import Foundation

/// An entry that is to be appended: what the hub decides, without what the store adds (revision, hash, lineage).
package struct EntryDraft: Hashable, Sendable {
    /// The log that it is for. A log that does not exist yet is made by its first entry.
    package var log: LogID
    /// The identity of the request that the entry came of: its client's key, where it has one.
    package var entryID: UUID
    /// Who asked.
    package var caller: Caller
    /// What made it happen.
    package var cause: Cause
    /// The hub's time; kept to the millisecond.
    package var time: Date
    /// What happens.
    package var change: Change
    /// The revision of the log that the change was decided against; 0 for a log that is to be made.
    package var expectedRevision: Int
    /// What is stored of the request in the same transaction, so that it is carried out once; nil for a request without a
    /// key. Where a request leads to several entries, one of them carries it.
    package var receipt: RequestReceipt?

    /// Makes a draft.
    package init(
        log: LogID,
        entryID: UUID,
        caller: Caller,
        cause: Cause,
        time: Date,
        change: Change,
        expectedRevision: Int
    ) {
        self.log = log
        self.entryID = entryID
        self.caller = caller
        self.cause = cause
        self.time = time
        self.change = change
        self.expectedRevision = expectedRevision
    }
}
