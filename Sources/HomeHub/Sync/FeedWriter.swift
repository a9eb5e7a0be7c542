package import Foundation
package import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging
package import SealedFeed
import Synchronization

/// Writes a person's feed: one more session of the person, whose events go to a relay instead of a connection.
///
/// It is a client like any other: it gets what its person may see, from the position of its last entry on. Values and
/// reachability are left out.
package actor FeedWriter {
    /// What the writer does.
    package enum Status: Hashable, Sendable {
        /// It is starting, or writing.
        case writing
        /// The relay has everything up to a place.
        case current(FeedPlace)
        /// It waits for the relay, which can't be reached.
        case waiting(FeedRelayError)
        /// It writes nothing until the hub starts again: a person must decide, or the relay must tell the truth.
        case stopped(FeedError)
    }

    /// The time after which a relay that can't be reached is tried again.
    private static let retryTime = Duration.seconds(15)

    private let user: UUID
    private let relay: any FeedRelay
    private let store: HomeStore
    private let database: HomeDatabase
    private let aliases: AliasKey
    private let now: @Sendable () -> Date
    private let log: Logger
    private let open: @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession

    private var writer: EntryWriter
    /// The lineage of the person's log when the state was last stored.
    private var lineage: UUID?
    /// The devices that have the key.
    private var devices: [UUID: PublicBox]
    /// The devices that should have it.
    private let wantedDevices: Mutex<[UUID: PublicBox]>
    private let inbox = FeedInbox()
    /// Whether a relay that couldn't be reached is to be tried again. Changes alone are no reason.
    private let isWoken = Mutex(false)
    private var retry: Task<Void, Never>?
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    private var session: HubSession?
    /// The position with the events that were written.
    private var seen: LogCursors?
    /// The changes after a full state that was written.
    private var carried: [HubEvent] = []
    /// Whether the relay's last entry is known to be the writer's.
    private var isReconciled = false
    /// Whether the full state is on its way, in place of the changes.
    private var awaitsReset = false
    private var status = Status.writing
    private var observers: [UUID: AsyncStream<Status>.Continuation] = [:]

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - address: The feed. If something is stored for another address, the feed goes on there.
    ///   - devices: The boxes of the person's devices, by ID.
    init(
        of user: UUID,
        at address: FeedAddress,
        for devices: [UUID: PublicBox],
        _ relay: any FeedRelay,
        in hub: HomeHub,
        now: @escaping @Sendable () -> Date,
        log: Logger
    ) async throws {
        self.user = user
        self.relay = relay
        self.now = now
        self.log = log
        store = hub.store
        database = hub.database
        aliases = hub.aliases
        let stored = try await StoredFeed.load(of: user, from: hub.store)
        let isSame = stored?.state.address == address
        let former = stored.map { WriterState(address, following: $0.state) } ?? WriterState(address)
        writer = EntryWriter(
            isSame ? stored?.state ?? former : former,
            keys: isSame ? stored?.keys ?? [:] : [:],
            hub: hub.owner.device,
            hubKey: hub.identity
        )
        lineage = stored?.lineage
        self.devices = isSame ? stored?.devices ?? [:] : [:]
        wantedDevices = Mutex(devices)
        let authority = SessionAuthority(user: user, device: hub.owner.device, client: .person)
        open = { hub.accept(as: authority, deliver: $0) }
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    // MARK: For the hub

    /// Writes until the task is canceled, or the hub ends the session.
    package func run() async {
        let beats = Task { [weak self] in
            while (try? await Task.sleep(for: .milliseconds(FeedLimits.beatTime))) != nil { await self?.beat() }
        }
        await publish()
        for await _ in signals { await publish() }
        beats.cancel()
        retry?.cancel()
        session?.close()
        session = nil
        for observer in observers.values { observer.finish() }
    }

    /// Tries again, because the relay may be in reach.
    package nonisolated func wake() {
        isWoken.withLock { $0 = true }
        signal.yield()
    }

    /// Sets the devices of the person. After this call, nothing is written under keys that a removed device has.
    package nonisolated func setDevices(_ devices: [UUID: PublicBox]) {
        wantedDevices.withLock { $0 = devices }
        wake()
    }

    /// Signs that there is no news, if there is none.
    package func beat() async {
        guard case .current = status else { return }
        do throws(FeedRelayError) {
            try await relay.put(writer.beat(at: time))
        } catch {
            log.debug("A relay doesn't take a beat.", metadata: ["reason": "\(error)"])
        }
    }

    /// The writer's status now and from now on.
    package var statuses: AsyncStream<Status> {
        let id = UUID()
        let (stream, continuation) = AsyncStream.makeStream(of: Status.self)
        continuation.onTermination = { [weak self] _ in Task { await self?.removeObserver(id) } }
        observers[id] = continuation
        continuation.yield(status)
        return stream
    }

    private func removeObserver(_ id: UUID) { observers[id] = nil }

    private func set(_ status: Status) {
        guard status != self.status else { return }
        self.status = status
        for observer in observers.values { observer.yield(status) }
    }

    // MARK: The session

    private func connect() {
        let session = open { [inbox, signal] message in
            switch message {
            case .event(let event): if inbox.add(event) { signal.yield() }
            case .closed: signal.finish()
            case .reply(_, let reply): if case .failure = reply.result { signal.finish() }
            }
        }
        self.session = session
        seen = writer.state.seen.map { LogCursors($0) }
        let hello = Hello(
            app: HubProtocol.agentApp,
            purpose: "",
            seen: seen,
            agent: AgentIntroduction(version: "", platform: "")
        )
        // An introduction has only texts and numbers, which always encode.
        guard let parameters = try? JSONEncoder().encode(hello) else { return }
        session.receive(HubRequest(id: 1, method: HubMethods.hello.name, parameters: parameters))
    }

    /// Asks the session for the full state, in place of the changes.
    private func requestReset() {
        guard !awaitsReset else { return }
        awaitsReset = true
        session?.resendState()
    }

    // MARK: Writing

    /// The hub's time in milliseconds since 1970.
    private var time: Int { max(0, Int(now().timeIntervalSince1970 * 1_000)) }

    /// Brings the relay up to date.
    private func publish() async {
        let isWoken = isWoken.withLock { isWoken in
            defer { isWoken = false }
            return isWoken
        }
        switch status {
        case .stopped: return
        case .waiting where !isWoken: return
        case .waiting, .writing, .current: break
        }
        set(.writing)
        do {
            try await reconcile()
            if session == nil { connect() }
            while try await writeNext() {}
            if !awaitsReset, !writer.state.needsBase { set(.current(writer.state.place)) }
        } catch let error as FeedRelayError {
            isReconciled = false
            set(.waiting(error))
            log.info("A relay can't be reached.", metadata: ["reason": "\(error)"])
            let delay = error.retryAfter.map { Duration.seconds($0) } ?? Self.retryTime
            retry?.cancel()
            retry = Task { [weak self] in
                if (try? await Task.sleep(for: delay)) != nil { self?.wake() }
            }
        } catch {
            let reason = error as? FeedError ?? FeedError(.notNow, "The feed's state can't be stored: \(error)")
            set(.stopped(reason))
            log.error("A feed isn't written.", metadata: ["reason": "\(reason)"])
        }
    }

    /// Takes one step. Returns whether there may be more to do.
    private func writeNext() async throws -> Bool {
        if try await updateDevices() { return true }
        if let next = writer.next {
            if let head = try await relay.append(next) {
                try await reconcile(with: head)
            } else {
                writer.appended()
                try await save()
            }
            return true
        }
        let batch = inbox.take()
        if let reset = batch.reset {
            awaitsReset = false
            carried = batch.events
            let cursors = LogCursors(reset)
            // Feeds have no values: they are old when somebody reads them.
            let state = Snapshot(account: reset.account, homes: reset.homes, values: KnownValues(), reachability: [])
            try write([.reset(state)], cursors, isBase: true)
            return true
        }
        let events = carried + batch.events
        carried = []
        // A base that is due comes right after the changes, so that readers who follow are told each of them.
        if batch.hasMissed || (writer.isBaseDue && seen != nil) { requestReset() }
        // The full state, which is on its way, has these changes.
        guard !awaitsReset, !events.isEmpty, var cursors = seen else { return false }
        for event in events {
            switch event {
            case .change(let change): cursors.follow(change)
            case .homeGone(let home): cursors.homes[home] = nil
            default: break
            }
        }
        try write(events, cursors, isBase: false)
        return true
    }

    private func write(_ events: [HubEvent], _ cursors: LogCursors, isBase: Bool) throws {
        // A home is new to the readers, or to whoever begins here.
        let needsKeys = isBase || cursors.homes.keys.contains { seen?.homes[$0] == nil }
        let keys = cursors.homes.keys.map { ($0, Data(aliases.homeKey($0))) }
        let homeKeys = FeedHomeKeys(user: user, keys: Dictionary(uniqueKeysWithValues: keys))
        let lines = try events.map { Array(try WireMessage.line($0).dropLast()) }
        let content = FeedContent(
            seen: FeedCursors(cursors),
            homeKeys: needsKeys ? homeKeys : nil,
            events: lines
        )
        try writer.write(content, isBase: isBase, at: time)
        seen = cursors
    }

    private func save() async throws {
        lineage = await database.stored.lineages[.account(user)]
        try await StoredFeed(state: writer.state, keys: writer.keys, devices: devices, lineage: lineage)
            .save(of: user, in: store)
    }

    // MARK: Keys

    /// Gives new devices the key, or begins a new generation if a device was removed. Returns whether anything was to do.
    private func updateDevices() async throws -> Bool {
        let wanted = wantedDevices.withLock { $0 }
        let isRemoved = devices.contains { wanted[$0.key] != $0.value }
        guard isRemoved || writer.isGenerationDue(at: time) else {
            let added = wanted.filter { devices[$0.key] == nil }
            guard !added.isEmpty else { return false }
            try await relay.put(added.compactMap { try? writer.envelope(for: $0, $1) }, of: writer.state.address)
            devices = wanted
            try await save()
            return true
        }
        let envelopes = writer.beginGeneration(for: wanted, at: time)
        devices = wanted
        try await save()
        try await relay.put(envelopes, of: writer.state.address)
        writer.envelopesStored()
        try await save()
        return true
    }

    // MARK: The relay's memory

    private func reconcile() async throws {
        guard !isReconciled else { return }
        let head = try await relay.head(of: writer.state.address)
        if isRestored(await database.stored) {
            let last = try await entries(after: max(0, head.sequence - 1))
            try writer.goOn(behind: head, last.last)
            try await save()
        } else {
            try await reconcile(with: head)
        }
        isReconciled = true
    }

    /// Whether the hub's logs have begun a new lineage since the state was stored, so that a backup was restored. The backup may
    /// be from before the first entry was noted.
    private func isRestored(_ state: HomeDatabase.State) -> Bool {
        lineage.map { $0 != state.lineages[.account(user)] } ?? false
    }

    private func reconcile(with head: RelayHead) async throws {
        switch writer.compare(with: head) {
        case .same:
            // After a refusal, this isn't what the relay has just said.
            guard !isReconciled else { throw FeedRelayError("The relay refuses an entry that follows its last one.") }
        case .nextAppended:
            writer.appended()
        case .entriesNeeded(let number):
            // One content is all that a crash can have left there. More shows that the hub was set back.
            let isNear = head.sequence - number <= FeedLimits.maximumParts
            let entries = try await entries(after: isNear ? number : head.sequence - 1)
            let state = await database.stored
            let hadNext = writer.next != nil
            try writer.reconcile(with: head, entries) { state.knows($0, of: user) }
            // Its content is nowhere else.
            if hadNext { requestReset() }
        }
        try await save()
    }

    /// Returns all entries after a number, of which there are few.
    private func entries(after number: Int) async throws -> [[UInt8]] {
        var entries: [[UInt8]] = []
        while entries.count <= FeedLimits.maximumParts {
            let page = try await relay.entries(of: writer.state.address, after: number + entries.count)
            guard !page.isEmpty else { break }
            entries += page
        }
        return entries
    }
}

extension LogCursors {
    /// The position of a feed's content.
    fileprivate init(_ seen: FeedCursors) {
        self.init(
            account: LogCursor(lineage: seen.account.lineage, revision: seen.account.revision),
            homes: seen.homes.mapValues { LogCursor(lineage: $0.lineage, revision: $0.revision) }
        )
    }
}

extension FeedCursors {
    /// The position of a session.
    fileprivate init(_ seen: LogCursors) {
        self.init(
            account: Cursor(lineage: seen.account.lineage, revision: seen.account.revision),
            homes: seen.homes.mapValues { Cursor(lineage: $0.lineage, revision: $0.revision) }
        )
    }
}

extension HomeDatabase.State {
    /// Returns whether the logs have reached the position of a person's feed.
    fileprivate func knows(_ seen: FeedCursors, of user: UUID) -> Bool {
        // A home that is gone was in the person's list, whose log the hub still has.
        knows(seen.account, .account(user))
            && seen.homes.allSatisfy { homes[$0.key] == nil || knows($0.value, .home($0.key)) }
    }

    private func knows(_ cursor: FeedCursors.Cursor, _ log: LogID) -> Bool {
        cursor.revision == 0 || (lineages[log] == cursor.lineage && cursor.revision <= revisions[log] ?? 0)
    }
}
