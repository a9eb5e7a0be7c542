import Foundation
import HomeModel
import HomeStore
import HubAPI
import Testing

@testable import HomeHub

/// Users' lists of homes match the homes of which they are members, regardless of what was stored.
struct MembershipTests {
    private static let hub = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())

    /// Appends a change to a log, at the log's current revision.
    private static func append(_ change: Change?, to log: LogID, in store: HomeStore) async throws {
        let draft = EntryDraft(
            log: log,
            entryID: UUID(),
            caller: hub,
            cause: .app,
            time: Date(),
            change: try #require(change),
            expectedRevision: try await store.load(log)?.cursor.revision ?? 0
        )
        try await store.append([draft])
    }

    private static func withStore(in folder: URL, _ body: (HomeStore) async throws -> Void) async throws {
        let store = try await HomeStore.open(at: folder.appending(path: "hub"))
        try await body(store)
        try await store.close()
    }

    private static func addHome(_ name: String, in folder: URL) async throws -> (home: UUID, owner: UUID) {
        try await withHub(at: folder) { hub in
            (try await RecordingHubClient(to: hub).call(HubMethods.addHome, AddHome(name: name)).id, hub.owner.user)
        }
    }

    @Test func aMemberWhoseListLacksTheHomeHasItAfterTheNextStart() async throws {
        try await withDataFolder { folder in
            let (home, owner) = try await Self.addHome("Villa", in: folder)
            let guest = UUID()
            try await Self.withStore(in: folder) { store in
                let records = try #require(try await store.load(.home(home))).records
                var caller = Self.hub
                caller.user = owner
                let change = try Home(id: home, records: records)
                    .decide(AddUser(id: guest, name: "Ann", role: .guest), by: caller, at: Date())
                try await Self.append(change, to: .home(home), in: store)
            }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub, as: guest)
                #expect(probe.view.account.homes.map(\.name) == ["Villa"])
                #expect(probe.view.homes.keys.map(\.self) == [home])
            }
            // The correction is made only once.
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub, as: guest)
                #expect(probe.view.seen?.account.revision == 1)
            }
        }
    }

    @Test func aListedHomeThatDoesNotExistIsGoneAfterTheNextStart() async throws {
        try await withDataFolder { folder in
            let (_, owner) = try await Self.addHome("Villa", in: folder)
            try await Self.withStore(in: folder) { store in
                let records = try #require(try await store.load(.account(owner))).records
                let change = try Account(user: owner, records: records).decide(.addHome(id: UUID(), name: "Cabin"))
                try await Self.append(change, to: .account(owner), in: store)
            }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                #expect(probe.view.account.homes.map(\.name) == ["Villa"])
            }
        }
    }

    @Test func aHomeThatNoListNamesGetsANameThatIsFree() async throws {
        try await withDataFolder { folder in
            let (_, owner) = try await Self.addHome("Home", in: folder)
            let home = UUID()
            try await Self.withStore(in: folder) { store in
                let user = UserRecord(id: owner, name: "Tester", role: .owner)
                let change = Home.creation(id: home, defaultRoom: UUID(), owner: user)
                try await Self.append(change, to: .home(home), in: store)
            }
            try await withHub(at: folder) { hub in
                let probe = try await RecordingHubClient(to: hub)
                #expect(probe.view.account.homes.map(\.name) == ["Home", "Home 2"])
                #expect(probe.view.account.homes.last?.id == home)
            }
        }
    }

    @Test func aStartThatHasNothingToMendWritesNothing() async throws {
        try await withDataFolder { folder in
            let (home, owner) = try await Self.addHome("Villa", in: folder)
            try await withHub(at: folder) { _ in }
            try await Self.withStore(in: folder) { store in
                let list = try await store.load(.account(owner))
                let log = try await store.load(.home(home))
                #expect(list?.cursor.revision == 1 && log?.cursor.revision == 1)
            }
        }
    }
}
