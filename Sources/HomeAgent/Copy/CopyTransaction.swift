import Foundation
import GRDB
import HAPCatalog
import HomeModel
import HubAPI

/// Reads and writes the rows of a copy within a transaction.
struct CopyTransaction {
    private enum Fact {
        static let user = "user"
        static let run = "run"
        static let contact = "contact"
    }

    /// The name of the account's log among the homes.
    private static let account = ""

    let database: Database

    // MARK: Reading

    /// Returns what the rows have.
    func state() throws -> CopyState {
        var state = CopyState()
        let facts = try Dictionary(
            uniqueKeysWithValues: Row.fetchAll(database, sql: "SELECT name, value FROM fact").map {
                ($0["name"] as String, $0["value"] as String)
            }
        )
        state.run = facts[Fact.run].flatMap { UUID(uuidString: $0) }
        state.lastContact = facts[Fact.contact].flatMap { Double($0) }.map { Date(timeIntervalSince1970: $0) }
        if let user = facts[Fact.user].flatMap({ UUID(uuidString: $0) }) {
            let keys = try Row.fetchAll(database, sql: "SELECT home, bytes FROM key").map { row in
                (try id(row["home"]), row["bytes"] as Data)
            }
            state.keys = HomeKeys(user: user, keys: Dictionary(uniqueKeysWithValues: keys))
        }
        guard let snapshot = try snapshot() else { return state }
        state.hub.apply(.reset(snapshot))
        return state
    }

    /// Returns what the rows have of the hub's feed; `nil` for nothing.
    func feed() throws -> CopyFeed? {
        try Data.fetchOne(database, sql: "SELECT body FROM feed").map {
            try JSONDecoder().decode(CopyFeed.self, from: $0)
        }
    }

    private func snapshot() throws -> Snapshot? {
        var records: [String: [HomeModel.Record]] = [:]
        let decoder = JSONDecoder()
        let rows = try Row.fetchCursor(database, sql: "SELECT home, body FROM record ORDER BY position")
        while let row = try rows.next() {
            let record = try decoder.decode(HomeModel.Record.self, from: row["body"] as Data)
            records[row["home"], default: []].append(record)
        }
        var account: Snapshot.Log?
        var homes: [UUID: Snapshot.Log] = [:]
        for row in try Row.fetchAll(database, sql: "SELECT home, lineage, revision, user FROM log") {
            let home: String = row["home"]
            let cursor = LogCursor(lineage: try id(row["lineage"]), revision: row["revision"])
            let user = try (row["user"] as String?).map(id)
            let log = Snapshot.Log(cursor, records[home] ?? [], user: user)
            if home == Self.account { account = log } else { homes[try id(home)] = log }
        }
        guard let account else { return nil }
        var values = KnownValues()
        for row in try Row.fetchAll(database, sql: "SELECT home, accessory, body FROM value") {
            let decoded = try decoder.decode([UInt64: CharacteristicValue].self, from: row["body"] as Data)
            values.insert(decoded, of: try id(row["accessory"]), in: try id(row["home"]))
        }
        let runs = try Data.fetchAll(database, sql: "SELECT body FROM run").map {
            try decoder.decode(RunUpdate.self, from: $0)
        }
        return Snapshot(account: account, homes: homes, values: values, reachability: [], runs: runs)
    }

    private func id(_ text: String) throws -> UUID {
        guard let id = UUID(uuidString: text) else { throw CopyFileError.damaged }
        return id
    }

    // MARK: Writing

    /// Replaces everything.
    func replace(with state: CopyState) throws {
        for table in ["fact", "log", "key", "record", "value", "run"] {
            try database.execute(sql: "DELETE FROM \(table)")
        }
        try set(state.keys)
        try set(run: state.run, contact: state.lastContact)
        guard let seen = state.hub.seen else { return }
        try setCursor(seen.account, Self.account)
        for record in state.hub.account.records { try put(record, Self.account) }
        for (id, home) in state.hub.homes {
            guard let cursor = seen.homes[id] else { continue }
            try setCursor(cursor, id.uuidString, user: home.viewer)
            for record in home.records { try put(record, id.uuidString) }
        }
        for (home, accessories) in state.hub.values.accessories {
            for accessory in accessories {
                try set(state.hub.values.values(of: accessory, in: home), accessory, home)
            }
        }
        try set(Array(state.hub.runs.values))
    }

    /// Applies a change of a log, or the loss of a home. One that the rows already include changes nothing.
    func apply(_ event: HubEvent) throws {
        switch event {
        case .change(let change): try apply(change)
        case .homeGone(let home): try remove(home)
        default: break
        }
    }

