package import Foundation
import GRDB
import HomeIdentity
package import RelayAPI

/// A relay's store in one file, for a relay that is one process on one machine.
package final class RelaySQLite: RelayStore {
    // This is a class because it owns the open database.

    let database: DatabasePool
    let queue: WriteQueue
    let file: String

    /// Opens the store of a folder, which must exist and be locked.
    ///
    /// - Parameter onCommit: A closure that gets the number of writes of each transaction.
    /// - Throws: `failure` if the database can't be used; the reason says what to do.
    package init(
        in folder: URL,
        onCommit: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(RelayStoreError) {
        let path = folder.standardizedFileURL.path
        file = path + "/" + RelayDatabase.name
        do {
            database = try RelayDatabase.open(in: path)
        } catch {
            throw RelayStoreError(error, file: file)
        }
        queue = WriteQueue(database, file: file, onCommit: onCommit)
    }

    package func close() async {
        await queue.close()
        let database = database
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            // Closing waits for readers, which need the threads that tasks run on.
            Thread.detachNewThread {
                try? database.close()
                continuation.resume()
            }
        }
    }

    /// Reads in one transaction.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(RelayStoreError) -> Value {
        do {
            return try await database.read { try body($0) }
        } catch {
            throw RelayStoreError(error, file: file)
        }
    }

    package func secret() async throws(RelayStoreError) -> [UInt8] {
        let secret = try await read { database in
            try Data.fetchOne(database, sql: "SELECT value FROM setting WHERE name = 'secret'")
        }
        guard let secret, secret.count == SessionToken.secretByteCount else {
            throw .failure("\(file) is damaged: its secret is missing.")
        }
        return Array(secret)
    }

    package func check() async throws(RelayStoreError) {
        _ = try await read { try Int.fetchOne($0, sql: "SELECT 1 FROM setting") }
    }

    package func counts() async throws(RelayStoreError) -> StoreCounts {
        try await read { database in
            StoreCounts(
                houses: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM house") ?? 0,
                feeds: try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM feed") ?? 0,
                entryBytes: try Int64.fetchOne(database, sql: "SELECT COALESCE(SUM(used), 0) FROM feed") ?? 0
            )
        }
    }
}

/// The rights of keys, inside a transaction.
enum Access {
    /// Throws unless the key owns the house.
    static func requireOwner(_ key: PublicKey, of house: HouseID, _ database: Database) throws {
        guard try isOwner(key, of: house, database) else { throw RelayStoreError.notFound }
    }

    /// Throws unless the key owns the house or has a right to the feed.
    static func require(
        _ right: ReaderRights,
        _ key: PublicKey,
        to feed: FeedID,
        in house: HouseID,
        _ database: Database
    ) throws {
        if try isOwner(key, of: house, database) { return }
        guard let rights = try rights(of: key, to: feed, in: house, database), rights.isSuperset(of: right) else {
            throw RelayStoreError.notFound
        }
    }

    /// Returns the rights of a reader; `nil` if the key isn't one.
    static func rights(
        of key: PublicKey,
        to feed: FeedID,
        in house: HouseID,
        _ database: Database
    ) throws -> ReaderRights? {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT rights FROM reader WHERE house = ? AND feed = ? AND key = ?"),
            arguments: [house.data, feed.data, key.data]
        )
        .map { ReaderRights(rawValue: $0) }
    }

    static func isOwner(_ key: PublicKey, of house: HouseID, _ database: Database) throws -> Bool {
        try Int.fetchOne(
            database.cachedStatement(sql: "SELECT 1 FROM owner WHERE house = ? AND key = ?"),
            arguments: [house.data, key.data]
        ) != nil
    }
}

extension HexadecimalID {
    /// The bytes, as the database has them.
    var data: Data { Data(bytes) }
}

extension PublicKey {
    /// The bytes, as the database has them.
    var data: Data { Data(bytes) }
}
