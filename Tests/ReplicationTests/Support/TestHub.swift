import Consensus
import Foundation
import HomeModel
import HomeStore
import Synchronization

@testable import Replication

/// What a hub is told.
actor RecordingReceiver: BatchReceiver {
    private(set) var batches: [AppliedBatch] = []
    private(set) var roles: [HubRole] = []
    private(set) var reloadCount = 0
    private(set) var failure: StoreError?
    private var leading: (@Sendable () async -> Void)?

    /// Sets what the hub does when it is told that it leads.
    func onLeading(_ action: @escaping @Sendable () async -> Void) { leading = action }

    func receive(_ batches: [AppliedBatch]) async { self.batches += batches }
    func reload() async { reloadCount += 1 }
    func change(to role: HubRole) async {
        roles.append(role)
        if case .leading = role { await leading?() }
    }
    func fail(_ error: StoreError) async { failure = error }
}

/// A hub of two, with a store on the disk.
final class TestHub: Sendable {
    // This is a class because the other hub's messages come to it.

    struct Running {
        var store: HomeStore
        var replicator: Replicator
        var receiver: RecordingReceiver
    }

    private struct Link: PairedHub {
        var from: TestHub
        var other: @Sendable () -> TestHub?

        private var target: Replicator? {
            guard let other = other(), from.running != nil, !from.isCut, !other.isCut else { return nil }
            return other.running?.replicator
        }

        func send(_ message: [UInt8]) {
            guard let target else { return }
            from.count(1)
            Task {
                await target.receive(message)
                from.count(-1)
            }
        }

        func sendBase(_ file: URL, term: Int) async throws -> BatchPosition {
            guard let position = try await target?.receiveBase(file, term: term) else {
                throw MemoryRelay.Unreachable()
            }
            return position
        }
    }

    let id: UUID
    let folder: URL
    private let state = Mutex<(running: Running?, isCut: Bool, sent: Int)>((nil, false, 0))

    init(_ id: UUID, _ folder: URL) {
        self.id = id
        self.folder = folder
    }

    var running: Running? { state.withLock { $0.running } }
    /// Whether the hub doesn't reach the other one.
    var isCut: Bool { state.withLock { $0.isCut } }
    func cut(_ isCut: Bool) { state.withLock { $0.isCut = isCut } }

    private func count(_ change: Int) { state.withLock { $0.sent += change } }

    /// Whether nothing is on its way from or to this hub, and it has done what it has to do now.
    var isQuiet: Bool {
        get async {
            guard let running else { return true }
            await running.replicator.settle()
            guard state.withLock({ $0.sent }) == 0 else { return false }
            return await running.replicator.relayRequestCount + running.replicator.transferCount == 0
        }
    }

    /// Lets the hub do what is due.
    func tick() async { await running?.replicator.add(.tick) }

    func start(
        beside other: UUID,
        keys: BatchKeys,
        relay: MemoryRelay,
        time: ManualTime,
        seed: UInt64,
        _ hub: @escaping @Sendable () -> TestHub?
    ) async throws {
        let store = try await HomeStore.open(at: folder)
        let receiver = RecordingReceiver()
        let replicator = try await Replicator(
            pair: HubPair(own: id, other: other),
            store: store,
            keys: keys,
            link: Link(from: self, other: hub),
            relay: relay.seen(by: id) { [weak self] in self?.running == nil },
            receiver: receiver,
            clock: time.clock,
            seed: seed
        )
        state.withLock { $0.running = Running(store: store, replicator: replicator, receiver: receiver) }
        await replicator.start()
    }

    /// Ends the hub. The other one hears nothing of it.
    func stop() async throws {
        guard let running else { return }
        state.withLock { $0.running = nil }
        await running.replicator.stop()
        try await running.store.close()
    }
}
