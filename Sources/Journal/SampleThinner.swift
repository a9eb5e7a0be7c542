/// Thins the samples of each characteristic to one a minute: the last of the minute.
///
/// The first sample of a minute is written with the next transaction, so that what is on the disk is about a minute old.
/// Later samples of that minute replace each other in memory, and the last of them is written when the minute is over.
struct SampleThinner {
    private var latest: [JournalSample.Source: (sample: JournalSample, isWritten: Bool)] = [:]
    /// The samples to write, at most one for each characteristic and minute.
    private var due: [JournalSample] = []

    /// The number of samples that are due.
    var dueCount: Int { due.count }
    /// Whether a sample may wait for the end of its minute.
    private(set) var isHolding = false

    /// Takes a sample.
    mutating func add(_ sample: JournalSample) {
        if let last = latest[sample.source] {
            if last.sample.minute == sample.minute {
                // A value that repeats within its minute costs no write.
                if last.sample.value != sample.value {
                    latest[sample.source] = (sample, false)
                    isHolding = true
                }
                return
            }
            if !last.isWritten { due.append(last.sample) }
        }
        due.append(sample)
        latest[sample.source] = (sample, true)
    }

    /// Makes all samples due, even if their minutes aren't over, and forgets what was written.
    mutating func end() {
        due += latest.values.lazy.filter { !$0.isWritten }.map(\.sample)
        latest = [:]
        isHolding = false
    }

    /// Drops the oldest due samples beyond a limit.
    mutating func bound(_ limit: Int) {
        if due.count > limit { due.removeFirst(due.count - limit) }
    }

    /// Removes and returns the samples that are due, in their order.
    mutating func takeDue() -> [JournalSample] {
        defer { due = [] }
        return due
    }

    /// Puts samples back that could not be written. The oldest beyond a limit are dropped.
    mutating func putBack(_ samples: [JournalSample], limit: Int) {
        due = samples + due
        bound(limit)
    }
}
