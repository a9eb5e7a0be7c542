package import Foundation
package import HomeModel

/// What became of a draft: the entry is in its log, and on the disk.
package struct AppendedEntry: Hashable, Sendable {
    /// The log.
    package var log: LogID
    /// The entry's identity.
    package var entryID: UUID
    /// The entry's place in the log.
    package var cursor: LogCursor
    /// The entry's hash.
    package var hash: EntryHash
    /// The entry's time, to the millisecond.
    package var time: Date
}
