import Foundation
import HomeModel

/// A draft with everything written that does not depend on the log, which is done before the writer's turn.
struct PreparedDraft: Sendable {
    let draft: EntryDraft
    let encoded: EncodedChange

    init(_ draft: EntryDraft) throws {
        self.draft = draft
        encoded = try EncodedChange(draft.change)
    }
}

/// What a transaction found and did.
struct LogTransaction: Sendable {
    /// The rows of logs as they are in it, as far as they are known.
    var rows: [LogID: LogRow]
    /// What it does to the requests that were carried out.
    var requests = RequestChanges()
}

/// Drafts that are appended together, and logs that go with them.
struct Batch: Sendable {
    var drafts: [PreparedDraft]
    var removed: [LogID]
}
