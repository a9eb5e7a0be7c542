import Foundation
import GRDB
import Testing

@testable import Relay

/// The relay's database next to what `Documentation/Relay.md` says that it has.
struct RelayDatabaseTests {
    @Test func theDatabaseHasWhatThePageSaysAndNothingElse() async throws {
        let page = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appending(path: "Documentation/Relay.md"),
            encoding: .utf8
        )
        let section = try #require(
            page.split(separator: "### What Its Database Has\n").last?.split(separator: "\n## ").first
        )
        var documented: [String: [String]] = [:]
        for match in section.matches(of: /\n\| `(\w+)` \| (.+?) \|/) {
            documented[String(match.1)] = match.2.matches(of: /`(\w+)`/).map { String($0.1) }.sorted()
        }
        try await withFolder { folder in
            let store = try RelaySQLite(in: folder)
            await store.close()
            let file = try #require(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).first { $0.hasSuffix(".sqlite") }
            )
            let database = try DatabaseQueue(path: folder.appending(path: file).path)
            let tables = try await database.read { database in
                let names = try String.fetchAll(
                    database,
                    sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                )
                let columns = try names.map { try database.columns(in: $0).map(\.name).sorted() }
                return Dictionary(uniqueKeysWithValues: zip(names, columns))
            }
            try database.close()
            for (table, columns) in tables { #expect(documented[table] == columns, "\(table)") }
            #expect(documented.count == tables.count)
        }
    }
}
