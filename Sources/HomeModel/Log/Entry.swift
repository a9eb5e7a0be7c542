package import Foundation

/// An entry of a log: a change with its metadata, as it was written.
///
/// Encoded, an entry is its envelope as one line of JSON, a newline, and the payload's bytes. The payload is preserved
/// as it was written; only ``change()`` decodes it. A reader that can't decode it can still store it, check the chain
/// of hashes and forward it.
package struct Entry: Hashable, Sendable {
    /// The version of the envelope that this code writes.
    package static let formatVersion = 1

    /// The version of the envelope.
    package var formatVersion: Int
    /// The log that the entry is in.
    package var log: LogID
    /// The log's lineage. A new one begins when the log is created and when it is restored.
    package var lineage: UUID
    /// The position in the log, starting at 1 and without gaps.
    package var revision: Int
    /// The hash of the previous entry; ``EntryHash/none`` for the first.
    package var previousHash: EntryHash
    /// The ID of the request that caused the entry.
    package var entryID: UUID
    /// The caller of the request.
    package var caller: Caller
    /// The cause of the change.
    package var cause: Cause
    /// The hub's time, to the millisecond.
    package var time: Date
    /// The number of the key that encrypts the payload; 0 for none.
    package var generation: Int
    /// The signature of the entry; empty if there is none.
    package var signature: [UInt8]
    /// The encoded change.
    package var payload: [UInt8]

    /// Creates an entry from a draft and its position in the log.
    ///
    /// - Parameter payload: The result of ``Change/payload()`` for the draft's change.
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

    /// Decodes the payload.
    ///
    /// - Throws: ``EntryError`` if this version can't decode the change.
    package func change() throws(EntryError) -> Change {
        do {
            return try CanonicalJSON.decode(Change.self, from: payload)
        } catch {
            throw EntryError(.damaged, "Entry \(revision) of \(log) has a payload that is not a change: \(error).")
        }
    }
}

extension Change {
    /// Returns the payload of an entry with this change.
    ///
    /// - Throws: ``EntryError`` if a number can't be represented in JSON.
    package func payload() throws(EntryError) -> [UInt8] { try EncodedChange(self).payload }
}
