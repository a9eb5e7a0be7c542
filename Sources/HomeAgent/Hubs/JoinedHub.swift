import Dispatch
package import Foundation
import HomeIdentity
import HomeModel
package import HubAPI
import HubClient
import Logging
import Synchronization

/// A hub that the device has joined: the agent's own session at it, which keeps the copy of its homes.
package final class JoinedHub: Sendable {
    // This is a class because it owns a connection and a file.

    /// What the agent stores of a hub, besides keys and the copy.
    package struct Record: Hashable, Sendable, Codable {
        /// The agent's ID of the hub.
        package var id: UUID
        /// The hub's name.
        package var name: String
        /// The hub's public key, in base64.
        package var key: String

        /// Creates a record.
        package init(id: UUID, name: String, key: String) {
            self.id = id
            self.name = name
            self.key = key
        }
    }

    /// A change that sessions must hear of.
    enum Change: Sendable {
        /// The hub has come into reach.
        case near
        /// The hub has answered a check: it is still in reach.
        case confirmed
        /// The hub that served is out of reach, and the other hub of the homes is being tried.
        case changing
        /// The hub is out of reach.
        case away(HubError)
        /// The hub has removed the device.
        case removed(HubError)
        /// The first attempt to reach the hub has failed.
        case failed
        /// The person's devices at the hub have changed, or time has passed.
        case devices
        /// Another device of the person's has sent a message over the hub.
        case message(DeviceMessage)
        /// The hub has told the signed list of the hubs that keep its homes.
        case hubs([UInt8])
        /// The hub's feed has news, or its homes are older or newer than was said.
        case fed(FeedNews)
    }

    struct State {
        var copy: CopyState
        var isNear = false
        /// Whether the connection ends because the next one is nearer.
        var isMoving = false
        /// Whether the hub that served was lost and the other hub of the homes is being tried. The homes count as near.
        var isChanging = false
        /// The number of times that the other hub was tried.
        var changes = 0
        var since: Date
        var problem: HubError?
        /// The list of hubs that the hub has told last.
        var toldHubs: Data?
        /// The transport of the present connection.
        var transport: (any HubTransport)?
        /// Whether the feed has told news since the present connection began.
        var hasFeedNews = false
        /// Whether the present connection tells what was before that news, so that what it tells doesn't count.
        var isOvertaken = false
        /// The number of the present welcome, to tell heartbeats of earlier ones apart.
        var period = 0
        /// The number of times that the hub has said that somebody must let the device in first.
        var pendingCount = 0
        var observer: (@Sendable (Change) -> Void)?
        var writer: HomeCopy?
        var isStopped = false
        /// When the hub was suspected to be gone, or wanted, last, and in which period.
        var suspicion: (time: ContinuousClock.Instant, period: Int)?
        /// The standing that sessions were told last because of the feed.
        var told: HubStanding?
    }

    package let record: Record
    private let version: String
    private let makeTransport: @Sendable (_ isOwn: Bool) -> any HubTransport
    private let way: @Sendable () -> Way
    private let isOneOfTwo: @Sendable () -> Bool
    private let heartbeat: Duration
    private let retry: WakeableRetry
    let now: @Sendable () -> Date
    private let log: Logger
    private let link: LinkDriver
    let queue: DispatchQueue
    let state: Mutex<State>
    /// Follows the hub's feed; `nil` if there are no keys for it.
    private let follower = Mutex<FeedFollower?>(nil)

    /// Creates a hub. It connects when it is started.
    ///
    /// - Parameters:
    ///   - record: What is stored of the hub.
    ///   - copy: The path of the copy's file; `nil` for a copy in memory only.
    ///   - feed: The device's keys for the hub's feed, and what stores them; `nil` for none.
    ///   - version: The version of Hearth.
    ///   - heartbeat: The pause between two checks that a quiet hub is still there.
    ///   - isOneOfTwo: A closure that returns whether another hub keeps the same homes.
    ///   - transport: A closure that creates a transport to the hub. The connection that it makes proves that it is the hub.
    init(
        _ record: Record,
        copy path: String?,
        feed: FeedSource? = nil,
        version: String,
        retry: WakeableRetryPolicy = .standard,
        heartbeat: Duration = AgentLimits.heartbeat,
        now: @escaping @Sendable () -> Date = { Date() },
        log: Logger,
        way: @escaping @Sendable () -> Way = { .near },
        isOneOfTwo: @escaping @Sendable () -> Bool = { false },
        transport: @escaping @Sendable (_ isOwn: Bool) -> any HubTransport
    ) {
        self.record = record
        self.version = version
        makeTransport = transport
        self.way = way
        self.isOneOfTwo = isOneOfTwo
        self.heartbeat = heartbeat
        let retry = WakeableRetry(shortest: retry.shortest, longest: retry.longest)
        self.retry = retry
        self.now = now
        self.log = log
        let opened = path.map { CopyFile.open(at: $0, log: log) } ?? CopyFile.Opened()
        state = Mutex(State(copy: opened.state, since: now()))
        let queue = DispatchQueue(label: "hearth.agent.hub")
        self.queue = queue
        let kept = KeptTransport()
        link = LinkDriver(
            LinkDriver.Configuration(
                transport: {
                    let made = transport(true)
                    // An address where nobody answers must not hold up the others.
                    kept.set(made, closingAfter: AgentLimits.attemptTime)
                    return made
                },
                retry: retry.policy,
                timeout: CallTimeout(
                    ordinary: AgentLimits.heartbeatTimeout,
                    greeting: AgentLimits.heartbeatTimeout,
                    wait: RetryPolicy.standard.wait
                ),
                execute: { work in queue.async { work() } }
            )
        )
        self.kept = kept
        let writer = HomeCopy(opened.file, log: log) { [weak self] in
            self?.state.withLock { $0.copy } ?? CopyState()
        }
        state.withLock { $0.writer = writer }
        if let feed {
            // Without the copy that it led to, a reader begins again.
            follow(feed, opened.state.isComplete ? opened.feed : nil)
        }
    }

    /// What the device stores for the hub's feed.
    struct FeedSource: Sendable {
        /// The device's keys, and where the feed was last.
        var settings: FeedSettings
        /// Stores the settings.
        var store: @Sendable (FeedSettings) -> Void
        /// Returns the hubs of the signed list; none if there is no list.
        var hubs: @Sendable () -> [HubMember]
        /// Stores the newest of signed lists of hubs, if they lead to it from the one that is stored.
        var takeLists: @Sendable (HubListChain) throws(HubListError) -> Void
    }

    private let kept: KeptTransport

    /// Prepares to follow the hub's feed.
    private func follow(_ source: FeedSource, _ feed: CopyFeed?) {
        guard let key = Data(base64Encoded: record.key).flatMap({ PublicKey($0) }) else { return }
        let new = FeedFollower(
            FeedFollower.Configuration(
                settings: source.settings,
                hubKey: key,
                hubs: source.hubs,
                takeLists: source.takeLists,
                feed: feed,
                store: source.store,
                keep: { [weak self] in await self?.keep($0, $1) ?? false },
                changed: { [weak self] in self?.feedDidChange() },
                now: now,
                log: log
            )
        )
        follower.withLock { $0 = new }
    }

    /// Follows the hub's feed, if there are keys for it.
    var feed: FeedFollower? { follower.withLock { $0 } }

    // MARK: For the agent

    /// The hub at this moment.
    var view: HubView {
        state.withLock { state in
            HubView(
                id: record.id,
                name: record.name,
                standing: standing(state),
                copy: state.copy,
                isChanging: state.isChanging,
                isOneOfTwo: isOneOfTwo(),
                problem: state.isNear ? nil : state.problem,
                feed: feed?.report
            )
        }
    }

    func standing(_ state: State) -> HubStanding {
        let isNear = state.isNear || state.isChanging
        let report = isNear ? nil : feed?.report
        let contact = state.copy.lastContact
        let isSilent = report?.isSilent(since: contact, at: now()) == true
        return HubStanding(
            hub: record.id,
            homes: state.copy.hub.homes.keys.sorted { $0.uuidString < $1.uuidString },
            state: isNear ? .near : .away,
            since: state.since,
            asOf: isNear ? nil : [contact, report?.time].compactMap(\.self).max().map { min($0, now()) },
            isSilent: isSilent ? true : nil,
            isRelayed: isNear && way() == .away ? true : nil
        )
    }

    /// Creates a transport for a session of its own.
    func transport() -> any HubTransport { makeTransport(false) }

    /// Calls a method of the hub in the agent's own session.
    func call<Parameters, Result>(
        _ method: Method<Parameters, Result>,
        _ parameters: Parameters
    ) async throws(HubError) -> Result {
        try await link.call(method, parameters)
    }

    /// Tries to reach the hub now, because there is a hint that it is there.
    package func wake() { retry.wake() }

    /// Ends the agent's own session, because the next one is nearer. Sessions through the relay go on until then.
    func moveNear() {
        let isMoving = state.withLock { state in
            guard state.isNear, !state.isStopped else { return false }
            state.isMoving = true
            return true
        }
        if isMoving { kept.close() }
    }

    /// Checks whether the hub is still there, because a session's connection to it has failed; or tries now to reach it,
    /// because a session wants it. Clients that don't stop asking don't make it try more often than each second.
    func suspect() {
        let now = ContinuousClock.now
        let isNear = state.withLock { state -> Bool? in
            // What the hub or the relay has said doesn't change as soon.
            let pause = state.problem == nil ? AgentLimits.wantedPause : AgentLimits.attemptTime
            if let last = state.suspicion, last.period == state.period, now - last.time < pause { return nil }
            state.suspicion = (now, state.period)
            return state.isNear
        }
        guard let isNear else { return }
        guard isNear else { return retry.wake() }
        let period = state.withLock { $0.period }
        let isAnswered = Mutex(false)
        check(period, isRepeated: false) { isAnswered.withLock { $0 = true } }
        // Somebody waits for it, so it has less time than a check of a hub that is only quiet.
        let time = way() == .near ? AgentLimits.nearAnswerTime : AgentLimits.attemptTime
        RetryPolicy.standard.wait(time) { [weak self] in
            guard let self, !isAnswered.withLock({ $0 }), state.withLock({ $0.isNear && $0.period == period }) else {
                return
            }
            kept.close()
        }
    }

    /// Checks whether a hub on this network is still there, because it hasn't answered a session's request yet. The stream to a
    /// relay is watched by its pipes.
    func doubt() {
        if way() == .near, state.withLock({ $0.isNear }) { suspect() }
    }

    /// Connects. The observer is called on a queue of the hub's, in order.
    func start(_ observer: @escaping @Sendable (Change) -> Void) {
        state.withLock { $0.observer = observer }
        if let feed { Task { await feed.run() } }
        let introduction = AgentIntroduction(version: version, platform: "linux")
        link.open(
            as: LinkDriver.Client(
                greeting: { [weak self] _ in
                    let seen = self?.state.withLock { state -> LogCursors? in
                        state.hasFeedNews = false
                        state.isOvertaken = false
                        return state.copy.isComplete ? state.copy.hub.seen : nil
                    }
                    return LinkDriver.Greeting(
                        Hello(app: HubProtocol.agentApp, purpose: "", seen: seen, agent: introduction)
                    )
                },
                onEvent: { [weak self] in self?.receive($0) },
                onWelcome: { [weak self] welcome, _ in self?.welcomed(welcome) },
                onLoss: { [weak self] error, _ in self?.lost(error) },
                log: { [weak self] error in
                    self?.log.info("A hub can't be reached.", metadata: ["reason": "\(error.reason)"])
                    guard self?.state.withLock({ $0.isChanging }) == false else { return }
                    self?.feed?.send(.away)
                    self?.state.withLock { $0.observer }?(.failed)
                }
            )
        )
    }

    /// Disconnects and writes what isn't written yet.
    func stop() {
        let writer = state.withLock { state in
            state.isStopped = true
            state.observer = nil
            return state.writer
        }
        link.close()
        feed?.stop()
        queue.sync {}
        writer?.close()
    }

    /// Returns the homes as the copy shows them to an app; `nil` if the copy isn't complete.
    package func shown(to app: String) -> HubState? {
        guard let snapshot = view.copy.snapshot(for: app, .app, because: nil) else { return nil }
        var state = HubState()
        state.apply(.reset(snapshot))
        return state
    }

    /// Writes what isn't written yet.
    package func flush() {
        queue.sync {}
        state.withLock { $0.writer }?.flush()
    }

    // MARK: On the queue

    private func receive(_ event: HubEvent) {
        let isOvertaken = state.withLock { state in
            state.isOvertaken = state.isOvertaken || state.wouldGoBack(with: event)
            return state.isOvertaken
        }
        guard !isOvertaken else {
            // The next connection begins with what the feed has told.
            log.debug("A hub's answer was on its way while its feed told more, so the hub is asked again.")
            return kept.close()
        }
        let (writer, observer, needsKeys) = state.withLock {
            state -> (HomeCopy?, (@Sendable (Change) -> Void)?, Bool) in
            // The feed may have told it while the connection was being made.
            if case .change(let change) = event, state.copy.hub.seen?.include(change) == true {
                return (nil, state.isNear ? state.observer : nil, false)
            }
            state.copy.hub.apply(event)
            return (state.writer, state.isNear ? state.observer : nil, state.isNear && !state.copy.isComplete)
        }
        writer?.record(event)
        if needsKeys { fetchKeys { _ in } }
        switch event {
        case .deviceMessage(let message): observer?(.message(message))
        case .feed(let standing): feed?.send(.moved(standing))
        case .change(let change) where change.home == nil && change.change.verb == .deviceAdded: observer?(.devices)
        default: break
        }
    }

    private func welcomed(_ welcome: Welcome) {
        kept.prove()
        let period = state.withLock { state in
            state.copy.run = welcome.run
            state.period += 1
            return state.period
        }
        fetchKeys { [weak self] error in
            guard let self else { return }
            if let error {
                log.warning("A hub doesn't serve this agent.", metadata: ["reason": "\(error.reason)"])
                return kept.close()
            }
            let observer = state.withLock { state -> (@Sendable (Change) -> Void)? in
                guard state.period == period, !state.isNear, !state.isOvertaken else { return nil }
                state.isNear = true
                if !state.isChanging { state.since = now() }
                state.isChanging = false
                // Whoever sees that the hub is near also sees that its place is open.
                feed?.send(.near)
                state.problem = nil
                state.copy.lastContact = now()
                return state.observer
            }
            state.withLock { $0.writer }?.recordContact()
            openFeed()
            observer?(.near)
            check(period, isRepeated: true)
        }
    }

    private func lost(_ error: HubError) {
        let isMove = state.withLock { state in
            guard state.isMoving else { return false }
            state.isMoving = false
            // Sessions are told once the next connection is there.
            state.isNear = false
            state.period += 1
            return true
        }
        guard !isMove, !beginChange(error) else { return }
        leave(error)
    }

    /// Handles that the homes are out of reach.
    private func leave(_ error: HubError) {
        let (observer, writer, isRemoval, isPending) = state.withLock { state in
            let isRemoval = error.code == .deviceRemoved
            state.pendingCount += error.code == .joinPending ? 1 : 0
            let isPending = error.code == .joinPending && state.pendingCount <= AgentLimits.pending.attempts
            let isNews = state.isNear || state.isChanging || isRemoval
            if state.isNear || state.isChanging {
                (state.isNear, state.isChanging) = (false, false)
                state.since = now()
                state.copy.lastContact = now()
            }
            // Only what the hub itself says, or its relay in its place, is worth more than that it can't be reached.
            state.problem = error.isSaid ? error : nil
            state.period += 1
            return (isNews ? state.observer : nil, state.writer, isRemoval, isPending)
        }
        // Whoever compares digits waits in front of the device.
        if isPending { RetryPolicy.standard.wait(AgentLimits.pending.pause) { [weak self] in self?.retry.wake() } }
        writer?.recordContact()
        feed?.send(.away)
        observer?(isRemoval ? .removed(error) : .away(error))
    }

    /// Tries the other hub of the homes, if there is one, before anybody is told that the homes are out of reach.
    ///
    /// - Returns: Whether it does, or has begun to.
    private func beginChange(_ error: HubError) -> Bool {
        guard isOneOfTwo(), !error.isSaid else { return false }
        let (isChanging, begun, observer) = state.withLock { state -> (Bool, Int?, (@Sendable (Change) -> Void)?) in
            guard state.isNear, !state.isStopped else { return (state.isChanging, nil, nil) }
            (state.isNear, state.isChanging) = (false, true)
            state.copy.lastContact = now()
            state.period += 1
            state.changes += 1
            return (true, state.changes, state.observer)
        }
        guard let begun else { return isChanging }
        observer?(.changing)
        RetryPolicy.standard.wait(AgentLimits.changeTime) { [weak self] in
            guard let self else { return }
            queue.async { self.endChange(begun, error) }
        }
        return true
    }

    private func endChange(_ begun: Int, _ error: HubError) {
        let isOver = state.withLock { $0.isChanging && $0.changes == begun && !$0.isStopped }
        guard isOver else { return }
        leave(error)
    }

    private func fetchKeys(_ completion: @escaping @Sendable (HubError?) -> Void) {
        link.call(HubMethods.homeKeys, Empty()) { [weak self] reply in
            guard let self else { return }
            switch reply {
            case .success(let keys):
                let writer = state.withLock { state in
                    state.copy.keys = keys
                    return state.writer
                }
                writer?.recordContact()
                tell(keys.hubs)
                completion(nil)
            case .failure(let error):
                completion(error)
            }
        }
    }

    /// Tells the list of the hubs that keep the homes, unless it was told before.
    private func tell(_ hubs: Data?) {
        guard let hubs else { return }
        let observer = state.withLock { state -> (@Sendable (Change) -> Void)? in
            guard state.toldHubs != hubs else { return nil }
            state.toldHubs = hubs
            return state.observer
        }
        observer?(.hubs(Array(hubs)))
    }

    /// Gives the hub the device's keys for its feed, and learns where it is.
    func openFeed() {
        guard let feed, state.withLock({ $0.isNear }) else { return }
        let keys = feed.feedKeys
        link.call(HubMethods.openFeed, keys) { [weak self] reply in
            switch reply {
            case .success(let standing):
                if let time = keys.vaultOpened { Task { await feed.hubKnows(ofVaultOpenedAt: time) } }
                feed.send(.met(standing))
            case .failure(let error):
                // An older hub has no feeds.
                self?.log.debug("A hub has no feed.", metadata: ["reason": "\(error.reason)"])
            }
        }
    }

    // MARK: Heartbeats

    /// Checks that the hub is still there. A connection over a network that went away doesn't end by itself.
    ///
    /// - Parameter answered: A closure that is called when the hub has answered, or the connection has ended.
    private func check(
        _ period: Int,
        isRepeated: Bool,
        answered: @escaping @Sendable () -> Void = {}
    ) {
        let check: @Sendable () -> Void = { [weak self] in
            guard let self, state.withLock({ $0.isNear && $0.period == period && !$0.isStopped }) else { return }
            link.call(HubMethods.homeKeys, Empty()) { [weak self] reply in
                answered()
                guard let self, state.withLock({ $0.isNear && $0.period == period }) else { return }
                switch reply {
                case .success(let keys): tell(keys.hubs)
                case .failure(let error): if error.code == .timedOut { return kept.close() }
                }
                let observer = state.withLock { state in
                    state.copy.lastContact = now()
                    return state.observer
                }
                observer?(.confirmed)
                guard isRepeated else { return }
                if feed?.heartbeat() == true { openFeed() }
                observer?(.devices)
                self.check(period, isRepeated: true)
            }
        }
        if isRepeated { RetryPolicy.standard.wait(heartbeat, check) } else { check() }
    }
}

