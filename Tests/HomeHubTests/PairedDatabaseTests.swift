import Consensus
import Foundation
import HomeModel
import HomeStore
import HubAPI
import Logging
import Replication
import Synchronization
import Testing

@testable import HomeHub

/// The homes at both of two hubs: the leader decides, and the other one follows.
struct PairedDatabaseTests {
    /// One of the hubs, without a network.
    private struct Hub: Sendable {
        var store: HomeStore
        var database: HomeDatabase
        var published: PublishedRequests
    }

    /// What a hub's sessions would be told.
    private final class PublishedRequests: Sendable {
        // This is a class because the activity stream keeps its subscriber.

        private let state = Mutex<[StoredRequest]>([])

        var all: [StoredRequest] { state.withLock { $0 } }

        func handle(_ activity: Activity) {
            if case .stored(let request) = activity { state.withLock { $0.append(request) } }
        }
    }

    /// Stands for the replicators: applies each change to both stores, in order, unless it is told to fail.
    private actor Pair: ChangeWriter {
        private var hubs: [Hub] = []
        private var place = 0
        private var failures: [(code: StoreError.Code, isKept: Bool)] = []
        private var kept: [BatchContent] = []
        private var running = 0
        private var waiters: [CheckedContinuation<Void, Never>] = []
        /// Changes are committed one after the other.
        private var isCommitting = false
        private var turns: [CheckedContinuation<Void, Never>] = []

        func add(_ hub: Hub) { hubs.append(hub) }

        /// Lets the next change fail. One that is kept happens with ``commitKept()``.
        func fail(_ code: StoreError.Code, isKept: Bool = false) { failures.append((code, isKept)) }

        nonisolated(nonsending) func append(
            _ drafts: [EntryDraft],
            removing removed: [LogID]
        ) async throws(StoreError) -> [AppendedEntry] {
            let items: [BatchDraft]
            do {
                items = try drafts.map { try BatchDraft($0) }
            } catch {
                throw StoreError(.invalid, "\(error)")
            }
            return try await write(BatchContent([.append(items, removing: removed)]))
        }

        private func write(_ content: BatchContent) async throws(StoreError) -> [AppendedEntry] {
            if !failures.isEmpty {
                let (code, isKept) = failures.removeFirst()
                if isKept { kept.append(content) }
                throw StoreError(code, "The hub was cut off.")
            }
            guard case .appended(let entries)? = try await commit(content).get().first else { return [] }
            return entries
        }

        private func end() {
            running -= 1
            guard running == 0 else { return }
            for waiter in waiters { waiter.resume() }
            waiters = []
        }

        /// Waits until both hubs have everything: the one that decides has its answer before.
        func settle() async {
            if running > 0 { await withCheckedContinuation { waiters.append($0) } }
        }

        func commitKept() async throws(StoreError) {
            for content in kept { _ = try await commit(content) }
            kept = []
        }

        private func commit(
            _ content: BatchContent
        ) async throws(StoreError) -> Result<[BatchContent.StepResult], StoreError> {
            running += 1
            defer { end() }
            while isCommitting { await withCheckedContinuation { turns.append($0) } }
            isCommitting = true
            defer {
                isCommitting = false
                if !turns.isEmpty { turns.removeFirst().resume() }
            }
            place += 1
            let bytes = (try? content.encoded()) ?? []
            let batch = Batch(BatchPosition(place: place, term: 1), bytes: bytes)
            var result: Result<[BatchContent.StepResult], StoreError> = .success([])
            for hub in hubs {
                try await hub.store.persist(LogChange(record: VoterRecord(term: 1), added: [batch]))
                let batches = try await hub.store.apply(through: place) { batch throws(StoreError) in
                    guard let content = BatchContent(batch.bytes) else { throw StoreError(.damaged, "no content") }
                    return content
                }
                await hub.database.receive(batches)
                result = batches[0].result
            }
            return result
        }

        func claim(
            _ claims: [FiringClaim],
            updating values: [Int: [StateKey: [UInt8]?]]
        ) async throws(StoreError) -> [Bool] { [] }
        func complete(_ claim: FiringClaim, updating values: [StateKey: [UInt8]?]) async throws(StoreError) {}
        func setStates(_ values: [StateKey: [UInt8]?]) async throws(StoreError) {}
        func setSecrets(_ values: [SecretKey: [UInt8]?]) async throws(StoreError) {}
    }

