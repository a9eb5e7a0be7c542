import GRDB
import HomeModel

/// What a restored store has.
package struct RestoreResult: Hashable, Sendable {
    /// How many homes.
    package var homes = 0
    /// How many people are suspended, all homes taken together.
    package var suspended = 0

    /// Looks at a database that nobody changes.
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
