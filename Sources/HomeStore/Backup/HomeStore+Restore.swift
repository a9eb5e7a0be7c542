package import Foundation
import GRDB
package import HomeModel

extension HomeStore {
    /// The folder beside the database in which a hub keeps daily copies.
    package static let copiesFolder = "copies"
    /// The folder beside the database in which a hub makes what it sends.
    package static let outgoingFolder = "outgoing"

    /// Whether a folder has a store in it, whole or not.
    package static func isPresent(at directory: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.standardizedFileURL.path)) ?? []
        return names.contains(where: DataFolder.isDatabase)
    }

    /// Refuses a folder that is not for a new store: one that has a store already, or anything else that is none of what a
    /// restoration that was cut short leaves, nor what a hub keeps beside its store: copies outlive a damaged one.
    ///
    /// - Parameters:
    ///   - directory: The folder; it need not be there.
    ///   - copy: A file that may be in it.
    /// - Throws: ``StoreError`` with the code `occupied`.
    package static func checkIsVacant(_ directory: URL, but copy: URL? = nil) throws(StoreError) {
        let path = directory.standardizedFileURL.path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if names.contains(where: DataFolder.isDatabase) {
            throw StoreError(.occupied, "\(path) has homes in it. Give another folder, or move this one away.")
        }
        var allowed: Set<String> = [copiesFolder, outgoingFolder]
        if let copy, copy.standardizedFileURL.deletingLastPathComponent().path == path {
            allowed.insert(copy.lastPathComponent)
        }
        let others = names.filter {
            !DataFolder.isLeftover($0) && !DataFolder.isFormerDatabase($0) && !allowed.contains($0)
        }
        if let other = others.sorted().first {
            throw StoreError(.occupied, "\(path) is not empty: there is \(other) in it. Give an empty or a new folder.")
        }
    }

    /// Makes a data folder's database of a copy that ``copy(to:)`` wrote, in this version's format or an earlier one.
    ///
    /// Every log begins a new lineage, so that whoever saw what was lost since the copy was made reads anew. The first
    /// entry of it says that the log was restored. The sockets of apps, which are another machine's, are not restored.
    ///
    /// - Parameters:
    ///   - copy: The copy; it stays as it is.
    ///   - directory: The data folder. It may be there, but must be empty but for the copy; see ``checkIsVacant(_:but:)``.
    ///   - caller: Who restores.
    ///   - now: The time.
    /// - Returns: What there is.
    /// - Throws: ``StoreError``, and the folder has no database then: `occupied` if it is not vacant, `damaged` or
    ///   `futureFormat` if the copy cannot be read.
    @discardableResult
    package static func restore(
        _ copy: URL,
        to directory: URL,
        by caller: Caller,
        now: Date
    ) async throws(StoreError) -> RestoreResult {
        let folder = try DataFolder(at: directory)
        defer { folder.unlock() }
        try checkIsVacant(folder.directory, but: copy)
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
                    }
                    _ = try DatabaseFile.check(path)
                    let restoration = try RestoreResult(of: path)
                    try DatabaseFile.removeSidecars(path)
                    try DatabaseFile.giveName(folder.databasePath, to: path)
                    return restoration
                } catch {
                    // Looked at before the leftovers go, which makes room.
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
