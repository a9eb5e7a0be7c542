import Foundation
import HomeIdentity
import Relay
import RelayAPI
import RelayPostgres
import Testing

/// The stores that must keep the contract.
enum StoreKind: CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgres
    /// Two processes that share a database.
    case sharedPostgres

    var testDescription: String { "\(self)" }

    /// Opens the store of a folder.
    func open(in folder: URL) async throws -> any RelayStore {
        switch self {
        case .sqlite: return try RelaySQLite(in: folder)
        case .postgres: return try await Self.postgres(in: folder)
        case .sharedPostgres:
            return AlternatingStore([try await Self.postgres(in: folder), try await Self.postgres(in: folder)])
        }
    }

    /// Opens a store in PostgreSQL. A file of the folder says where it is.
    private static func postgres(in folder: URL) async throws -> RelayPostgres {
        let file = folder.appending(path: "postgres")
        if !FileManager.default.fileExists(atPath: file.path) {
            try await PostgresServer.shared().newSchema().write(to: file, atomically: true, encoding: .utf8)
        }
        return try await RelayPostgres.open(try String(contentsOf: file, encoding: .utf8), connections: 2)
    }

    /// Runs `body` with an empty store.
    func with(_ body: (StoreFixture) async throws -> Void) async throws {
        try await withFolder { folder in
            let fixture = StoreFixture(kind: self, folder: folder, store: try await open(in: folder))
            do {
                try await body(fixture)
            } catch {
                await fixture.store.close()
                throw error
            }
            await fixture.store.close()
        }
    }
}

/// Runs `body` with a new folder that is its owner's alone, then removes it.
func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-relay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
        at: folder,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
    )
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
}

/// A store, for one test.
struct StoreFixture {
    let kind: StoreKind
    let folder: URL
    var store: any RelayStore
    let owner = IdentityKey().publicKey
    let house = HouseID.random()
    let feed = FeedID.random()
    /// A time in 2026, in milliseconds.
    let now: Int64 = 1_790_000_000_000

    /// Makes the house and a feed.
    func makeFeed() async throws -> TestWriter {
        _ = try await store.register(house, owners: [owner], with: .open(.home), as: owner, at: now)
        _ = try await store.makeFeed(feed, in: house, as: owner)
        return TestWriter(house: house, feed: feed)
    }

    /// Appends items as the owner.
    func append(_ items: [AppendItem], at time: Int64? = nil) async throws -> [AppendResult] {
        let entries = try items.map { item throws(RelayError) in try CheckedEntry(item, in: house) }
        return try await store.append(entries, to: house, as: owner, at: time ?? now)
    }

    /// Reads entries as the owner.
    func entries(after number: Int64 = 0, limit: Int = 256, bytes: Int = 1 << 30) async throws -> EntryPage {
        try await store.entries(of: feed, in: house, after: number, limit: limit, bytes: bytes, as: owner)
    }

    func status() async throws -> FeedStatus {
        try await store.status(of: feed, in: house, as: owner, at: now)
    }

    func position() async throws -> FeedPosition {
        guard case .entries(_, let position) = try await entries(limit: 1) else { return FeedPosition() }
        return position
    }
}
