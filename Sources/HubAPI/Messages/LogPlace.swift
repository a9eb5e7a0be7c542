public import Foundation

/// A place in a log that a client may see, named as in a ``LogChange``.
public struct LogPlace: Hashable, Sendable, Codable {
    /// The home whose log it is; nil for the user's own log.
    public var home: UUID?
    /// The log's lineage.
    public var lineage: UUID
    /// The log's revision with the entry.
    public var revision: Int

    /// Names a place.
    public init(home: UUID?, lineage: UUID, revision: Int) {
        self.home = home
        self.lineage = lineage
        self.revision = revision
    }
}
