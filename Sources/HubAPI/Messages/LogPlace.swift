package import Foundation

/// A position in a log that a client may see, with the same names as in ``LogChange``.
package struct LogPlace: Hashable, Sendable, Codable {
    /// The home whose log it is; `nil` for the user's own log.
    package var home: UUID?
    /// The log's lineage.
    package var lineage: UUID
    /// The log's revision with the entry.
    package var revision: Int

    /// Creates a position.
    package init(home: UUID?, lineage: UUID, revision: Int) {
        self.home = home
        self.lineage = lineage
        self.revision = revision
    }
}
