package import Foundation
package import HomeModel

extension HomeStore {
    /// Gives every log a new lineage, as a restore does, because the data is an old copy.
    ///
    /// The first entry of a lineage suspends users and devices, because they may have been removed since the copy was made. If a
    /// later state of a log is known, the first entry takes it over instead.
    ///
    /// Nothing else may use the store, which is closed next.
    ///
    /// - Parameters:
    ///   - recovered: The later states. Logs that don't exist are created.
    ///   - removed: The logs that were removed later.
    package func beginLineages(
        by caller: Caller,
        now: Date,
        recovering recovered: [LogID: [Record]] = [:],
        removing removed: [LogID] = []
    ) async throws(StoreError) {
        try await write { database in
            for log in removed { try LogTable.remove(log, database) }
            try LogTable.beginLineages(by: caller, now: now, recovering: recovered, database)
            try MetadataTable.beginGeneration(now: now, database)
            try MetadataTable.set(nil, for: .setback, database)
            try SecretTable.removeAll(.device, database)
            try SecretTable.removeAll(.invitation, database)
            try VoterTable.end(database)
        }
    }

    /// Gives every log a new lineage and keeps everything else: the data may lack changes of another hub, which has stopped for
    /// good.
    package func renewLineages(by caller: Caller, now: Date) async throws(StoreError) {
        try await appends.write { transaction, database in
            var states: [LogID: [Record]] = [:]
            for row in try LogTable.rows(database) {
                states[row.name] = try LogTable.load(row.name, database)?.records ?? []
            }
            try LogTable.beginLineages(by: caller, now: now, recovering: states, database)
            transaction = LogTransaction(rows: [:])
        }
    }
}
