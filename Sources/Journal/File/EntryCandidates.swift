import Foundation
import HubAPI

/// The newest entries about an object, newest first, each decoded when it is first looked at.
///
/// Mostly the newest is meant, and decoding the others would cost more than finding all of them.
final class EntryCandidates {
    // This is a class because looking at an entry decodes it.

    private let rows: [EntryTable.CandidateRow]
    private var decoded: [Int: JournalEntry?] = [:]

    init(_ rows: some Sequence<EntryTable.CandidateRow>) {
        self.rows = Array(rows)
    }

    /// Returns the first entry that a closure accepts, or the first that a certain entry caused.
    func first(causedBy parent: UUID? = nil, where isMeant: (JournalEntry) -> Bool) -> JournalEntry? {
        for index in rows.indices where parent == nil || rows[index].parent == parent {
            if let entry = entry(index), isMeant(entry) { return entry }
        }
        return nil
    }

    private func entry(_ index: Int) -> JournalEntry? {
        if let known = decoded[index] { return known }
        let entry = rows[index].entry()
        decoded.updateValue(entry, forKey: index)
        return entry
    }
}
