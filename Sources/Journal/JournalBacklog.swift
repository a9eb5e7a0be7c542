import HubAPI

/// What waits to be written to the journal, in its order and bounded.
struct JournalBacklog {
    private(set) var entries: [JournalEntry] = []
    var samples = SampleThinner()
    /// The number of entries that were dropped because the file could not be written.
    private(set) var dropped = 0
    /// The urgency of the write that is scheduled and will take what waits; `nil` if there is none.
    private(set) var scheduled: JournalUrgency?
    /// The timer of that write. Earlier ones do nothing when they fire.
    private(set) var timer = 0
    /// Whether the last samples of the minute will become due.
    private var isEnding = false

    /// Whether there is something to write now.
    var isEmpty: Bool { entries.isEmpty && samples.dueCount == 0 }

    /// Adds entries. The oldest beyond a limit are dropped.
    mutating func add(_ added: [JournalEntry], limit: Int) {
        entries += added
        bound(limit)
    }

    /// Removes and returns what is to be written now.
    mutating func take() -> (entries: [JournalEntry], samples: [JournalSample]) {
        defer { entries = [] }
        scheduled = nil
        timer += 1
        return (entries, samples.takeDue())
    }

    /// Schedules a write in place of the one that is scheduled, and returns its timer.
    mutating func schedule(_ urgency: JournalUrgency) -> Int {
        scheduled = urgency
        timer += 1
        return timer
    }

    /// Returns whether the caller must end the minute, because samples wait for that and nobody does it yet.
    mutating func beginsToWaitForMinute() -> Bool {
        guard samples.isHolding, !isEnding else { return false }
        isEnding = true
        return true
    }

    /// Makes the last samples of the minute due.
    mutating func endMinute() {
        isEnding = false
        samples.end()
    }

    /// Puts back what could not be written, before what has arrived since.
    mutating func putBack(_ entries: [JournalEntry], _ samples: [JournalSample], limit: Int) {
        self.entries = entries + self.entries
        bound(limit)
        self.samples.putBack(samples, limit: limit)
    }

    /// Returns the number of dropped entries, and begins to count from 0.
    mutating func takeDropped() -> Int {
        defer { dropped = 0 }
        return dropped
    }

    private mutating func bound(_ limit: Int) {
        let excess = entries.count - limit
        guard excess > 0 else { return }
        entries.removeFirst(excess)
        dropped += excess
    }
}