extension JoinedHub.State {
    /// Returns whether an event is older than what the feed has told since the connection began, so that it would take the copy
    /// back. If the connection then ended, the copy would stay there, and the feed would go on after what is missing.
    fileprivate func wouldGoBack(with event: HubEvent) -> Bool {
        guard hasFeedNews, let seen = copy.hub.seen else { return false }
        switch event {
        case .reset(let snapshot): return !LogCursors(snapshot).isAtOrAfter(seen)
        // The feed may have told that the home is gone.
        case .change(let change): return !isNear && change.home.map { seen.homes[$0] == nil } == true
        default: return false
        }
    }
}

/// The transport of a hub's present connection, so that it can be closed when the hub doesn't answer.
private final class KeptTransport: Sendable {
    // This is a class because the link's factory and the hub share it.

    private struct State {
        var transport: (any HubTransport)?
        var number = 0
        var isProved = false
    }

    private let state = Mutex(State())

    /// Sets the transport of a new connection. It is closed after a time unless the hub has answered by then.
    func set(_ transport: any HubTransport, closingAfter time: Duration) {
        let number = state.withLock { state in
            state.transport = transport
            state.number += 1
            state.isProved = false
            return state.number
        }
        RetryPolicy.standard.wait(time) { [weak self] in
            self?.state.withLock { $0.number == number && !$0.isProved ? $0.transport : nil }?.close()
        }
    }

    /// Records that the hub has answered.
    func prove() {
        state.withLock { $0.isProved = true }
    }

    func close() {
        state.withLock { $0.transport }?.close()
    }
}

/// The shortest and the longest pause between two attempts to reach a hub.
package struct WakeableRetryPolicy: Sendable {
    /// The shortest pause.
    package var shortest: Duration
    /// The longest pause.
    package var longest: Duration

    /// Creates a policy.
    package init(shortest: Duration, longest: Duration) {
        self.shortest = shortest
        self.longest = longest
    }

    /// The pauses of an agent.
    package static let standard = WakeableRetryPolicy(
        shortest: AgentLimits.retry.shortest,
        longest: AgentLimits.retry.longest
    )
}

extension HubError {
    /// Whether the hub itself says so, or its relay in its place, which is worth more than that the hub can't be reached.
    var isSaid: Bool {
        [.deviceRemoved, .joinPending, .versionMismatch, .notHere, .relayFailed].contains(code)
    }
}
