import Foundation
import HomeModel
import HubAPI

/// Reads the journal page by page.
struct JournalReader {
    let client: HomeClient
    let home: UUID

    /// Returns entries, newest first.
    ///
    /// - Parameters:
    ///   - objects: The objects that they are about; `nil` for all.
    ///   - since: The earliest time; `nil` for no limit.
    ///   - limit: The maximum number.
    func entries(about objects: [UUID]?, since: Date?, limit: Int) async throws(HubError) -> [JournalEntry] {
        guard let objects, objects.count > 1 else { return try await pages(about: objects?.first, since, limit) }
        var all: [JournalEntry] = []
        for object in objects { all += try await pages(about: object, since, limit) }
        return Array(all.sorted { $0.time > $1.time }.prefix(limit))
    }

    private func pages(about object: UUID?, _ since: Date?, _ limit: Int) async throws(HubError) -> [JournalEntry] {
        var entries: [JournalEntry] = []
        while entries.count < limit {
            let count = min(limit - entries.count, HubProtocol.journalEntriesPerPage)
            let query = JournalQuery(home: home, about: object, since: since, before: entries.last?.id, limit: count)
            let page = try await client.call(HubMethods.journal, query).entries
            entries += page
            if page.count < count { break }
        }
        return entries
    }

    /// Returns the samples of an accessory by the characteristic's instance ID, in their order.
    func samples(of accessory: UUID, since: Date) async throws(HubError) -> [JournalSamples.Series] {
        var series: [UInt64: JournalSamples.Series] = [:]
        var start = since
        while true {
            let query = JournalSampleQuery(home: home, accessory: accessory, since: start)
            let page = try await client.call(HubMethods.journalSamples, query).series
            for part in page {
                series[part.iid, default: JournalSamples.Series(iid: part.iid, times: [], values: [])].times +=
                    part.times
                series[part.iid]?.values += part.values
            }
            guard page.map(\.times.count).reduce(0, +) >= HubProtocol.journalSamplesPerPage,
                let last = page.compactMap(\.times.last).max()
            else { break }
            start = Date(timeIntervalSince1970: Double(last + 1) / 1_000)
        }
        return series.values.sorted { $0.iid < $1.iid }
    }
}
