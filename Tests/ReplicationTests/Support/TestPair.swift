import Consensus
import Foundation
import HomeModel
import HomeStore
import Replication
import Testing

/// Two hubs with stores on the disk, and a relay in memory, whose time the test advances.
final class TestPair: Sendable {
    // This is a class because it removes its folder.

    let folder: URL
    let time = ManualTime()
    let relay: MemoryRelay
    let first: TestHub
    let second: TestHub
    let keys = BatchKeys()
    let caller = Caller(user: UUID(), device: UUID(), app: "test", client: UUID())
    let home = UUID()

    /// Starts both hubs with the same home.
    init() async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        relay = MemoryRelay(time)
        first = TestHub(UUID(), folder.appendingPathComponent("first"))
        second = TestHub(UUID(), folder.appendingPathComponent("second"))
        let stores = [try await HomeStore.open(at: first.folder), try await HomeStore.open(at: second.folder)]
        try await stores[0].append([draft(revision: 0)])
        try await stores[0].beginPair()
        let base = folder.appendingPathComponent("base")
        _ = try await stores[0].makeBase(at: base)
        try await stores[1].installBase(from: base)
        for store in stores { try await store.close() }
        try await start(first)
        try await start(second)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    func start(_ hub: TestHub) async throws {
        let other = hub === first ? second : first
        try await hub.start(
            beside: other.id,
            keys: keys,
            relay: relay,
            time: time,
            seed: hub === first ? 1 : 2
        ) { [weak other] in other }
    }

    func stop() async throws {
        try await first.stop()
        try await second.stop()
    }

    func draft(revision: Int, name: String = "Room") -> EntryDraft {
        let room = RoomRecord(id: UUID(), name: name)
        return EntryDraft(
            log: .home(home),
            entryID: UUID(),
            caller: caller,
            cause: .app,
            time: Date(milliseconds: Int64(revision)),
            change: Change(verb: .roomAdded, subjects: [room.id], effects: [.put(.room(room))]),
            expectedRevision: revision
        )
    }

    /// Advances the time until a condition holds.
    func until(
        _ what: Comment,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: () async throws -> Bool
    ) async throws {
        for _ in 0..<2_000 {
            await settle()
            if try await condition() { return }
            time.advance(by: .milliseconds(50))
            for hub in [first, second] { await hub.tick() }
            // What the test itself does meanwhile takes no part in the time.
            try await Task.sleep(for: .milliseconds(1))
        }
        Issue.record(what, sourceLocation: sourceLocation)
        throw MemoryRelay.Unreachable()
    }

    /// Waits until everything has arrived and was done, however long the machine takes: no time passes.
    private func settle() async {
        for hub in [first, second, first] {
            while await !hub.isQuiet { try? await Task.sleep(for: .microseconds(200)) }
        }
    }

    /// Waits for a leader.
    func leader(_ what: Comment = "no hub leads", of hubs: [TestHub]? = nil) async throws -> TestHub {
        var leader: TestHub?
        try await until(what) {
            for hub in hubs ?? [first, second] {
                if case .leading? = await hub.running?.replicator.role { leader = hub }
            }
            return leader != nil
        }
        return try #require(leader)
    }

    func other(_ hub: TestHub) -> TestHub { hub === first ? second : first }

    /// Does something while the time goes on.
    @discardableResult
    func whileTimePasses<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let task = Task { try await body() }
        let isDone = Flag()
        Task {
            _ = await task.result
            await isDone.set()
        }
        try await until("it takes forever") { await isDone.isSet }
        return try await task.value
    }

    /// Waits until both hubs have the same state with a revision of the home.
    func untilBothHave(_ revision: Int) async throws {
        try await until("the hubs never have the same") {
            var logs: [StoredLog?] = []
            for hub in [first, second] { logs.append(try await hub.running?.store.load(.home(home))) }
            return logs[0]?.cursor.revision == revision && logs[0] == logs[1]
        }
    }
}

/// Whether something has happened.
actor Flag {
    private(set) var isSet = false

    func set() { isSet = true }
}
