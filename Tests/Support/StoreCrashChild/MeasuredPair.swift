import Consensus
import Foundation
import HomeStore
import Replication

/// Two hubs in this process, with a store each on the same disk, and no relay. What they send takes no time. They run as long
/// as the process.
actor MeasuredPair {
    private struct Link: PairedHub {
        var other: @Sendable ([UInt8]) async -> Void

        func send(_ message: [UInt8]) { Task { await other(message) } }
        func sendBase(_ file: URL, term: Int) async throws -> BatchPosition { throw CancellationError() }
    }

    private struct NoRelay: RelayVoting {
        func answer(_ message: VoterMessage) async -> VoterMessage? { nil }
        func sendBase(_ base: SealedBase, term: Int) async throws { throw CancellationError() }
        func basePieces(at position: BatchPosition) async throws -> Int { throw CancellationError() }
        func basePiece(_ number: Int, at position: BatchPosition) async throws -> [UInt8] { throw CancellationError() }
    }

    /// Tells who leads.
    private struct Receiver: BatchReceiver {
        var lead: @Sendable () async -> Void

        func receive(_ batches: [AppliedBatch]) async {}
        func reload() async {}
        func fail(_ error: StoreError) async { fatalError("\(error)") }
        func change(to role: HubRole) async { if case .leading = role { await lead() } }
    }

    private var hubs: [Replicator] = []
    private var leader: Int?
    private var waiter: CheckedContinuation<Void, Never>?

    /// Starts two hubs, and waits until one leads.
    ///
    /// - Returns: The leader.
    func start(in folder: URL) async throws -> Replicator {
        let ids = [UUID(), UUID()]
        let keys = BatchKeys()
        for number in 0..<2 {
            let store = try await HomeStore.open(at: folder.appendingPathComponent("hub\(number)"))
            try await store.beginPair()
            hubs.append(
                try await Replicator(
                    pair: HubPair(own: ids[number], other: ids[1 - number]),
                    store: store,
                    keys: keys,
                    link: Link { await self.deliver($0, to: 1 - number) },
                    relay: NoRelay(),
                    receiver: Receiver { await self.lead(number) }
                )
            )
        }
        for hub in hubs { await hub.start() }
        if leader == nil { await withCheckedContinuation { waiter = $0 } }
        return hubs[leader ?? 0]
    }

    private func deliver(_ message: [UInt8], to number: Int) async {
        await hubs[number].receive(message)
    }

    private func lead(_ number: Int) {
        leader = number
        waiter?.resume()
        waiter = nil
    }
}
