package import Foundation

/// A place in a log: what a reader has seen of it.
package struct LogCursor: Hashable, Sendable, Codable {
    /// The log's lineage, new after a restore: revisions of two lineages do not compare.
    package var lineage: UUID
    /// The revision of the last entry that was seen; 0 is before the first.
    package var revision: Int

    /// Names a place in a log.
    package init(lineage: UUID, revision: Int) {
        self.lineage = lineage
        self.revision = revision
    }
}
