import Foundation
import GRDB
import HomeModel
import HubAPI
import Logging
import Testing

@testable import HomeHub
@testable import HomeStore

/// If the store rejects a change, only that change fails. Changes that were decided on top of it are decided again.
struct RefusedAppendTests {
    /// A home in a store with little space left.
    private struct Fixture: Sendable {
        /// The number of pages that a small entry may need.
        private static let smallEntryPages = 8

        let store: HomeStore
        let database: HomeDatabase
        let owner = Caller(user: HomeDatabase.testOwner.id, device: UUID(), app: "test", client: UUID())
        let home = UUID()

        init(in folder: URL) async throws {
            store = try await HomeStore.open(at: folder.appending(path: "hub"))
            database = try await HomeDatabase(
                store: store,
                activities: ActivityStream(),
                owner: HomeDatabase.testOwner,
                now: { Date() },
                log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
            )
            try await database.submit(.addHome(id: home, name: "Villa"), by: owner, cause: .app).committed()
            try await store.database.writeWithoutTransaction { database in
                let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
                try database.execute(sql: "PRAGMA max_page_count = \(pages + Self.smallEntryPages)")
            }
        }

        /// Submits requests without suspending in between, so that all of them wait together.
        func submit(_ requests: [any HomeRequest]) async throws -> [PendingChange] {
            try await database.submitTogether(requests, in: home, by: owner)
        }
    }

    /// A request that exceeds the space.
    private static var bridge: any HomeRequest {
        let accessories = (0..<140).map { AccessoryCandidate.gadget("Gadget \($0)", aid: UInt64($0 + 1)) }
        return AddAccessories(accessories, server: "3C:5A:B4:00:00:01", name: nil, room: nil)
    }

    private static func code(_ change: PendingChange) async -> HubError.Code? {
        do throws(HubError) {
            _ = try await change.committed()
            return nil
        } catch {
            return error.code
        }
    }

    @Test func whatDoesNotNeedTheRefusedChangeIsStored() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            let room = UUID()
            let changes = try await fixture.submit([
                Self.bridge, AddRoom(id: room, name: "Kitchen"), RenameRoom(room, name: "Larder"),
            ])
            #expect(await Self.code(changes[0]) == .storeFailure)
            #expect(await Self.code(changes[1]) == nil)
            #expect(await Self.code(changes[2]) == nil)
            let home = try #require(await fixture.database.home(fixture.home))
            #expect(home.rooms.map(\.name) == ["Larder"] && home.accessories.isEmpty)
            let stored = try #require(try await fixture.store.load(.home(fixture.home)))
            #expect(Home(id: fixture.home, records: stored.records) == home)
        }
    }

    @Test func whatNeedsTheRefusedChangeFailsByItsOwnRule() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            let candidate = AccessoryCandidate.gadget("Lamp", aid: 1)
            let many = (1..<140).map { AccessoryCandidate.gadget("Gadget \($0)", aid: UInt64($0 + 1)) }
            let addition = AddAccessories(
                [candidate] + many,
                server: "3C:5A:B4:00:00:01",
                name: nil,
                room: nil
            )
            let changes = try await fixture.submit([addition, RenameAccessory(candidate.id, name: "Sun")])
            #expect(await Self.code(changes[0]) == .storeFailure)
            #expect(await Self.code(changes[1]) == HubError.Code(rawValue: HomeError.Code.notFound.rawValue))
        }
    }
}

extension HomeDatabase {
    /// Submits requests one after another without leaving the actor.
    fileprivate func submitTogether(_ requests: [any HomeRequest], in home: UUID, by caller: Caller) throws
        -> [PendingChange]
    {
        try requests.map { try submit($0, in: home, by: caller, cause: .app) }
    }
}