    private func apply(_ change: LogChange) throws {
        let home = change.home?.uuidString ?? Self.account
        let row = try Row.fetchOne(database, sql: "SELECT lineage, revision FROM log WHERE home = ?", arguments: [home])
        if let row, row["lineage"] as String == change.lineage.uuidString, row["revision"] as Int >= change.revision {
            return
        }
        for effect in change.change.effects {
            switch effect {
            case .put(let record): try put(record, home)
            case .remove(let id):
                try database.execute(
                    sql: "DELETE FROM record WHERE home = ? AND kind = ? AND id = ?",
                    arguments: [home, id.kind.rawValue, id.id]
                )
            }
        }
        for accessory in change.change.removedAccessories {
            try database.execute(
                sql: "DELETE FROM value WHERE home = ? AND accessory = ?",
                arguments: [home, accessory.uuidString]
            )
        }
        let cursor = LogCursor(lineage: change.lineage, revision: change.revision)
        try setCursor(cursor, home, user: change.user)
    }

    private func remove(_ home: UUID) throws {
        for table in ["log", "key", "record", "value"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE home = ?", arguments: [home.uuidString])
        }
    }

    /// Sets the person and the alias keys.
    func set(_ keys: HomeKeys?) throws {
        guard let keys else { return }
        try setFact(Fact.user, keys.user.uuidString)
        for (home, bytes) in keys.keys {
            try database.execute(
                sql: """
                    INSERT INTO key (home, bytes) VALUES (?, ?)
                    ON CONFLICT (home) DO UPDATE SET bytes = excluded.bytes
                    """,
                arguments: [home.uuidString, bytes]
            )
        }
    }

    /// Sets the hub's run and the time of the last contact.
    func set(run: UUID?, contact: Date?) throws {
        if let run { try setFact(Fact.run, run.uuidString) }
        if let contact { try setFact(Fact.contact, "\(contact.timeIntervalSince1970)") }
    }

    /// Sets what is known of the hub's feed.
    func set(_ feed: CopyFeed) throws {
        try database.execute(sql: "DELETE FROM feed")
        try database.execute(sql: "INSERT INTO feed (body) VALUES (?)", arguments: [try JSONEncoder().encode(feed)])
    }

    /// Sets the values of an accessory.
    func set(_ values: KnownValues.AccessoryValues, _ accessory: UUID, _ home: UUID) throws {
        guard !values.isEmpty else {
            return try database.execute(
                sql: "DELETE FROM value WHERE home = ? AND accessory = ?",
                arguments: [home.uuidString, accessory.uuidString]
            )
        }
        try database.execute(
            sql: """
                INSERT INTO value (home, accessory, body) VALUES (?, ?, ?)
                ON CONFLICT (home, accessory) DO UPDATE SET body = excluded.body
                """,
            arguments: [home.uuidString, accessory.uuidString, try JSONEncoder().encode(values)]
        )
    }

    /// Replaces the last runs.
    func set(_ runs: [RunUpdate]) throws {
        try database.execute(sql: "DELETE FROM run")
        for run in runs {
            try database.execute(
                sql: "INSERT OR REPLACE INTO run (id, body) VALUES (?, ?)",
                arguments: [run.id.uuidString, try JSONEncoder().encode(run)]
            )
        }
    }

    private func setFact(_ name: String, _ value: String) throws {
        try database.execute(
            sql: "INSERT INTO fact (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            arguments: [name, value]
        )
    }

    private func setCursor(_ cursor: LogCursor, _ home: String, user: UUID? = nil) throws {
        try database.execute(
            sql: """
                INSERT INTO log (home, lineage, revision, user) VALUES (?, ?, ?, ?)
                ON CONFLICT (home) DO UPDATE SET
                    lineage = excluded.lineage, revision = excluded.revision, user = coalesce(excluded.user, user)
                """,
            arguments: [home, cursor.lineage.uuidString, cursor.revision, user?.uuidString]
        )
    }

    private func put(_ record: HomeModel.Record, _ home: String) throws {
        let id = record.recordID
        try database.execute(
            sql: """
                INSERT INTO record (home, kind, id, body) VALUES (?, ?, ?, ?)
                ON CONFLICT (home, kind, id) DO UPDATE SET body = excluded.body
                """,
            arguments: [home, id.kind.rawValue, id.id, try JSONEncoder().encode(record)]
        )
    }
}