    private struct Fixture {
        let pair = Pair()
        let leader: Hub
        let follower: Hub
        let owner = Caller(user: HomeDatabase.testOwner.id, device: UUID(), app: "test", client: UUID())
        let home = UUID()

        init(in folder: URL) async throws {
            leader = try await Self.hub(folder.appending(path: "first"), pair)
            follower = try await Self.hub(folder.appending(path: "second"), pair)
            await leader.database.change(to: .leading(term: 1))
            await follower.database.change(to: .following(UUID()))
            try await leader.database.submit(.addHome(id: home, name: "Villa"), by: owner, cause: .app).committed()
            await pair.settle()
        }

        private static func hub(_ folder: URL, _ pair: Pair) async throws -> Hub {
            let (database, store, published) = try await PairedDatabaseTests.database(folder, pair)
            try await store.beginPair()
            let hub = Hub(store: store, database: database, published: published)
            await pair.add(hub)
            return hub
        }

        func addRoom(_ name: String, at hub: Hub) async throws -> [LogPlace] {
            let room = AddRoom(id: UUID(), name: name)
            let places = try await hub.database.submit(room, in: home, by: owner, cause: .app).committed()
            await pair.settle()
            return places
        }

        func rooms(_ hub: Hub) async -> [String] {
            await hub.database.home(home)?.rooms.map(\.name).sorted() ?? []
        }

        func close() async throws {
            try await leader.store.close()
            try await follower.store.close()
        }
    }

    private static func database(
        _ folder: URL,
        _ writer: (any ChangeWriter)? = nil
    ) async throws -> (HomeDatabase, HomeStore, PublishedRequests) {
        let store = try await HomeStore.open(at: folder)
        let activities = ActivityStream()
        let published = PublishedRequests()
        activities.subscribe { published.handle($0) }
        let database = try await HomeDatabase(
            store: store,
            writer: writer,
            activities: activities,
            owner: HomeDatabase.testOwner,
            now: { Date(milliseconds: 1_790_000_000_000) },
            log: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        )
        return (database, store, published)
    }

