/// The bounds of a journal.
package struct JournalLimits: Hashable, Sendable {
    /// The maximum number of entries in the file. The oldest are removed.
    package var entries = 1_000_000
    /// The time for which an entry is kept.
    package var entryAge = Duration.seconds(90 * 24 * 60 * 60)
    /// The maximum size of an entry's content in bytes, as it is stored. A larger entry is dropped.
    package var entryBytes = 65_536
    /// The maximum number of samples in the file. The oldest are removed.
    package var samples = 4_000_000
    /// The time for which a sample is kept.
    package var sampleAge = Duration.seconds(30 * 24 * 60 * 60)
    /// The maximum number of entries, and of samples, that wait to be written. While the file can't be written, the
    /// oldest beyond it are dropped.
    package var waiting = 10_000
    /// The maximum number of entries, and of samples, that one transaction removes in addition to as many as it adds.
    package var removalsPerWrite = 500
    /// The maximum number of damaged files that are kept.
    package var damagedFiles = 3
    /// The time after which new entries are written at the latest, besides those of ``reportDelay``. Entries that arrive in
    /// the meantime are written together.
    package var delay = Duration.milliseconds(300)
    /// The time after which samples and entries of what accessories do by themselves are written at the latest. There are
    /// many, and each transaction takes the hub as long as all else that it does for several values.
    package var reportDelay = Duration.seconds(10)
    /// The time by which ``reportDelay`` can be exceeded, because entries and samples wait for it twice: until they are made,
    /// and until they are written.
    package var longWait = Duration.milliseconds(500)
    /// The time after which the file is tried again if it could not be written.
    package var retryDelay = Duration.seconds(5)

    /// Creates the hub's bounds.
    package init() {}
}
