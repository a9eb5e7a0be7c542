package import Foundation
import GRDB
import HomeModel
package import HubAPI
import Synchronization

/// The journal of a hub: what happened in the homes, with its causes, in a file of its own next to the store.
///
/// Recording doesn't wait and doesn't fail. What is recorded is on the disk after the time of its ``JournalUrgency``, and
/// everything when ``flush()`` returns. If the file can't be written, entries wait in memory, and the oldest beyond
/// ``JournalLimits/waiting`` are dropped. All methods can be called from any thread at any time.
package final class JournalFile: Sendable {
    // This is a class because it owns the open database.

    /// The name of the file in the data folder.
    package static let name = "journal.sqlite"

    let writer: JournalWriter
    private let backlog = Mutex(JournalBacklog())
    private let limits: JournalLimits

    /// Opens the journal in a data folder, which is created if it doesn't exist.
    ///
    /// A damaged file is moved aside and another is begun. A file that a newer version wrote is left alone: there is no
    /// journal then. In both cases, and if the file can't be opened for another reason, the result is a journal.
    ///
    /// - Parameters:
    ///   - folder: The data folder. Only one journal may be open in it, which the lock of the store ensures.
    ///   - limits: The bounds.
    ///   - now: A closure that returns the current time, from which the age of entries counts.
    ///   - notify: A closure that receives what an administrator should know.
    /// - Throws: ``JournalError`` with the code `insecure` if other users have access to the file.
    package init(
        in folder: URL,
        limits: JournalLimits = JournalLimits(),
        now: @escaping @Sendable () -> Date,
        notify: @escaping @Sendable (JournalNotice) -> Void
    ) async throws(JournalError) {
        self.limits = limits
        let path = folder.standardizedFileURL.appendingPathComponent(Self.name).path
        writer = JournalWriter(JournalDatabase(path: path), limits: limits, now: now, notify: notify)
        try await writer.open()
    }

    /// Writes what waits and closes the file.
    package func close() async {
        backlog.withLock { $0.samples.end() }
        await write()
        await writer.close()
    }

    // MARK: Recording

    /// Records entries and samples, in the order of the calls.
    ///
    /// - Parameter urgency: How soon they are written, unless much waits.
    package func record(
        _ entries: [JournalEntry],
        samples: [JournalSample] = [],
        urgency: JournalUrgency = .usual
    ) {
        let (write, isHolding) = backlog.withLock { backlog -> ((timer: Int, delay: Duration)?, Bool) in
            backlog.add(entries, limit: limits.waiting)
            for sample in samples { backlog.samples.add(sample) }
            backlog.samples.bound(limits.waiting)
            let isHolding = backlog.beginsToWaitForMinute()
            let urgency = backlog.entries.count >= limits.waiting / 2 ? .high : urgency
            guard !backlog.isEmpty, backlog.scheduled.map({ $0 < urgency }) ?? true else { return (nil, isHolding) }
            return ((backlog.schedule(urgency), urgency.delay(limits)), isHolding)
        }
        if let write { self.write(by: write.timer, after: write.delay) }
        if isHolding { endMinute() }
    }

    /// Waits until everything recorded before the call is on the disk, or could not be written.
    package func flush() async { await write() }

    private func write(by timer: Int, after delay: Duration) {
        Task { [weak self] in
            try? await Task.sleep(for: delay)
            guard let self, backlog.withLock({ $0.timer == timer }) else { return }
            await write()
        }
    }

    /// Writes what waits. A later write begins when this one has ended.
    private func write() async {
        let next = await writer.write { [self] in
            backlog.withLock { $0.take() }
        } puttingBack: { [self] waiting in
            backlog.withLock { $0.putBack(waiting.entries, waiting.samples, limit: limits.waiting) }
        } droppedEntries: { [self] in
            backlog.withLock { $0.takeDropped() }
        }
        continueWriting(next)
    }

    private func continueWriting(_ next: JournalWriter.Next) {
        switch next {
        case .nothing:
            if backlog.withLock({ $0.beginsToWaitForMinute() }) { endMinute() }
        case .more:
            let timer = backlog.withLock { $0.scheduled == nil ? $0.schedule(.usual) : nil }
            if let timer { write(by: timer, after: limits.delay) }
        case .retry:
            // A file that can't be written isn't tried again earlier because more waits.
            let timer = backlog.withLock { $0.schedule(.high) }
            write(by: timer, after: limits.retryDelay)
        }
    }

    /// Writes the last samples of the minute, also if no later ones arrive.
    private func endMinute() {
        Task { [weak self] in
            try? await Task.sleep(for: .seconds(60))
            guard let self else { return }
            backlog.withLock { $0.endMinute() }
            await write()
        }
    }

    // MARK: Reading

    /// Returns entries, newest first. They include everything recorded before the call.
    ///
    /// - Throws: ``JournalError``: `noSuchEntry` if the entry to continue from doesn't exist.
    package func entries(_ selection: JournalSelection) async throws(JournalError) -> [JournalEntry] {
        await flush()
        return try await writer.read { try EntryTable.entries(selection, $0) }
    }

    /// Returns the last change of an object, then its causes, each caused by the next.
    ///
    /// - Parameters:
    ///   - object: An accessory, a trigger or an action set.
    ///   - home: The home.
    /// - Returns: The entries; empty if the journal has none about the object.
    package func explain(_ object: UUID, in home: UUID) async throws(JournalError) -> [JournalEntry] {
        await flush()
        return try await writer.read { try Explanation.entries(about: object, in: home, $0) }
    }

    /// Returns the samples of an accessory since a time, the oldest if there are more than the limit.
    package func samples(
        of accessory: UUID,
        in home: UUID,
        since: Date,
        limit: Int
    ) async throws(JournalError) -> [JournalSample] {
        backlog.withLock { $0.samples.end() }
        await flush()
        return try await writer.read {
            try SampleTable.samples(of: accessory, in: home, since: since, limit: limit, $0)
        }
    }
}
