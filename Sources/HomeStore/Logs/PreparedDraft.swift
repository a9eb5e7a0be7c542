import Foundation
import HomeModel

/// A draft with its change encoded, which is done before the writer gets it.
struct PreparedDraft: Sendable {
    let draft: EntryDraft
    let payload: [UInt8]
    let effects: [EncodedChange.Effect]
    /// The lineage of the log that the entry creates; `nil` to draw one.
    var lineage: UUID?

    init(_ draft: EntryDraft) throws {
        self.draft = draft
        let encoded = try EncodedChange(draft.change)
        payload = encoded.payload
        effects = encoded.effects
    }

    /// Prepares a draft of a batch, with the bytes that the leader made.
    init(_ item: BatchDraft) throws {
        draft = item.draft
        payload = item.payload
        effects = try EncodedChange(item.draft.change).effects
        lineage = item.lineage
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
struct DraftGroup: Sendable {
    var drafts: [PreparedDraft]
    var removed: [LogID]
}
