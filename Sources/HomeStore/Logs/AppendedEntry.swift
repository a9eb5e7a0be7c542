package import Foundation
package import HomeModel

/// An entry that was appended to its log and is on the disk.
package struct AppendedEntry: Hashable, Sendable {
    /// The log.
    package var log: LogID
    /// The entry's ID.
    package var entryID: UUID
    /// The entry's position in the log.
    package var cursor: LogCursor
    /// The entry's hash.
    package var hash: EntryHash
    /// The entry's time, to the millisecond.
    package var time: Date
}
