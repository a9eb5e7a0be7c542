import Foundation
import HomeModel

extension HomeDatabase {
    /// The state of the logs at one revision each.
    struct State: Sendable {
        var accounts: [UUID: Account] = [:]
        var homes: [UUID: Home] = [:]
        var revisions: [LogID: Int] = [:]
        /// Of the logs that are on disk.
        var lineages: [LogID: UUID] = [:]

        /// A user's own log; one that has no entry yet is empty.
        func account(of user: UUID) -> Account { accounts[user] ?? Account(user: user) }

        /// The position of a log's last entry.
        func cursor(_ log: LogID) -> LogCursor {
            // A log without an entry has no lineage yet; its user's identity does not leave the hub.
            LogCursor(lineage: lineages[log] ?? UUID(), revision: revisions[log] ?? 0)
        }

        mutating func apply(_ change: Change, to log: LogID) {
            switch log {
            case .account(let user): accounts[user, default: Account(user: user)].apply(change)
            case .home(let home): homes[home, default: Home(id: home)].apply(change)
            }
            revisions[log, default: 0] += 1
        }

        mutating func remove(home: UUID) {
            homes[home] = nil
            revisions[.home(home)] = nil
            lineages[.home(home)] = nil
        }
    }
}
