package import Foundation
package import HomeModel

/// A draft as it is in a batch, with what must be the same at both hubs: the change's bytes, and the lineage of a new log.
package struct BatchDraft: Hashable, Sendable {
    /// The draft.
    package var draft: EntryDraft
    /// The change as the entry stores it.
    package var payload: [UInt8]
    /// The lineage of the log that the entry creates; `nil` if the log exists.
    package var lineage: UUID?

    /// Prepares a draft. If it creates a log, the log's lineage is drawn now.
    ///
    /// - Throws: ``HomeModel/EntryError`` if the change can't be encoded.
    package init(_ draft: EntryDraft) throws(EntryError) {
        self.draft = draft
        payload = try draft.change.payload()
        lineage = draft.expectedRevision == 0 ? UUID() : nil
    }

    init(_ draft: EntryDraft, payload: [UInt8], lineage: UUID?) {
        self.draft = draft
        self.payload = payload
        self.lineage = lineage
    }
}
