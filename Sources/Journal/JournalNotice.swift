/// Something about the journal's file that an administrator should know.
package enum JournalNotice: Hashable, Sendable {
    /// The file was damaged. It was moved to another path, and another file was begun.
    case damaged(JournalError, movedTo: String)
    /// There is no journal, because a newer version wrote the file.
    case unsupported(JournalError)
    /// The file can't be written. Reported once, until it can be written again.
    case unwritable(JournalError)
    /// The file can be written again. The number is that of the entries that were dropped in the meantime.
    case writable(droppedEntries: Int)
    /// An entry was dropped because its content is larger than ``JournalLimits/entryBytes``.
    case dropped(bytes: Int)
}
