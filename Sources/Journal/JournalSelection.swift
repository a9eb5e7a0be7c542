package import Foundation

/// Selects entries of a journal.
package struct JournalSelection: Hashable, Sendable {
    /// The home.
    package var home: UUID
    /// The object that the entries are about; `nil` for all.
    package var about: UUID?
    /// The earliest time; `nil` for no limit.
    package var since: Date?
    /// The ID of an entry, to select only entries that were recorded before it; `nil` to begin with the newest.
    package var before: UUID?
    /// The kinds of entries.
    package var kinds: Set<JournalKind>
    /// The maximum number of entries.
    package var limit: Int

    /// Creates a selection.
    package init(
        home: UUID,
        about: UUID? = nil,
        since: Date? = nil,
        before: UUID? = nil,
        kinds: Set<JournalKind> = Set(JournalKind.allCases),
        limit: Int
    ) {
        self.home = home
        self.about = about
        self.since = since
        self.before = before
        self.kinds = kinds
        self.limit = limit
    }
}
