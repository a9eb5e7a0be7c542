package import Foundation
import GRDB
package import HomeModel

/// What a hub keeps in its data folder: the logs of homes and users with their current state, and the secrets.
///
/// One store has a data folder open at a time. Whatever returns without an error is on the disk: a crash or a loss of
/// power after it loses nothing. All methods can be called from anywhere at any time.
///
/// A class because it owns the open database and the folder's lock, both of which are let go by ``close()``, or with
/// the last reference.
package final class HomeStore: Sendable {
    /// Newest entries that are kept of each log, at least. Older ones are compacted away; their effects are in the
    /// log's state.
    package static let keptEntries = 4_096

    /// The data folder.
    package let directory: URL

    let database: DatabasePool
    private let folder: DataFolder
    private let requests: RequestIndex
    private let appends: AppendQueue

    private init(folder: DataFolder, database: DatabasePool, requests: RequestIndex) {
        directory = folder.directory
        self.folder = folder
        self.database = database
        self.requests = requests
        appends = AppendQueue(database: database, requests: requests, file: folder.databasePath)
    }

    /// Opens the store in a data folder. A folder that is not there is made, and so is the database of an empty one. A
    /// database of an earlier format becomes one of this version's, and a copy of it as it was stays beside it under its
    /// name with `.format` and the format's number.
    ///
    /// - Parameter directory: The data folder. Only its owner may have access to it (mode 0700).
    /// - Throws: ``StoreError``, without having changed the database: `inUse` if another store has it open, `insecure`
    ///   if others could read it, `futureFormat` if a later version wrote it, `damaged` if it cannot be read or its
    ///   entries' hashes do not fit.
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

    /// Waits for running appends and closes the database. Whatever is asked afterwards fails with `closed`.
    ///
    /// - Throws: ``StoreError`` if the database does not close in order; the folder is let go all the same, and nothing
    ///   that was stored is lost.
    package func close() async throws(StoreError) {
        await appends.close()
        defer { folder.unlock() }
        try await folder.attempt { try await DatabaseFile.close(self.database) }
    }
}

// MARK: - Logs

extension HomeStore {
    /// Every log, in the order in which they were made.
    package func logs() async throws(StoreError) -> [LogID] {
        try await read { try LogTable.names($0) }
    }

    /// The current state of a log; nil if there is no such log.
    package func load(_ log: LogID) async throws(StoreError) -> StoredLog? {
        try await read { try LogTable.load(log, $0) }
    }

    /// Appends entries, to one log or several, all of them or none.
    ///
    /// Appends happen in the order in which they were called, also by an actor that does not wait for one before it
    /// calls the next. Those that wait for one another become one transaction.
    /// A log that does not exist is made by a draft that expects revision 0.
    ///
    /// - Parameters:
    ///   - drafts: The entries, with the receipts of the requests that they came of.
    ///   - removed: Logs that are removed in the same transaction, with all that they hold and their secrets. Their pairings
    ///     become ``SecretKey/Kind/owedRemoval``.
    /// - Returns: What became of each draft, in their order.
    /// - Throws: ``StoreError``, and nothing was changed: `conflict` if a log is at another revision than a draft
    ///   expects, `repeated` if a request was carried out before.
    @discardableResult
    nonisolated(nonsending) package func append(
        _ drafts: [EntryDraft],
        removing removed: [LogID] = []
    ) async throws(StoreError) -> [AppendedEntry] {
        try await appends.append(drafts, removing: removed)
    }

    /// The entries of a log after a reader's place in it.
    ///
    /// - Returns: The entries in order; nil if the reader has to load the log anew: it knows another lineage or what
    ///   never was, the entries after its place were compacted away, or are more than `limit`.
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
    /// Whether a request was carried out that is still known: the entries that it led to are on the disk.
    package func hasReceipt(of request: RequestKey) -> Bool {
        requests.place(of: request) != nil
    }

    /// What a request was and what came of it; nil if it is not known, be it that it was never carried out, changed
    /// nothing, or is one of those that ``RequestLimits`` let go.
    package func receipt(of request: RequestKey) async throws(StoreError) -> RequestReceipt? {
        guard let place = requests.place(of: request) else { return nil }
        let receipt = try await read { try RequestTable.receipt(at: place, $0) }
        return receipt?.request == request ? receipt : nil
    }
}

// MARK: - Secrets and metadata

extension HomeStore {
    /// A secret; nil if there is none of that name.
    package func secret(_ key: SecretKey) async throws(StoreError) -> [UInt8]? {
        try await read { try SecretTable.value(key, $0) }
    }

    /// The names of all secrets of a kind and log, in the order of their names.
    package func secrets(_ kind: SecretKey.Kind, of log: LogID?) async throws(StoreError) -> [SecretKey] {
        try await read { try SecretTable.keys(kind, of: log, $0) }
    }

    /// Stores a secret, in place of one of the same name, and removes others in the same transaction.
    ///
    /// - Throws: ``StoreError`` with `noSuchLog` if the log to which it belongs doesn't exist; nothing is removed then.
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

    /// Stores a secret unless there is one of the same name. Of several callers at once one stores, and all get the same.
    ///
    /// - Returns: What is stored.
    /// - Throws: ``StoreError`` with `noSuchLog` if the log to which it belongs doesn't exist.
    package func keepSecret(_ value: [UInt8], for key: SecretKey) async throws(StoreError) -> [UInt8] {
        try await write { database in
            if let kept = try SecretTable.value(key, database) { return kept }
            try SecretTable.set(value, for: key, database)
            return value
        }
    }

    /// Removes a secret, and overwrites it in the file. Removing what is not there does nothing.
    package func removeSecret(_ key: SecretKey) async throws(StoreError) {
        try await write { try SecretTable.remove(key, $0) }
    }

    /// Something that the hub keeps about itself; nil if it was never set.
    package func metadata(_ key: MetadataKey) async throws(StoreError) -> String? {
        try await read { try MetadataTable.value(key, $0) }
    }

    /// Stores something that the hub keeps about itself; nil removes it.
    package func setMetadata(_ value: String?, for key: MetadataKey) async throws(StoreError) {
        try await write { try MetadataTable.set(value, for: key, $0) }
    }
}

extension HomeStore {
    private func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await folder.attempt { try await self.database.read(body) }
    }

    private func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        try await folder.attempt { try await self.database.write(body) }
    }
}
