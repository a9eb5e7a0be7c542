import Foundation
import HomeModel
import HomeStore

extension HomeDatabase {
    /// The state of all logs, each at one revision.
    struct State: Sendable {
        var accounts: [UUID: Account] = [:]
        var homes: [UUID: Home] = [:]
        var revisions: [LogID: Int] = [:]
        /// The lineages of the logs that are on disk.
        var lineages: [LogID: UUID] = [:]

        /// Loads all logs.
        static func load(from store: HomeStore) async throws(StoreError) -> State {
            var state = State()
            for id in try await store.logs() {
                guard let log = try await store.load(id) else { continue }
                state.lineages[id] = log.cursor.lineage
                state.revisions[id] = log.cursor.revision
                switch id {
                case .account(let user): state.accounts[user] = Account(user: user, records: log.records)
                case .home(let home): state.homes[home] = Home(id: home, records: log.records)
                }
            }
            return state
        }

        /// Returns a user's account, which is empty if its log has no entries yet.
        func account(of user: UUID) -> Account { accounts[user] ?? Account(user: user) }

        /// Returns the position of a log's last entry.
        func cursor(_ log: LogID) -> LogCursor {
            // A log without entries has no lineage yet. A random one keeps the user's ID inside the hub.
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
