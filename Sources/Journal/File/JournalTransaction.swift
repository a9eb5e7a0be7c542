import Foundation
import GRDB
import HubAPI

/// The numbers of rows. They are counted once, because counting a large table is slow.
struct TableCounts: Hashable, Sendable {
    var entries = 0
    var samples = 0
}

/// A transaction that adds entries and samples, and removes as many old ones as the limits require.
struct JournalTransaction: Sendable {
    let limits: JournalLimits
    let now: Date
    let notify: @Sendable (JournalNotice) -> Void
    /// The numbers of rows before and, in the end, after the transaction.
    var counts: TableCounts

    /// An entry and its content as it is stored.
    typealias Prepared = (entry: JournalEntry, content: [UInt8])

    /// Returns an entry with its content as it is stored; `nil` if that is too large.
    func prepare(_ entry: JournalEntry) -> Prepared? {
        // Only numbers without a JSON form can make this fail, and values have been checked for those.
        guard let content = try? EntryTable.encode(entry) else { return nil }
        guard content.count <= limits.entryBytes else {
            notify(.dropped(bytes: content.count))
            return nil
        }
        return (entry, content)
    }

    /// Writes within the open transaction.
    ///
    /// - Returns: Whether more old rows are left to remove.
    mutating func write(_ entries: [Prepared], _ samples: [JournalSample], _ database: Database) throws -> Bool {
        counts.entries += try EntryTable.add(entries, database)
        var series: [JournalSample.Source: Int64] = [:]
        for sample in samples {
            let number = try series[sample.source] ?? SampleTable.series(of: sample.source, database)
            series[sample.source] = number
            if try SampleTable.put(sample, series: number, database) { counts.samples += 1 }
        }
        let oldEntries = try EntryTable.prune(
            before: now - limits.entryAge,
            excess: counts.entries - limits.entries,
            limit: entries.count + limits.removalsPerWrite,
            database
        )
        let oldSamples = try SampleTable.prune(
            before: now - limits.sampleAge,
            excess: counts.samples - limits.samples,
            limit: samples.count + limits.removalsPerWrite,
            database
        )
        counts.entries -= oldEntries.removed
        counts.samples -= oldSamples.removed
        return oldEntries.isMoreDue || oldSamples.isMoreDue
    }
}

extension Date {
    /// Returns the time that was a duration earlier.
    fileprivate static func - (date: Date, duration: Duration) -> Date {
        date.addingTimeInterval(-(duration / .seconds(1)))
    }
}
