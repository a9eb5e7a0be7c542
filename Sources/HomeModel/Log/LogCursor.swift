package import Foundation

/// A reader's position in a log.
package struct LogCursor: Hashable, Sendable, Codable {
    /// The log's lineage, which changes with a restore. Revisions of different lineages can't be compared.
    package var lineage: UUID
    /// The revision of the last entry that was read; 0 before the first entry.
    package var revision: Int

    /// Creates a cursor.
    package init(lineage: UUID, revision: Int) {
        self.lineage = lineage
        self.revision = revision
    }
}
