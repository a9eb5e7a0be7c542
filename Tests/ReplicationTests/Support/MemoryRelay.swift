import Consensus
import Foundation
import Replication

/// A relay that votes, in memory.
actor MemoryRelay: RelayVoting {
    private var voter = RelayVoter(record: VoterRecord(), log: BatchLog(), byteCount: 0)
    private var base: Data?
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

    func sendBase(_ file: URL, at position: BatchPosition, term: Int) async throws {
        guard !isCut, voter.takeBase(position, term: term) != nil else { throw Unreachable() }
        base = try Data(contentsOf: file)
        baseCount += 1
    }

    func base(at position: BatchPosition) async throws -> URL {
        guard !isCut, let base else { throw Unreachable() }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("base-\(UUID().uuidString)")
        try base.write(to: file)
        return file
    }

    private struct Access: RelayVoting {
        var relay: MemoryRelay
        var hub: UUID
        var isDead: @Sendable () -> Bool

        func answer(_ message: VoterMessage) async -> VoterMessage? {
            isDead() ? nil : await relay.answer(message, from: hub)
        }

        func sendBase(_ file: URL, at position: BatchPosition, term: Int) async throws {
            if isDead() { throw Unreachable() }
            try await relay.sendBase(file, at: position, term: term)
        }

        func base(at position: BatchPosition) async throws -> URL { try await relay.base(at: position) }
    }
}
