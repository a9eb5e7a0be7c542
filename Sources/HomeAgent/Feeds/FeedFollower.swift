import Foundation
import HomeIdentity
import HubAPI
import Logging
import RelayAPI
import RelayClient
import SealedFeed
import Synchronization

/// Follows a hub's feed at its relay while the hub is out of reach, and compares the places when the hub is met.
///
/// It asks the relay and waits; what follows from the answers is a ``FeedRound``'s to say.
actor FeedFollower {
    // This is an actor because it owns the reader and the connection to the relay.

    /// What the follower hears of its hub.
    enum Signal: Sendable {
        /// The hub is out of reach.
        case away
        /// The hub is in reach.
        case near
        /// The hub has said where the feed is, and at which entry.
        case met(FeedStanding)
        /// The hub has said that the feed is elsewhere now.
        case moved(FeedStanding)
    }

    /// What the follower needs.
    struct Configuration: Sendable {
        /// The device's keys, and where the feed was last.
        var settings: FeedSettings
        /// The key with which the hub signs that the device has joined.
        var hubKey: PublicKey
        /// Returns the hubs of the signed list; none if there is no list.
        var hubs: @Sendable () -> [HubMember] = { [] }
        /// Stores the newest of signed lists of hubs, if they lead to it from the one that is stored.
        var takeLists: @Sendable (HubListChain) throws(HubListError) -> Void = { _ in }
        /// What is stored with the copy.
        var feed: CopyFeed?
        /// Stores the settings.
        var store: @Sendable (FeedSettings) -> Void
        /// Stores the reader's state together with the changed copy, if there is an update, and then shows it. Returns whether
        /// it is stored.
        var keep: @Sendable (CopyFeed, FeedUpdate?) async -> Bool
        /// Tells that the report is another one.
        var changed: @Sendable () -> Void
        var now: @Sendable () -> Date
        var log: Logger
    }

    /// What ends a wait for the relay.
    private enum Trigger: Sendable {
        case stream(LiveEvent)
        case streamEnded
        case time
    }

    private let configuration: Configuration
    private let keys: (box: BoxKey, relay: IdentityKey)
    private var settings: FeedSettings
    private var feed: CopyFeed?
    private var reader: FeedReader?
    private var client: RelayClient?
    private var pace = FeedPace()
    private var isNear = false
    /// What the follower does until it hears of its hub again.
    private var following: Task<Void, Never>?

    private nonisolated let current: Mutex<FeedReport>
    /// When the device opened the backup at the relay, until the hub knows of it.
    private nonisolated let vaultOpened: Mutex<Date?>
    /// Whether the hub is to be asked at which entry the feed is.
    private nonisolated let inquiry = Mutex(PlaceInquiry())
    private nonisolated let signals: AsyncStream<Signal>
    private nonisolated let signal: AsyncStream<Signal>.Continuation

    /// Creates a follower. Returns `nil` if the stored keys can't be used.
    init?(_ configuration: Configuration) {
        guard let keys = configuration.settings.keys else { return nil }
        self.configuration = configuration
        self.keys = keys
        settings = configuration.settings
        vaultOpened = Mutex(configuration.settings.vaultOpened)
        var report = FeedReport(location: settings.location)
        if let kept = configuration.feed?.kept, kept.address == settings.location?.address {
            feed = configuration.feed
            report.tell(of: kept)
            report.readAt = configuration.now()
        }
        current = Mutex(report)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// What the device tells the hub of its keys.
    nonisolated var feedKeys: FeedKeys {
        FeedKeys(
            box: Data(keys.box.publicBox.bytes),
            relayKey: Data(keys.relay.publicKey.bytes),
            vaultOpened: vaultOpened.withLock { $0 }
        )
    }

    /// Notes that the backup at the relay was opened, so that the hub hears of it when it is next in reach.
    func noteVaultOpened() { note(vaultOpened: configuration.now()) }

    /// Handles that the hub knows of an opened backup.
    func hubKnows(ofVaultOpenedAt time: Date) {
        if vaultOpened.withLock({ $0 }) == time { note(vaultOpened: nil) }
    }

    private func note(vaultOpened time: Date?) {
        settings.vaultOpened = time
        vaultOpened.withLock { $0 = time }
        configuration.store(settings)
    }

    /// What is needed to read at the relay.
    struct Reading: Sendable {
        var client: RelayClient
        var address: FeedAddress
        var device: UUID
        var hubs: [UUID: PublicKey]
        var box: BoxKey
    }

    /// What is needed to read at the relay; `nil` while the hub has none.
    var reading: Reading? {
        guard let client, let location = settings.location, let address = location.address else { return nil }
        return Reading(
            client: client,
            address: address,
            device: location.device,
            hubs: hubs(at: location),
            box: keys.box
        )
    }

    /// What the device knows of the feed.
    nonisolated var report: FeedReport { current.withLock { $0 } }

    /// Whether the hub is to be asked again where the feed is.
    nonisolated var awaitsPlace: Bool { inquiry.withLock { $0.isOpen } }

    /// Handles a heartbeat of the hub's. Returns whether to ask it now where the feed is.
    nonisolated func heartbeat() -> Bool { inquiry.withLock { $0.heartbeat() } }

    /// Tells the follower of its hub.
    nonisolated func send(_ signal: Signal) {
        if case .near = signal { inquiry.withLock { $0.hubIsNear() } }
        self.signal.yield(signal)
    }

    /// Ends ``run()``.
    nonisolated func stop() { signal.finish() }

    /// Follows the feed until ``stop()``.
    func run() async {
        open(settings.location)
        for await signal in signals {
            // Each attempt to reach the hub that fails says so.
            if case .away = signal, !isNear, following != nil { continue }
            following?.cancel()
            await following?.value
            following = nil
            // A connection may have told a list.
            if let location = settings.location { reader?.hubs = hubs(at: location) }
            switch signal {
            case .away: isNear = false
            case .near: isNear = true
            case .met(let standing): await meet(standing.location)
            case .moved(let standing): await move(to: standing.location)
            }
            guard reader != nil, client != nil else { continue }
            following = Task { [isNear] in
                if isNear { await self.compare() } else { await self.follow() }
            }
        }
        following?.cancel()
        await following?.value
        client = nil
    }

    // MARK: Where the feed is

    /// The keys of the hubs that may write the feed, by ID.
    private func hubs(at location: FeedLocation) -> [UUID: PublicKey] {
        let listed = configuration.hubs()
        guard !listed.isEmpty else { return [location.hub: configuration.hubKey] }
        return Dictionary(listed.map { ($0.id, $0.key) }) { first, _ in first }
    }

    /// Begins to read at a location, with what is stored of it.
    private func open(_ location: FeedLocation?) {
        guard let location, let address = location.address else {
            (reader, client, feed) = (nil, nil, nil)
            return
        }
        if feed?.kept.address != address || feed?.kept.device != location.device {
            feed = CopyFeed(kept: KeptFeed(address, device: location.device))
        }
        reader = feed.map { FeedReader($0.kept, hubs: hubs(at: location), box: keys.box) }
        pace = FeedPace()
        do throws(RelayClientError) {
            client = try RelayClient(location.relay, as: keys.relay)
        } catch {
            client = nil
            update { $0.trouble = RelayTrouble(error).reason }
        }
    }

    /// Handles that the hub has said where the feed is.
    private func move(to location: FeedLocation?) async {
        var new = location
        // The place is compared, and not stored with where the feed is.
        new?.place = nil
        guard new != settings.location || reader == nil else { return }
        settings.location = new
        configuration.store(settings)
        open(new)
        update { report in
            report = FeedReport(location: new)
            if let kept = feed?.kept { report.tell(of: kept) }
        }
    }

    /// Compares the reader's place with the hub's.
    private func meet(_ location: FeedLocation?) async {
        await move(to: location)
        guard var reader, let place = location?.feedPlace else {
            return inquiry.withLock { $0.answered(isSettled: location == nil) }
        }
        var problem: FeedError?
        do throws(FeedError) {
            try reader.met(hubAt: place)
        } catch {
            problem = error
        }
        self.reader = reader
        // The hub itself has told what its entries up to now say.
        await keep(met: problem == nil ? place : nil)
        inquiry.withLock { $0.answered(isSettled: problem == nil) }
        // Whether the relay has its entries again is for the relay to show.
        if problem != nil || report.problem?.code != .relayRolledBack { tell(problem) }
    }

    // MARK: Reading

    /// Compares the relay's head with what the hub has said, trying again while the relay can't be asked. A device that has just
    /// joined asks before the relay knows it.
    private func compare() async {
        while !Task.isCancelled, let trouble = await compareOnce() {
            await pause(pace.failed(retryAfter: trouble.retryAfter, random: Double.random(in: 0...1)))
        }
    }

    /// Compares the relay's head, without reading its entries: the hub tells what they say. Returns why it can't be asked.
    private func compareOnce() async -> RelayTrouble? {
        guard let client, let address = feed?.kept.address, var reader, reader.kept.stop == nil else { return nil }
        do throws(RelayClientError) {
            let status = try await client.status(of: address.feed, in: address.house)
            guard !Task.isCancelled else { return nil }
            let head = RelayHead(sequence: Int(max(0, status.seq)), digest: status.head)
            var problem: FeedError?
            do throws(FeedError) {
                if let beat = status.beat { try reader.receive(beat: Array(beat)) }
                _ = try reader.compare(with: head)
            } catch {
                problem = error
            }
            self.reader = reader
            await keep()
            // The hub writes again what a relay has lost, which is looked at then. And a relay that has lied is asked again
            // once the hub has said where the feed is.
            inquiry.withLock { problem == nil ? $0.agreed() : $0.contradicted() }
            update { $0.trouble = nil }
            tell(problem)
            pace.reached()
            return nil
        } catch {
            guard !Task.isCancelled else { return nil }
            let trouble = RelayTrouble(error)
            update { $0.trouble = trouble.reason }
            return trouble
        }
    }

    /// Reads what the relay has, and waits for more, until the task is canceled.
    private func follow() async {
        while !Task.isCancelled {
            await settle()
            if reader?.kept.stop != nil {
                // The hub must be met first. Time passes all the same.
                await pause(tick)
                configuration.changed()
                continue
            }
            switch pace.way {
            case .stream: await followStream()
            case .poll: await followByRequests()
            }
        }
    }

    /// Reads what the relay has, trying again while it can't be asked. Returns whether there was anything.
    @discardableResult
    private func settle() async -> Bool {
        let last = reader?.place
        while !Task.isCancelled, let trouble = await catchUp() {
            await pause(pace.failed(retryAfter: trouble.retryAfter, random: Double.random(in: 0...1)))
        }
        pace.reached()
        return reader?.place != last
    }

    /// Reads what the relay says that it has. One that wakes without news costs a request a second.
    private func settleAfterWake() async {
        if await !settle() { await pause(AgentLimits.feedPause) }
    }

    /// Reads whenever the relay's stream tells of news, until it is to be given up or nothing more may be read.
    private func followStream() async {
        guard let client, let address = feed?.kept.address else { return await pause(tick) }
        let (triggers, trigger) = AsyncStream.makeStream(of: Trigger.self, bufferingPolicy: .bufferingNewest(16))
        let stream = Task {
            for await event in client.live(address.house, feed: address.feed) { trigger.yield(.stream(event)) }
            trigger.yield(.streamEnded)
        }
        defer {
            stream.cancel()
            trigger.finish()
        }
        while !Task.isCancelled, reader?.kept.stop == nil {
            let time = tick
            let timer = Task { if (try? await Task.sleep(for: time)) != nil { trigger.yield(.time) } }
            defer { timer.cancel() }
            guard let next = await triggers.first(where: { _ in true }) else { return }
            switch next {
            case .stream(.connected): break
            case .stream(.wake(_, let number)):
                pace.streamSpoke()
                if Int(number) != reader?.lastSequence { await settleAfterWake() }
            case .stream(.disconnected(let error)):
                update { $0.trouble = RelayTrouble(error).reason }
                if pace.streamEnded() { return }
            case .streamEnded:
                // The relay doesn't let the device read any longer, or says so.
                await settle()
                return await pause(tick)
            case .time:
                configuration.changed()
                await settle()
            }
        }
    }

    /// Reads whenever the relay answers a request that waits for news.
    private func followByRequests() async {
        guard let client, let address = feed?.kept.address, let last = reader?.lastSequence else {
            return await pause(tick)
        }
        let news = try? await client.entries(
            of: address.feed,
            in: address.house,
            after: Int64(last),
            limit: 1,
            waitingFor: RelayLimits.waitSeconds
        )
        pace.requestWaited()
        configuration.changed()
        // What is wrong is found by reading.
        if news?.isEmpty != true { await settleAfterWake() }
    }

    private func pause(_ time: Duration) async { try? await Task.sleep(for: time) }

    /// The time until the relay is asked for a beat, or people are told that the hub is silent.
    private var tick: Duration {
        guard let time = report.time else { return AgentLimits.feedStatusTime }
        let silence = time.addingTimeInterval(Double(FeedLimits.silenceTime) / 1_000 + 1)
        let seconds = silence.timeIntervalSince(configuration.now())
        return seconds > 0 ? min(AgentLimits.feedStatusTime, .seconds(seconds)) : AgentLimits.feedStatusTime
    }

    /// Reads what the relay has. Returns why it can't be asked.
    private func catchUp() async -> RelayTrouble? {
        guard let reader, let client, let address = feed?.kept.address else { return nil }
        var round = FeedRound(reader)
        var action = round.begin()
        while true {
            switch action {
            case .askStatus:
                action = await answer(&round) { round throws(RelayClientError) in
                    round.received(try await client.status(of: address.feed, in: address.house))
                }
            case .askEntries(let number):
                action = await answer(&round) { round throws(RelayClientError) in
                    round.received(try await client.entries(of: address.feed, in: address.house, after: Int64(number)))
                }
            case .askEnvelope(let generation):
                action = await answer(&round) { round throws(RelayClientError) in
                    round.received(envelope: try await self.envelope(Int64(generation), address, client))
                }
            case .askHubs(let generation):
                action = await answer(&round) { round throws(RelayClientError) in
                    round.received(hubLists: try await self.hubLists(Int64(generation), address, client))
                }
            case .takeHubs(let lists):
                do throws(HubListError) {
                    try configuration.takeLists(lists)
                    action = round.took(settings.location.map { hubs(at: $0) } ?? [:])
                } catch {
                    action = round.refused(error)
                }
            case .store(let update):
                action = round.stored(await store(round.reader, update))
            case .end(let outcome):
                return await end(round, outcome)
            }
            guard !Task.isCancelled else { return nil }
        }
    }

    private func answer(
        _ round: inout FeedRound,
        _ ask: (inout FeedRound) async throws(RelayClientError) -> FeedRound.Action
    ) async -> FeedRound.Action {
        do throws(RelayClientError) {
            return try await ask(&round)
        } catch {
            return round.failed(error)
        }
    }

    private func envelope(
        _ generation: Int64,
        _ address: FeedAddress,
        _ client: RelayClient
    ) async throws(RelayClientError) -> Data? {
        guard let device = feed?.kept.device else { return nil }
        return try await envelope(generation, to: device, address, client)
    }

    /// Returns this device's lists of hubs, which are beside the envelopes of a generation; `nil` if there are none.
    private func hubLists(
        _ generation: Int64,
        _ address: FeedAddress,
        _ client: RelayClient
    ) async throws(RelayClientError) -> Data? {
        guard let device = feed?.kept.device else { return nil }
        return try await envelope(generation, to: SealedHubLists.recipient(for: device), address, client)
    }

    private func envelope(
        _ generation: Int64,
        to recipient: UUID,
        _ address: FeedAddress,
        _ client: RelayClient
    ) async throws(RelayClientError) -> Data? {
        do throws(RelayClientError) {
            return try await client.envelope(generation, to: recipient, of: address.feed, in: address.house)
        } catch {
            if case .refused(let refusal) = error, refusal.code == .notFound { return nil }
            throw error
        }
    }

    private func store(_ reader: FeedReader, _ update: FeedUpdate) async -> Bool {
        guard !Task.isCancelled, var feed else { return false }
        feed.kept = reader.kept
        guard await configuration.keep(feed, update) else { return false }
        self.feed = feed
        self.reader = reader
        self.update { $0.tell(of: feed.kept) }
        return true
    }

    private func end(_ round: FeedRound, _ outcome: FeedRound.Outcome) async -> RelayTrouble? {
        guard !Task.isCancelled else { return nil }
        if outcome != .interrupted { reader = round.reader }
        await keep()
        switch outcome {
        case .current:
            update { $0.trouble = nil }
            tell(nil)
        case .refused(let error):
            update { $0.trouble = nil }
            tell(error)
        case .unavailable(let trouble):
            update { $0.trouble = trouble.reason }
            return trouble
        case .interrupted:
            return RelayTrouble.notStored
        }
        return nil
    }

    /// Stores the reader's state if it has changed without an update.
    ///
    /// - Parameter place: The entry up to which the hub itself has told everything; `nil` for no news.
    private func keep(met place: FeedPlace? = nil) async {
        guard var new = feed, let kept = reader?.kept else { return }
        new.kept = kept
        if let place, new.met.isBefore(place) { new.met = place }
        guard new != feed, await configuration.keep(new, nil) else { return }
        feed = new
        update { $0.tell(of: kept) }
    }

    // MARK: The report

    private func tell(_ problem: FeedError?) {
        let isNew = problem != nil && report.problem != problem
        update { report in
            report.problem = problem
            report.isStopped = reader?.kept.stop != nil
        }
        guard isNew, let problem else { return }
        configuration.log.warning(
            "A relay isn't believed. The homes stay as they are.",
            metadata: ["error": "\(problem.code.rawValue)", "reason": "\(problem.message)"]
        )
    }

    private func update(_ change: (inout FeedReport) -> Void) {
        let isNews = current.withLock { report in
            let before = report
            change(&report)
            if report.asOf != before.asOf || report.readAt == nil { report.readAt = configuration.now() }
            return report != before
        }
        if isNews { configuration.changed() }
    }
}

extension FeedReport {
    /// Takes over what is stored of a feed.
    fileprivate mutating func tell(of kept: KeptFeed) {
        place = kept.place == .start ? nil : kept.place
        asOf = kept.asOf
        isStopped = kept.stop != nil
        problem = kept.stop ?? problem
    }
}

extension RelayTrouble {
    /// The copy can't be written, or the hub has come into reach just now.
    fileprivate static let notStored = RelayTrouble(reason: "The copy of the homes can't be stored.")
}
