import GRDB
import HomeModel

/// A summary of a restored store.
package struct RestoreResult: Hashable, Sendable {
    /// The number of homes.
    package var homes = 0
    /// The number of suspended users in all homes.
    package var suspended = 0

    /// Reads the summary from a database that isn't being changed.
    init(of path: String) throws {
        let queue = try DatabaseFile.reader(path)
        defer { try? queue.close() }
        self = try queue.read { try RestoreResult($0) }
    }

    private init(_ database: Database) throws {
        for case .home(let id) in try LogTable.names(database) {
            homes += 1
            for case .user(let user) in try LogTable.load(.home(id), database)?.records ?? [] where user.isSuspended {
                suspended += 1
            }
        }
    }
}
