package import Consensus
package import Foundation
import GRDB
import HomeModel

/// The whole state that both hubs have, for a hub that lacks more than the batches that are kept.
extension HomeStore {
    /// The tables that are the same at both hubs. The sequences are those of IDs that SQLite draws.
    private static let sharedTables = ["log", "entry", "record", "request", "firing", "state", "sqlite_sequence"]

    /// Writes the state that both hubs have to a file: without this hub's own keys, pairings and settings.
    ///
    /// - Parameter file: The path of the file, which must not exist. It appears when it is complete, and only the owner can
    ///   read it.
    /// - Returns: The position of the last batch that was applied to the state.
    /// - Throws: ``StoreError``; in that case, there is no file.
    package func makeBase(at file: URL) async throws(StoreError) -> BatchPosition {
        let unfinished = file.path + ".new"
        do {
            return try await FileWork.run { [database] in
                guard !FileManager.default.fileExists(atPath: file.path) else {
                    throw StoreError(.occupied, "\(file.path) already exists.")
                }
                DatabaseFile.removeLeftovers(unfinished)
                try DatabaseFile.copy(database, to: unfinished, journal: .rollback)
                var position: BatchPosition?
                try DatabaseFile.change(unfinished) { database in
                    position = try VoterTable.applied(database)
                    try Self.removeOwn(database)
                    guard let position else { return }
                    try VoterTable.end(database)
                    try VoterTable.begin(at: position, database)
                }
                guard let position else { throw StoreError(.invalid, "This hub is alone, so it has no base.") }
                // What was removed must not be found in free pages.
                try DatabaseFile.vacuum(unfinished)
                try DatabaseFile.moveIntoPlace(unfinished, as: file.path)
                return position
            }
        } catch {
            let error = StoreError(error, file: file.path)
            DatabaseFile.removeLeftovers(unfinished)
            throw error
        }
    }

    private static func removeOwn(_ database: Database) throws {
        let kinds = SecretKey.Kind.shared.map(\.rawValue).joined(separator: "', '")
        let keys = MetadataKey.shared.map(\.rawValue).joined(separator: "', '")
        try database.execute(
            sql: """
                DELETE FROM secret WHERE kind NOT IN ('\(kinds)');
                DELETE FROM metadata WHERE key NOT IN ('\(keys)');
                """
        )
    }

    /// Checks a base that ``makeBase(at:)`` wrote.
    ///
    /// - Returns: The position of the last batch that was applied to it.
    /// - Throws: ``StoreError`` if it is damaged, or of another format.
    package static func checkBase(_ file: URL) throws(StoreError) -> BatchPosition {
        do {
            guard try DatabaseFile.check(file.path).format == Schema.version else {
                throw StoreError(.futureFormat, "The other hub has an older version. Update it.")
            }
            let queue = try DatabaseFile.reader(file.path)
            defer { try? queue.close() }
            guard let position = try queue.read({ try VoterTable.applied($0) }) else {
                throw StoreError(.damaged, "\(file.path) is not the state of a hub that is one of two.")
            }
            return position
        } catch {
            throw StoreError(error, file: file.path)
        }
    }

    /// Replaces the state that both hubs have by a base, in one transaction. This hub's own keys, pairings and settings stay;
    /// pairings of homes that don't exist any more become ``SecretKey/Kind/scheduledRemoval``.
    ///
    /// A hub that was alone becomes one of two.
    ///
    /// - Parameters:
    ///   - file: The base. It isn't changed.
    ///   - keepsLater: Whether the stored batches after the base stay.
    /// - Returns: The position of the last batch that was applied to the base.
    /// - Throws: ``StoreError``; nothing has changed then.
    @discardableResult
    package func installBase(
        from file: URL,
        keepsLater: Bool = false
    ) async throws(StoreError) -> BatchPosition {
        let position = try await Task.detached { () async -> Result<BatchPosition, StoreError> in
            do throws(StoreError) { return .success(try Self.checkBase(file)) } catch { return .failure(error) }
        }.value.get()
        try await appends.replaceAll(attaching: file.path) { database in
            let gone = try Set(LogTable.names(database)).subtracting(
                String.fetchAll(database, sql: "SELECT name FROM base.log").compactMap { LogID($0) }
            )
            for log in gone { try SecretTable.removeAll(of: log, database) }
            for table in Self.sharedTables {
                try database.execute(
                    sql: "DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM base.\(table)"
                )
            }
            for kind in SecretKey.Kind.shared { try SecretTable.removeAll(kind, database) }
            for key in MetadataKey.shared { try MetadataTable.set(nil, for: key, database) }
            try database.execute(
                sql: """
                    INSERT INTO main.secret SELECT * FROM base.secret;
                    INSERT INTO main.metadata SELECT * FROM base.metadata;
                    """
            )
            if keepsLater {
                try VoterTable.removeBatches(through: position.place, database)
            } else {
                try VoterTable.removeBatches(through: .max, database)
            }
            try VoterTable.begin(at: position, database)
        }
        return position
    }
}
