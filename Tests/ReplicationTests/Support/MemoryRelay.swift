import Consensus
import Foundation
import Replication

/// A relay that votes, in memory.
actor MemoryRelay: RelayVoting {
    private var voter = RelayVoter(record: VoterRecord(), log: BatchLog(), byteCount: 0)
    private var base: [[UInt8]] = []
    private let time: ManualTime
    private var heard: Duration?
    private(set) var isCut = false
    private(set) var baseCount = 0

    struct Unreachable: Error {}

    init(_ time: ManualTime) {
        self.time = time
    }

    func cut(_ isCut: Bool) { self.isCut = isCut }

    var last: BatchPosition { voter.log.last }

    /// The bytes of all batches.
    var bytes: [UInt8] { voter.log.batches.flatMap(\.bytes) }

    /// The relay as one hub reaches it.
    nonisolated func seen(by hub: UUID, isDead: @escaping @Sendable () -> Bool) -> any RelayVoting {
        Access(relay: self, hub: hub, isDead: isDead)
    }

    func answer(_ message: VoterMessage) async -> VoterMessage? { nil }

    private func answer(_ message: VoterMessage, from hub: UUID) -> VoterMessage? {
        guard !isCut else { return nil }
        let now = time.clock.now()
        switch message {
        case .voteRequest(let request):
            let hasLeader = heard.map { now - $0 < ConsensusTimes.leaderHeard } ?? false
            return .voteReply(voter.answer(request, from: hub, hasLeader: hasLeader).reply)
        case .appendRequest(let request):
            heard = now
            return .appendReply(voter.answer(request).reply)
        case .fetchRequest(let request): return .fetchReply(voter.answer(request))
        case .voteReply, .appendReply, .fetchReply: return nil
        }
    }

    func sendBase(_ base: SealedBase, term: Int) async throws {
        guard !isCut, voter.takeBase(base.position, term: term) != nil else { throw Unreachable() }
        self.base = try (1...base.count).map { try base.piece($0) }
        baseCount += 1
    }

    func basePieces(at position: BatchPosition) async throws -> Int {
        guard !isCut, !base.isEmpty else { throw Unreachable() }
        return base.count
    }

    func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] {
        guard !isCut, base.indices.contains(number - 1) else { throw Unreachable() }
        return base[number - 1]
    }

    private struct Access: RelayVoting {
        var relay: MemoryRelay
        var hub: UUID
        var isDead: @Sendable () -> Bool

        func answer(_ message: VoterMessage) async -> VoterMessage? {
            isDead() ? nil : await relay.answer(message, from: hub)
        }

        func sendBase(_ base: SealedBase, term: Int) async throws {
            if isDead() { throw Unreachable() }
            try await relay.sendBase(base, term: term)
        }

        func basePieces(at position: BatchPosition) async throws -> Int { try await relay.basePieces(at: position) }

        func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] {
            try await relay.basePiece(number, at: position)
        }
    }
}