    private static func code(_ body: () async throws -> Void) async -> HubError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? HubError)?.code
        }
    }

    @Test func `a change at the leader is told at both hubs, with the same place`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            let places = try await fixture.addRoom("Kitchen", at: fixture.leader)
            #expect(await fixture.rooms(fixture.follower) == ["Kitchen"])
            for hub in [fixture.leader, fixture.follower] {
                let requests = hub.published.all
                #expect(requests.count == 2)
                #expect(requests.last?.entries.compactMap(\.place) == places)
                #expect(requests.last?.state.homes[fixture.home]?.rooms.map(\.name) == ["Kitchen"])
            }
            let (first, second) = (fixture.leader.published.all, fixture.follower.published.all)
            #expect(first.flatMap(\.entries).map(\.draft.entryID) == second.flatMap(\.entries).map(\.draft.entryID))
            #expect(first.flatMap(\.entries).map(\.cursor) == second.flatMap(\.entries).map(\.cursor))
            try await fixture.close()
        }
    }

    @Test func `what both hubs decide at once is decided again, and nothing is lost`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            let (leader, follower) = (fixture.leader.database, fixture.follower.database)
            var changes: [PendingChange] = []
            for number in 0..<20 {
                for (name, database) in [("A", leader), ("B", follower)] {
                    let room = AddRoom(id: UUID(), name: "\(name)\(number)")
                    changes.append(
                        try await database.submit(room, in: fixture.home, by: fixture.owner, cause: .app)
                    )
                }
            }
            for change in changes { try await change.committed() }
            await fixture.pair.settle()
            #expect(await fixture.rooms(fixture.leader).count == 40)
            #expect(await fixture.rooms(fixture.follower) == fixture.rooms(fixture.leader))
            // Two rooms of one name are decided again, and one fails.
            let names = [leader, follower]
            var codes: [HubError.Code?] = []
            let pending = try await withThrowingTaskGroup(of: PendingChange.self) { group in
                for database in names {
                    group.addTask {
                        let room = AddRoom(id: UUID(), name: "Attic")
                        return try await database.submit(room, in: fixture.home, by: fixture.owner, cause: .app)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            for change in pending { codes.append(await Self.code { _ = try await change.committed() }) }
            await fixture.pair.settle()
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.contains(HubError.Code(rawValue: HomeError.Code.nameTaken.rawValue)))
            try await fixture.close()
        }
    }

    @Test func `what changes nothing needs no leader`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            _ = try await fixture.addRoom("Kitchen", at: fixture.leader)
            let room = try #require(await fixture.follower.database.home(fixture.home)?.rooms.first)
            await fixture.pair.fail(.notLeader)
            // An accessory's description says most of the time what the home has already.
            let same = RenameRoom(room.id, name: "Kitchen")
            let change = try await fixture.follower.database.submit(
                same,
                in: fixture.home,
                asHub: fixture.owner
            )
            #expect(try await change.committed().isEmpty)
            let other = RenameRoom(room.id, name: "Attic")
            let code = await Self.code {
                try await fixture.follower.database.submit(other, in: fixture.home, asHub: fixture.owner).committed()
            }
            #expect(code == .noLeader)
            try await fixture.close()
        }
    }

    @Test func `a hub that takes over decides on what it has followed`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            _ = try await fixture.addRoom("Kitchen", at: fixture.leader)
            await fixture.leader.database.change(to: .withoutLeader)
            await fixture.follower.database.change(to: .leading(term: 2))
            _ = try await fixture.addRoom("Attic", at: fixture.follower)
            for hub in [fixture.leader, fixture.follower] { #expect(await fixture.rooms(hub) == ["Attic", "Kitchen"]) }
            #expect(await Self.code { _ = try await fixture.addRoom("Attic", at: fixture.follower) } != nil)
            try await fixture.close()
        }
    }

    @Test func `a change whose outcome isn't known fails, and is followed if it happens`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            await fixture.pair.fail(.unknownOutcome, isKept: true)
            #expect(await Self.code { _ = try await fixture.addRoom("Kitchen", at: fixture.leader) } == .noLeader)
            #expect(await fixture.rooms(fixture.leader) == [])
            await fixture.leader.database.change(to: .following(UUID()))
            try await fixture.pair.commitKept()
            for hub in [fixture.leader, fixture.follower] { #expect(await fixture.rooms(hub) == ["Kitchen"]) }
            await fixture.leader.database.change(to: .leading(term: 3))
            _ = try await fixture.addRoom("Attic", at: fixture.leader)
            #expect(await fixture.rooms(fixture.follower) == ["Attic", "Kitchen"])
            try await fixture.close()
        }
    }

    @Test func `a change that nobody took fails, and the next one is decided anew`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            await fixture.pair.fail(.notLeader)
            #expect(await Self.code { _ = try await fixture.addRoom("Kitchen", at: fixture.leader) } == .noLeader)
            _ = try await fixture.addRoom("Kitchen", at: fixture.leader)
            #expect(await fixture.rooms(fixture.follower) == ["Kitchen"])
            try await fixture.close()
        }
    }

    @Test func `a removed home is gone at both hubs`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            try await fixture.leader.database.submit(.removeHome(fixture.home), by: fixture.owner, cause: .app)
                .committed()
            await fixture.pair.settle()
            #expect(await fixture.follower.database.home(fixture.home) == nil)
            #expect(fixture.follower.published.all.last?.removedHome == fixture.home)
            #expect(try await fixture.follower.store.load(.home(fixture.home)) == nil)
            try await fixture.close()
        }
    }

    @Test func `a state that is replaced as a whole is told as one change`() async throws {
        try await withDataFolder { folder in
            let fixture = try await Fixture(in: folder)
            for name in ["Kitchen", "Attic"] { _ = try await fixture.addRoom(name, at: fixture.leader) }
            let base = folder.appending(path: "base")
            _ = try await fixture.leader.store.makeBase(at: base)
            let (other, store, published) = try await Self.database(folder.appending(path: "third"))
            let own = UUID()
            let caller = fixture.owner
            try await other.submit(.addHome(id: own, name: "Hut"), by: caller, cause: .app).committed()
            try await store.installBase(from: base)
            let before = published.all.count
            try await other.reload()
            #expect(await other.home(own) == nil)
            #expect(await other.stored.homes == fixture.leader.database.stored.homes)
            #expect(await other.stored.accounts == fixture.leader.database.stored.accounts)
            #expect(
                await other.stored.cursor(.home(fixture.home))
                    == fixture.leader.database.stored.cursor(.home(fixture.home))
            )
            // Whoever applies what was told has the same home.
            var copy = Home(id: fixture.home)
            for entry in published.all.dropFirst(before).flatMap(\.entries) where entry.draft.log == .home(fixture.home)
            {
                copy.apply(entry.draft.change)
            }
            #expect(copy == fixture.leader.published.all.last?.state.homes[fixture.home])
            #expect(published.all.last?.removedHome == own)
            try await store.close()
            try await fixture.close()
        }
    }
}
