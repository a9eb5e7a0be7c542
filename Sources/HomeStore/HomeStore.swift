package import Foundation
import GRDB
package import HomeModel

/// The storage of a hub in its data folder: the logs of homes and users with their current state, and the secrets.
///
/// Only one store can have a data folder open. When a method returns without an error, its data is on the disk and
/// survives a crash or a power failure. All methods can be called from any thread at any time.
///
/// This is a class because it owns the open database and the folder's lock. Both are released by ``close()``, or with
/// the last reference.
package final class HomeStore: Sendable {
    /// The minimum number of newest entries that are kept of each log. Older entries are compacted away; their effects
    /// are in the log's state.
    package static let keptEntries = 4_096

    /// The data folder.
    package let directory: URL

    let database: DatabasePool
    private let folder: DataFolder
    let requests: RequestIndex
    let appends: AppendQueue

    private init(folder: DataFolder, database: DatabasePool, requests: RequestIndex) {
        directory = folder.directory
        self.folder = folder
        self.database = database
        self.requests = requests
        appends = AppendQueue(database: database, requests: requests, file: folder.databasePath)
    }

    /// Opens the store in a data folder.
    ///
    /// Creates the folder if it doesn't exist, and the database if the folder is empty. A database in an earlier format
    /// is migrated. A copy of the original stays next to it, with `.format` and the format's number appended to its
    /// name.
    ///
    /// - Parameter directory: The data folder. Only its owner may have access to it (mode 0700).
    /// - Throws: ``StoreError``, without changing the database: `inUse` if another store has it open, `insecure` if
    ///   other users could read it, `futureFormat` if a newer version wrote it, `damaged` if it can't be read or the
    ///   hashes of its entries don't match.
    package static func open(at directory: URL) async throws(StoreError) -> HomeStore {
        let folder = try DataFolder(at: directory)
        return try await folder.attempt {
            var content = DatabaseContent()
            if try folder.hasDatabase() {
                content = try DatabaseFile.check(folder.databasePath)
                if content.format < Schema.version {
                    try DatabaseFile.migrate(folder, from: content.format)
                    content = try DatabaseFile.check(folder.databasePath)
                }
            } else {
                try DatabaseFile.create(folder)
            }
            return HomeStore(
                folder: folder,
                database: try DatabaseFile.open(folder.databasePath),
                requests: RequestIndex(content.requests)
            )
        }
    }

    /// Waits for running appends and closes the database. Later calls fail with `closed`.
    ///
    /// - Throws: ``StoreError`` if the database can't be closed properly. The folder is released anyway, and no stored
    ///   data is lost.
    package func close() async throws(StoreError) {
        await appends.close()
        defer { folder.unlock() }
        try await folder.attempt { try await DatabaseFile.close(self.database) }
    }
}

// MARK: - Logs

extension HomeStore {
    /// Returns all logs, in the order in which they were created.
    package func logs() async throws(StoreError) -> [LogID] {
        try await read { try LogTable.names($0) }
    }

    /// Returns the current state of a log; `nil` if it doesn't exist.
    package func load(_ log: LogID) async throws(StoreError) -> StoredLog? {
        try await read { try LogTable.load(log, $0) }
    }

    /// Appends entries to one or several logs, all of them or none.
    ///
    /// Appends are written in the order of the calls, even if an actor doesn't await one before it calls the next.
    /// Appends that wait at the same time are combined into one transaction. A draft that expects revision 0 creates
    /// its log.
    ///
    /// - Parameters:
    ///   - drafts: The entries, with the receipts of the requests that caused them.
    ///   - removed: Logs to remove in the same transaction, with their contents and secrets. Their pairings become
    ///     ``SecretKey/Kind/scheduledRemoval``.
    /// - Returns: The appended entry for each draft, in order.
    /// - Throws: ``StoreError``, without changing anything: `conflict` if a log isn't at the revision that a draft
    ///   expects, `repeated` if a request was already carried out.
    @discardableResult
    nonisolated(nonsending) package func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID] = []
    ) async throws(StoreError) -> [AppendedEntry] {
        try await appends.append(drafts, removing: removed)
    }

    /// Returns the entries of a log after a reader's position.
    ///
    /// - Returns: The entries in order. `nil` if the reader must load the log again: the lineage has changed, the
    ///   position doesn't exist, the entries after it were compacted away, or there are more than `limit`.
    package func entries(
        of log: LogID,
        after cursor: LogCursor,
        limit: Int = HomeStore.keptEntries
    ) async throws(StoreError) -> [StoredEntry]? {
        try await read { try LogTable.entries(of: log, after: cursor, limit: limit, $0) }
    }
}

