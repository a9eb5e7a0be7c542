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

/// Drafts that are appended together, and logs that go with them.
struct Batch: Sendable {
    var drafts: [PreparedDraft]
    var removed: [LogID]
}
