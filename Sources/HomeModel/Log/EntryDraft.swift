package import Foundation

/// An entry before it is appended: the hub's decision, without the parts that the store adds (revision, hash, lineage).
package struct EntryDraft: Hashable, Sendable {
    /// The log to append to. The first entry of a log creates it.
    package var log: LogID
    /// The ID of the request that caused the entry: the client's request key, if it has one.
    package var entryID: UUID
    /// The caller of the request.
    package var caller: Caller
    /// The cause of the change.
    package var cause: Cause
    /// The hub's time, stored to the millisecond.
    package var time: Date
    /// The change.
    package var change: Change
    /// The revision of the log on which the change was decided; 0 for a new log.
    package var expectedRevision: Int
    /// The receipt that is stored in the same transaction, so that the request is carried out only once; `nil` for a
    /// request without a key. If a request leads to several entries, one of them has the receipt.
    package var receipt: RequestReceipt?

    /// Creates a draft.
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
