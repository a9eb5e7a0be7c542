package import Foundation

/// One entry of a log: a change and everything about it, as it was written.
///
/// Encoded, an entry is its envelope as one line of JSON, a newline, and the payload's bytes. The payload is kept as it
/// was written and is read by ``change()`` only, so a reader that does not know what is in it can still keep it, check
/// the chain and send it on.
package struct Entry: Hashable, Sendable {
    /// The version of the envelope that this code writes.
    package static let formatVersion = 1

    /// The version of the envelope.
    package var formatVersion: Int
    /// The log that the entry is in.
    package var log: LogID
    /// The log's lineage: new when the log was made, and after a restore.
    package var lineage: UUID
    /// Where the entry stands in its log; the first is 1, and none is left out.
    package var revision: Int
    /// The hash of the entry before; ``EntryHash/none`` for the first.
    package var previousHash: EntryHash
    /// The identity of the request that the entry came of.
    package var entryID: UUID
    /// Who asked.
    package var caller: Caller
    /// What made it happen.
    package var cause: Cause
    /// The hub's time, to the millisecond.
    package var time: Date
    /// Which key the payload is encrypted with; 0 is none.
    package var generation: Int
    /// The signature of the entry; empty where there is none.
    package var signature: [UInt8]
    /// The change, as it was written.
    package var payload: [UInt8]

    /// Makes an entry of a draft and what its log says.
    ///
    /// - Parameter payload: What ``Change/payload()`` gave for the draft's change.
    package init(_ draft: EntryDraft, payload: [UInt8], lineage: UUID, revision: Int, previousHash: EntryHash) {
        formatVersion = Self.formatVersion
        log = draft.log
        self.lineage = lineage
        self.revision = revision
        self.previousHash = previousHash
        entryID = draft.entryID
        caller = draft.caller
        cause = draft.cause
        time = Date(milliseconds: draft.time.milliseconds)
        generation = 0
        signature = []
        self.payload = payload
    }

    /// Reads the payload.
    ///
    /// - Throws: ``EntryError`` if it is not a change that this version can read.
    package func change() throws(EntryError) -> Change {
        do {
            return try CanonicalJSON.decode(Change.self, from: payload)
        } catch {
            throw EntryError(.damaged, "Entry \(revision) of \(log) has a payload that is no change: \(error).")
        }
    }
}

extension Change {
    /// The bytes that an entry carries.
    ///
    /// - Throws: ``EntryError`` for a number that JSON cannot say.
    package func payload() throws(EntryError) -> [UInt8] { try EncodedChange(self).payload }
}