// MARK: - Requests

extension HomeStore {
    /// Returns whether the receipt of a request is stored. If so, the request's entries are on the disk.
    package func hasReceipt(of request: RequestKey) -> Bool {
        requests.rowID(of: request) != nil
    }

    /// Returns the receipt of a request; `nil` if the request was never carried out, changed nothing, or is beyond
    /// ``RequestLimits``.
    package func receipt(of request: RequestKey) async throws(StoreError) -> RequestReceipt? {
        guard let rowID = requests.rowID(of: request) else { return nil }
        let receipt = try await read { try RequestTable.receipt(at: rowID, $0) }
        return receipt?.request == request ? receipt : nil
    }
}

// MARK: - Secrets and metadata

extension HomeStore {
    /// Returns a secret; `nil` if it doesn't exist.
    package func secret(_ key: SecretKey) async throws(StoreError) -> [UInt8]? {
        try await read { try SecretTable.value(key, $0) }
    }

    /// Returns the keys of all secrets of a kind and log, sorted by name.
    package func secrets(_ kind: SecretKey.Kind, of log: LogID?) async throws(StoreError) -> [SecretKey] {
        try await read { try SecretTable.keys(kind, of: log, $0) }
    }

    /// Stores a secret, replacing one with the same key, and removes others in the same transaction.
    ///
    /// - Throws: ``StoreError`` with `noSuchLog` if the secret's log doesn't exist. In that case, nothing is removed.
    package func setSecret(
        _ value: [UInt8],
        for key: SecretKey,
        removing others: [SecretKey] = []
    ) async throws(StoreError) {
        try await write { database in
            try SecretTable.set(value, for: key, database)
            for other in others { try SecretTable.remove(other, database) }
        }
    }

    /// Stores a secret unless one with the same key exists. Of several concurrent callers, one stores its value, and
    /// all get the same one.
    ///
    /// - Returns: The stored value.
    /// - Throws: ``StoreError`` with `noSuchLog` if the secret's log doesn't exist.
    package func setSecretIfAbsent(_ value: [UInt8], for key: SecretKey) async throws(StoreError) -> [UInt8] {
        try await write { database in
            if let existing = try SecretTable.value(key, database) { return existing }
            try SecretTable.set(value, for: key, database)
            return value
        }
    }

    /// Removes a secret, if it exists, and overwrites it in the file.
    package func removeSecret(_ key: SecretKey) async throws(StoreError) {
        try await write { try SecretTable.remove(key, $0) }
    }

    /// Removes all secrets, and overwrites them in the file: this hub may control nothing any more.
    package func removeSecrets() async throws(StoreError) {
        try await write { try SecretTable.removeAll($0) }
    }

    /// Returns a value of the hub's metadata; `nil` if it was never set.
    package func metadata(_ key: MetadataKey) async throws(StoreError) -> String? {
        try await read { try MetadataTable.value(key, $0) }
    }

    /// Stores a value in the hub's metadata; `nil` removes it.
    package func setMetadata(_ value: String?, for key: MetadataKey) async throws(StoreError) {
        try await write { try MetadataTable.set(value, for: key, $0) }
    }
}

extension HomeStore {
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await folder.attempt { try await self.database.read(body) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await folder.attempt { try await self.database.write(body) }
    }
}
