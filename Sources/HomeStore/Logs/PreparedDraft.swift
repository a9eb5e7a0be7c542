import Foundation
import HomeModel

/// A draft with everything written that does not depend on the log, which is done before the writer's turn.
struct PreparedDraft: Sendable {
    /// An effect on the table of records.
    enum RowEffect: Sendable {
        case put(RecordID, body: String)
        case remove(RecordID)
    }

    let draft: EntryDraft
    let payload: [UInt8]
    let effects: [RowEffect]

    init(_ draft: EntryDraft) throws {
        self.draft = draft
        payload = try draft.change.payload()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        effects = try draft.change.effects.map { effect in
            switch effect {
            case .put(let record):
                .put(record.recordID, body: String(decoding: try encoder.encode(record), as: UTF8.self))
            case .remove(let id):
                .remove(id)
            }
        }
    }
}

/// Drafts that are appended together, and logs that go with them.
struct Batch: Sendable {
    var drafts: [PreparedDraft]
    var removed: [LogID]
}
