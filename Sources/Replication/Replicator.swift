package import Consensus
package import Foundation
package import HomeStore

/// One of two hubs at work: it keeps the store the same as the other hub's.
///
/// It hands events to a ``Consensus/HubVoter`` and carries its effects out, one after the other: it writes to the store, sends
/// messages, applies batches, and tells the ``BatchReceiver``. As a ``HomeStore/ChangeWriter`` it takes changes while this hub
/// leads.
///
/// When the store fails, nothing further is sent: a voter that can't write must not acknowledge anything.
package actor Replicator {
    // This is an actor because it owns the voter, and all events come to it.

    /// What comes to the voter.
    enum Event {
        case message(VoterMessage, from: Voter)
        case tick
        case base(ReceivedBase, CheckedContinuation<Bool, Never>)
        case baseReply(BatchPosition, term: Int, from: Voter)
        case fetchedBase(Result<ReceivedBase, any Error>)
        case keys(BatchKeys)
    }

    /// The whole state, in a file.
    struct ReceivedBase {
        var file: URL
        var position: BatchPosition
        var term: Int
    }

    /// A change that waits to be proposed, or to be committed.
    struct Proposal {
        var content: [UInt8]
        /// What gets the result; `nil` for a part of a change except the last one.
        var result: CheckedContinuation<[BatchContent.StepResult], any Error>?
    }

    /// The maximum number of messages that wait. More are dropped, as if they had been lost.
    package static let waitingMessages = 64
    /// The maximum number of requests to the relay at a time. More are dropped, as if they had been lost.
    package static let relayRequests = 8

    let store: HomeStore
    let link: any PairedHub
    let relay: any RelayVoting
    let receiver: any BatchReceiver
    let clock: ReplicationClock
    private let folder: URL
    var voter: HubVoter
    var keys: BatchKeys
    /// What this hub is to the homes. The receiver is told once it is here.
    package internal(set) var role = HubRole.withoutLeader
    private var events: [Event] = []
    private var isWorking = false
    private var timer: (task: Task<Void, Never>, deadline: Duration)?
    private var idle: [CheckedContinuation<Void, Never>] = []
    /// The proposals that weren't handed to the voter yet.
    var waiting: [Proposal] = []
    /// The proposals that aren't applied yet, by their places.
    var proposed: [Int: (position: BatchPosition, proposal: Proposal)] = [:]
    /// Why this replicator doesn't work any more; `nil` while it does.
    var failure: StoreError?
    var relayRequestCount = 0
    /// The number of states that are being sent or received.
    var transferCount = 0
    /// The base that the voter is about to install.
    var base: ReceivedBase?
    private var hasStarted = false

    /// Creates a replicator, which does nothing before ``start()``.
    ///
    /// - Parameters:
    ///   - pair: The hubs.
    ///   - store: The store, which must be that of one of two hubs.
    ///   - keys: The keys of batches.
    ///   - link: The connection to the other hub.
    ///   - relay: The relay.
    ///   - receiver: What is told. It isn't called before ``start()``.
    ///   - clock: The clock.
    ///   - seed: Randomness, different for each start.
    /// - Throws: ``HomeStore/StoreError`` if the store is that of a hub that is alone, or can't be read.
    package init(
        pair: HubPair,
        store: HomeStore,
        keys: BatchKeys,
        link: any PairedHub,
        relay: any RelayVoting,
        receiver: any BatchReceiver,
        clock: ReplicationClock = .machine,
        seed: UInt64 = .random(in: .min ... .max)
    ) async throws(StoreError) {
        guard let state = try await store.voterState(), let log = state.log else {
            throw StoreError(.invalid, "This hub is not one of two hubs.")
        }
        self.store = store
        self.keys = keys
        self.link = link
        self.relay = relay
        self.receiver = receiver
        self.clock = clock
        folder = store.directory
        voter = HubVoter(
            pair: pair,
            record: state.record,
            log: log,
            applied: state.applied.place,
            seed: seed,
            now: clock.now()
        )
    }

    /// Begins to take part.
    package func start() {
        hasStarted = true
        add(.tick)
    }

    /// Stops to take part. Changes that wait fail.
    package func stop() async {
        if failure == nil { failure = StoreError(.closed, "The hub stops.") }
        timer?.task.cancel()
        timer = nil
        failAll(failure ?? StoreError(.closed, "The hub stops."))
        while isWorking { await withCheckedContinuation { idle.append($0) } }
    }

    /// Handles a message of the other hub. What isn't a message is ignored.
    package func receive(_ bytes: [UInt8]) {
        guard let message = VoterMessage(bytes) else { return }
        receive(message, from: .hub(voter.pair.other))
    }

    func receive(_ message: VoterMessage, from sender: Voter) {
        guard events.count < Self.waitingMessages else { return }
        add(.message(message, from: sender))
    }

    /// Installs the whole state, which the other hub sent.
    ///
    /// - Parameters:
    ///   - file: The state. The caller removes it when this returns.
    ///   - term: The term in which the other hub sent it.
    /// - Returns: The state's position, which is the answer to the other hub; `nil` if it isn't taken.
    /// - Throws: ``HomeStore/StoreError`` if the file isn't a state of this version.
    package func receiveBase(_ file: URL, term: Int) async throws(StoreError) -> BatchPosition? {
        let position = try HomeStore.checkBase(file)
        let base = ReceivedBase(file: file, position: position, term: term)
        let isTaken = await withCheckedContinuation { add(.base(base, $0)) }
        return isTaken ? position : nil
    }

    /// Replaces the keys of batches. What is proposed from now on is sealed with the newest.
    package func use(_ keys: BatchKeys) { add(.keys(keys)) }

    /// Waits until everything that has come was handled.
    package func settle() async {
        while isWorking { await withCheckedContinuation { idle.append($0) } }
    }

    /// The places of the batches that the voters have.
    package struct Places: Hashable, Sendable {
        /// The place of this hub's last batch.
        package var last: Int
        /// The place up to which batches are committed.
        package var committed: Int
        /// The place up to which the other hub has all of them; `nil` if this hub doesn't lead, and so doesn't know.
        package var hub: Int?
    }

    /// The places of the batches that the voters have.
    package var places: Places {
        Places(last: voter.log.last.place, committed: voter.committed, hub: voter.otherPlace)
    }

    // MARK: Work

    func add(_ event: Event) {
        guard failure == nil else {
            if case .base(_, let result) = event { result.resume(returning: false) }
            return
        }
        events.append(event)
        work()
    }

    /// Starts working, unless it is working.
    func work() {
        guard hasStarted, !isWorking else { return }
        isWorking = true
        Task { await workOff() }
    }

    private func workOff() async {
        do throws(StoreError) {
            while failure == nil {
                if !events.isEmpty {
                    try await handle(events.removeFirst())
                } else if !waiting.isEmpty, let effects = propose() {
                    try await carryOut(effects)
                } else {
                    break
                }
            }
        } catch {
            failure = error
            failAll(error)
            await receiver.fail(error)
        }
        isWorking = false
        setTimer()
        for waiter in idle { waiter.resume() }
        idle = []
    }

    private func handle(_ event: Event) async throws(StoreError) {
        let now = clock.now()
        switch event {
        case .message(let message, let sender):
            try await carryOut(voter.receive(message, from: sender, now: now))
        case .tick:
            try await carryOut(voter.tick(now: now))
        case .base(let received, let result):
            base = received
            let effects = voter.receiveBase(received.position, term: received.term, now: now)
            var isTaken = false
            defer { result.resume(returning: isTaken) }
            try await carryOut(effects ?? [])
            isTaken = effects != nil && failure == nil
            base = nil
        case .baseReply(let position, let term, let sender):
            try await carryOut(voter.receiveBaseReply(position, term: term, from: sender, now: now))
        case .fetchedBase(.success(let received)):
            defer { try? FileManager.default.removeItem(at: received.file) }
            base = received
            try await carryOut(voter.receiveFetchedBase(received.position, now: now))
            base = nil
        case .fetchedBase(.failure):
            try await carryOut(voter.failFetchingBase(now: now))
        case .keys(let keys):
            self.keys = keys
        }
    }

    /// Makes the timer ring when the voter is due. One that rings too early does no harm.
    private func setTimer() {
        guard failure == nil else { return }
        let deadline = voter.deadline
        if let timer, timer.deadline <= deadline { return }
        timer?.task.cancel()
        let clock = clock
        let task = Task { [weak self] in
            guard (try? await clock.sleep(deadline)) != nil else { return }
            await self?.ring(deadline)
        }
        timer = (task, deadline)
    }

    private func ring(_ deadline: Duration) {
        guard timer?.deadline == deadline else { return }
        timer = nil
        add(.tick)
    }

    /// A path for a file that is sent or received.
    func temporaryFile() -> URL { folder.appendingPathComponent("base-\(UUID().uuidString)") }

    /// Fails all changes that aren't applied. The others may have those that were proposed.
    func failAll(_ error: StoreError) {
        failProposed(StoreError(.unknownOutcome, "\(error.reason) \(Self.mayStillHappen)"))
        for proposal in waiting { proposal.result?.resume(throwing: error) }
        waiting = []
        for case .base(_, let result) in events { result.resume(returning: false) }
        events = []
    }

    /// Fails the changes whose fate isn't known.
    func failProposed(_ error: StoreError) {
        for (_, item) in proposed { item.proposal.result?.resume(throwing: error) }
        proposed = [:]
    }
}
