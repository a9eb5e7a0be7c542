import Consensus
import Foundation
import HomeModel
import HomeStore
import Synchronization
import Testing

@testable import Replication

/// Two hubs with stores on the disk keep the same, whatever fails.
@Suite struct ReplicatorTests {
    private func refusal(_ body: () async throws -> Void) async -> StoreError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return (error as? StoreError)?.code ?? StoreError.Code(rawValue: "\(error)")
        }
    }

    @Test func `a change at the leader comes to both hubs, with the same entry`() async throws {
        let pair = try await TestPair()
        let leader = try #require(try await pair.leader().running)
        let draft = pair.draft(revision: 1, name: "Küche")
        let entries = try await pair.whileTimePasses { try await leader.replicator.append([draft]) }
        #expect(entries.map(\.cursor.revision) == [2])
        #expect(try await leader.store.load(.home(pair.home))?.hash == entries.first?.hash)
        try await pair.untilBothHave(2)
        for hub in [pair.first, pair.second] {
            let batches = try #require(await hub.running?.receiver.batches)
            #expect(batches.compactMap(\.content).count == 1)
        }
        #expect(await pair.relay.bytes.firstRange(of: Array("Küche".utf8)) == nil, "the relay reads the change")
        try await pair.stop()
    }

    @Test func `only the leader takes changes`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let follower = try #require(pair.other(leader).running)
        #expect(await refusal { try await follower.replicator.append([pair.draft(revision: 1)]) } == .notLeader)
        #expect(await refusal { try await follower.replicator.setStates([:]) } == .notLeader)
        try await pair.until("the follower doesn't know its leader") {
            await follower.replicator.role == .following(leader.id)
        }
        try await pair.stop()
    }

    @Test func `a hub that is told that it leads can change something at once`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let other = try #require(pair.other(leader).running)
        let key = SecretKey(kind: .relay, log: nil)
        let isLeading = Mutex(false)
        await other.receiver.onLeading {
            // It can be asked before the call returns, on another thread.
            if case .leading = await other.replicator.role { isLeading.withLock { $0 = true } }
            Task { _ = try? await other.replicator.setSecrets([key: [1]]) }
        }
        try await leader.stop()
        try await pair.until("what was stored isn't there") { try await other.store.secret(key) == [1] }
        #expect(isLeading.withLock { $0 })
        try await pair.stop()
    }

    @Test func `claims name the hub and the term, and the first one counts`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        let claim = FiringClaim(home: pair.home, trigger: UUID(), occurrence: "8", time: Date(milliseconds: 8))
        let results = try await pair.whileTimePasses {
            let first = try await running.replicator.claim([claim])
            return first + (try await running.replicator.claim([claim]))
        }
        #expect(results == [true, false])
        try await pair.until("the follower has no claim") {
            let open = try await pair.other(leader).running?.store.incompleteFirings() ?? []
            return open.map(\.hub) == [leader.id] && open.allSatisfy { $0.term > 0 }
        }
        try await pair.whileTimePasses { try await running.replicator.complete(claim) }
        try await pair.until("the follower's claim has no end") {
            try await pair.other(leader).running?.store.incompleteFirings().isEmpty == true
        }
        try await pair.stop()
    }

    @Test func `when the leader dies, the other hub leads with everything that was answered`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let former = try #require(leader.running)
        for revision in 1...5 {
            let draft = pair.draft(revision: revision)
            try await pair.whileTimePasses { try await former.replicator.append([draft]) }
        }
        try await leader.stop()
        let next = try await pair.leader("nobody takes over", of: [pair.other(leader)])
        let running = try #require(next.running)
        #expect(try await running.store.load(.home(pair.home))?.cursor.revision == 6)
        let draft = pair.draft(revision: 6)
        try await pair.whileTimePasses { try await running.replicator.append([draft]) }

        // The former leader comes back and follows.
        try await pair.start(leader)
        try await pair.untilBothHave(7)
        try await pair.until("the former leader doesn't follow") {
            await leader.running?.replicator.role == .following(next.id)
        }
        try await pair.stop()
    }

    @Test func `two hubs need no relay, and one hub with the relay needs no other`() async throws {
        let pair = try await TestPair()
        await pair.relay.cut(true)
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        let first = pair.draft(revision: 1)
        try await pair.whileTimePasses { try await running.replicator.append([first]) }
        await pair.relay.cut(false)
        try await pair.other(leader).stop()
        let second = pair.draft(revision: 2)
        try await pair.whileTimePasses { try await running.replicator.append([second]) }
        #expect(try await running.store.load(.home(pair.home))?.cursor.revision == 3)
        try await pair.start(pair.other(leader))
        try await pair.untilBothHave(3)
        try await pair.stop()
    }

    @Test func `a leader that reaches nobody stops leading, and its last change may be replaced`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let former = try #require(leader.running)
        let other = pair.other(leader)
        leader.cut(true)
        await pair.relay.cut(true)
        let lost = pair.draft(revision: 1, name: "Lost")
        let code = try await pair.whileTimePasses {
            await refusal { try await former.replicator.append([lost]) }
        }
        #expect(code == .unknownOutcome)
        #expect(await former.replicator.role == .withoutLeader)
        #expect(await refusal { try await former.replicator.append([lost]) } == .notLeader)

        // The other hub decides something else meanwhile, with the relay.
        try await leader.stop()
        await pair.relay.cut(false)
        let next = try #require(try await pair.leader("nobody takes over", of: [other]).running)
        let kept = pair.draft(revision: 1, name: "Kept")
        try await pair.whileTimePasses { try await next.replicator.append([kept]) }
        leader.cut(false)
        try await pair.start(leader)
        try await pair.untilBothHave(2)
        let records = try #require(try await leader.running?.store.load(.home(pair.home))?.records)
        #expect(records.contains { if case .room(let room) = $0 { room.name == "Kept" } else { false } })
        #expect(!records.contains { if case .room(let room) = $0 { room.name == "Lost" } else { false } })
        try await pair.stop()
    }

    @Test func `changes that are made at the same time are all stored`() async throws {
        let pair = try await TestPair()
        let running = try #require(try await pair.leader().running)
        let states = (0..<300).map {
            StateKey(
                .run,
                home: pair.home,
                id: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8($0 / 256), UInt8($0 % 256)))
            )
        }
        try await pair.whileTimePasses {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for state in states { group.addTask { try await running.replicator.setStates([state: [1]]) } }
                try await group.waitForAll()
            }
        }
        #expect(try await running.store.states(.run).count == 300)
        try await pair.until("the follower has less") {
            var counts: [Int?] = []
            for hub in [pair.first, pair.second] { counts.append(try await hub.running?.store.states(.run).count) }
            return counts == [300, 300]
        }
        try await pair.stop()
    }

    @Test func `a change that is larger than a batch comes to both hubs in parts`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        let key = StateKey(.run, home: pair.home, id: UUID())
        let empty = try BatchContent([.setStates([key: []])]).encoded().count
        // The largest that fits into a batch, one more byte, and more than may be under way at a time.
        let room = BatchKeys.contentBytes - empty
        for size in [room, room + 1, ConsensusLimits.uncommittedBytes + 1] {
            let value = [UInt8](repeating: UInt8(size % 251), count: size)
            try await pair.whileTimePasses { try await running.replicator.setStates([key: value]) }
            #expect(try await running.store.states(.run)[key] == value)
            try await pair.until("the other hub doesn't have it") {
                try await pair.other(leader).running?.store.states(.run)[key] == value
            }
        }
        let batches = try #require(await pair.other(leader).running?.receiver.batches)
        #expect(batches.compactMap(\.content).count == 3)
        try await pair.stop()
    }

    @Test func `a change that is too large is refused, and one of the largest size is stored`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        let key = StateKey(.run, home: pair.home, id: UUID())
        let empty = try BatchContent([.setStates([key: []])]).encoded().count
        let largest = [UInt8](repeating: 7, count: Replicator.changeBytes - empty)
        let code = await refusal { try await running.replicator.setStates([key: largest + [0]]) }
        #expect(code == .invalid)
        try await pair.whileTimePasses { try await running.replicator.setStates([key: largest]) }
        #expect(try await running.store.states(.run)[key] == largest)
        try await pair.stop()
    }

    @Test func `a hub that lacks more than is kept gets the whole state`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        try await pair.other(leader).stop()
        let key = StateKey(.run, home: pair.home, id: UUID())
        let count = ConsensusLimits.logBytes / 65_536 + 4
        try await pair.whileTimePasses {
            for number in 0..<count {
                try await running.replicator.setStates([key: [UInt8](repeating: UInt8(number % 256), count: 65_536)])
            }
        }
        #expect(try #require(try await running.store.voterState()).base.place > 2)
        try await pair.start(pair.other(leader))
        try await pair.until("the other hub never gets the state") {
            try await pair.other(leader).running?.store.states(.run)[key]?.first == UInt8((count - 1) % 256)
        }
        #expect(await pair.other(leader).running?.receiver.reloadCount == 1)
        let leftovers = [leader, pair.other(leader)].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0.folder.path)) ?? []
        }
        #expect(leftovers.filter { $0.hasPrefix("base-") }.isEmpty)
        try await pair.stop()
    }

    @Test func `a hub whose store fails says so, and acknowledges nothing more`() async throws {
        let pair = try await TestPair()
        let leader = try await pair.leader()
        let running = try #require(leader.running)
        try await running.store.close()
        let draft = pair.draft(revision: 1)
        let code = try await pair.whileTimePasses { await refusal { try await running.replicator.append([draft]) } }
        // The others may have it, and do.
        #expect(code == .unknownOutcome)
        #expect(await running.receiver.failure?.code == .closed)
        #expect(await refusal { try await running.replicator.append([draft]) } == .closed)
        let next = try await pair.leader("nobody takes over", of: [pair.other(leader)])
        #expect(try await next.running?.store.load(.home(pair.home))?.cursor.revision == 2)
        await running.replicator.stop()
        try await next.stop()
    }

    @Test func `a store that is alone has no replicator`() async throws {
        let pair = try await TestPair()
        try await pair.stop()
        let store = try await HomeStore.open(at: pair.folder.appendingPathComponent("alone"))
        let code = await refusal {
            _ = try await Replicator(
                pair: HubPair(own: UUID(), other: UUID()),
                store: store,
                keys: pair.keys,
                link: NoHub(),
                relay: pair.relay,
                receiver: RecordingReceiver()
            )
        }
        #expect(code == .invalid)
        try await store.close()
    }

    private struct NoHub: PairedHub {
        func send(_ message: [UInt8]) {}
        func sendBase(_ file: URL, term: Int) async throws -> BatchPosition { throw CancellationError() }
    }
}
