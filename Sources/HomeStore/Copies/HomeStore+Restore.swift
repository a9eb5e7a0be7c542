public import Foundation
import GRDB
public import HomeModel

extension HomeStore {
    /// Makes a data folder's database of a copy that ``copy(to:)`` wrote, in this version's format or an earlier one.
    ///
    /// Every log begins a new lineage, so that whoever saw what was lost since the copy was made reads anew. The first
    /// entry of it says that the log was restored. The sockets of apps, which are another machine's, are not restored.
    ///
    /// - Parameters:
    ///   - copy: The copy; it stays as it is.
    ///   - directory: The data folder. It may be there, but must not have a database.
    ///   - caller: Who restores.
    ///   - now: The time.
    /// - Throws: ``StoreError``, and the folder has no database then: `occupied` if it had one before, `damaged` or
    ///   `futureFormat` if the copy cannot be read.
    public static func restore(
        _ copy: URL,
        to directory: URL,
        by caller: Caller,
        now: Date
    ) async throws(StoreError) {
        let folder = try DataFolder(at: directory)
        defer { folder.unlock() }
        guard try !folder.hasDatabase() else {
            throw StoreError(
                .occupied,
                "\(folder.directory.path) has homes in it. Give another folder, or move this one away."
            )
        }
        do {
            try await Task.detached {
                let path = folder.unfinishedDatabasePath
                DatabaseFile.removeLeftovers(path)
                do {
                    let format = try DatabaseFile.check(copy.path).format
                    let source = try DatabaseFile.reader(copy.path)
                    try DatabaseFile.copy(source, to: path, journal: .writeAhead)
                    try source.close()
                    try DatabaseFile.change(path) { database in
                        if format < Schema.version { try Schema.migrate(database, from: format) }
                        try LogTable.beginLineages(by: caller, now: now, database)
                        try MetadataTable.beginGeneration(now: now, database)
                        try MetadataTable.set(nil, for: .appSockets, database)
                    }
                    _ = try DatabaseFile.check(path)
                    try DatabaseFile.giveName(folder.databasePath, to: path)
                } catch {
                    DatabaseFile.removeLeftovers(path)
                    throw error
                }
            }.value
        } catch {
            throw StoreError(error, file: copy.path)
        }
    }
}
