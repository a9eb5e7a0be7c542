import Foundation
import HomeModel

/// A draft with its change encoded, which is done before the writer gets it.
struct PreparedDraft: Sendable {
    let draft: EntryDraft
    let encoded: EncodedChange

    init(_ draft: EntryDraft) throws {
        self.draft = draft
        encoded = try EncodedChange(draft.change)
    }
}

/// The state of a transaction.
struct LogTransaction: Sendable {
    /// The rows of logs within the transaction, as far as they are known.
    var rows: [LogID: LogRow]
    /// The changes of the stored requests.
    var requests = RequestChanges()
}

/// Drafts to append and logs to remove, together.
struct Batch: Sendable {
    var drafts: [PreparedDraft]
    var removed: [LogID]
}
