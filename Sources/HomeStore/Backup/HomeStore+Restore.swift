package import Foundation
import GRDB
package import HomeModel

extension HomeStore {
    /// The folder next to the database for the hub's daily copies.
    package static let copiesFolder = "copies"
    /// The folder next to the database for backups that the hub is sending.
    package static let outgoingFolder = "outgoing"
    /// The beginning of the names of the files next to the database that belong to the hub's journal.
    package static let journalPrefix = "journal.sqlite"

    /// Returns whether a folder has a store, complete or not.
    package static func isPresent(at directory: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.standardizedFileURL.path)) ?? []
        return names.contains(where: DataFolder.isDatabase)
    }

    /// Throws unless a folder can be used for a new store.
    ///
    /// The folder may have the remains of an interrupted restore and the files that a hub keeps next to its store,
    /// because copies and the journal outlive a damaged store. It must not have a store or any other file.
    ///
    /// - Parameters:
    ///   - directory: The folder, which need not exist.
    ///   - copy: A file that is allowed in it.
    /// - Throws: ``StoreError`` with the code `occupied`.
    package static func checkIsVacant(_ directory: URL, excluding copy: URL? = nil) throws(StoreError) {
        let path = directory.standardizedFileURL.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if names.contains(where: DataFolder.isDatabase) {
            throw StoreError(.occupied, "\(path) already contains homes. Choose another folder, or move this one away.")
        }
        var allowed: Set<String> = [copiesFolder, outgoingFolder]
        if let copy, copy.standardizedFileURL.deletingLastPathComponent().path == path {
            allowed.insert(copy.lastPathComponent)
        }
        let others = names.filter {
            !DataFolder.isLeftover($0) && !DataFolder.isPreviousDatabase($0) && !$0.hasPrefix(journalPrefix)
                && !allowed.contains($0)
        }
        if let other = others.sorted().first {
            throw StoreError(.occupied, "\(path) is not empty: it contains \(other). Choose an empty or a new folder.")
        }
    }

    /// Creates a data folder's database from a copy that ``copy(to:)`` wrote, in this version's format or an earlier
    /// one.
    ///
    /// Every log begins a new lineage, so that clients that have seen later entries load it again. Its first entry
    /// records the restore. The sockets of apps are not restored, because they belong to another machine.
    ///
    /// - Parameters:
    ///   - copy: The copy, which isn't changed.
    ///   - directory: The data folder. If it exists, it must be vacant except for the copy; see
    ///     ``checkIsVacant(_:excluding:)``.
    ///   - caller: The caller.
    ///   - now: The current time.
    /// - Returns: A summary of the restored store.
    /// - Throws: ``StoreError``; in that case, the folder has no database: `occupied` if it isn't vacant, `damaged` or
    ///   `futureFormat` if the copy can't be read.
    @discardableResult
    package static func restore(
        _ copy: URL,
        to directory: URL,
        by caller: Caller,
        now: Date
    ) async throws(StoreError) -> RestoreResult {
        let folder = try DataFolder(at: directory)
        defer { folder.unlock() }
        try checkIsVacant(folder.directory, excluding: copy)
        do {
            return try await Task.detached {
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
                        try MetadataTable.set(nil, for: .setback, database)
                        // A device that was removed after the copy was made must not be signed in again, nor an
                        // invitation be used again.
                        try SecretTable.removeAll(.device, database)
                        try SecretTable.removeAll(.invitation, database)
                        // A voter that was set back could vote against what it has acknowledged.
                        try VoterTable.end(database)
                    }
                    _ = try DatabaseFile.check(path)
                    let result = try RestoreResult(of: path)
                    try DatabaseFile.removeSidecars(path)
                    try DatabaseFile.moveIntoPlace(path, as: folder.databasePath)
                    return result
                } catch {
                    // Determined before the leftovers are removed, because their removal frees space.
                    let full = StoreError.full(error, file: folder.databasePath)
                    DatabaseFile.removeLeftovers(path)
                    throw full ?? error
                }
            }.value
        } catch {
            throw StoreError(error, file: copy.path)
        }
    }
}
