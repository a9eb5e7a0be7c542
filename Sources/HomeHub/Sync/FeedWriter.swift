package import Foundation
import HomeIdentity
import HomeModel
import HomeStore
package import HubAPI
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
        /// It waits for the relay, which can't be reached or doesn't take what it gets.
        case waiting(FeedRelayError)
        /// It writes nothing until the hub starts again: a person must decide, or the relay must tell the truth.
        case stopped(FeedError)
    }

    /// The times after which a relay that can't be reached is tried again: twice as long each time, less a random part.
    private static let firstRetry = Duration.milliseconds(500)
    private static let longestRetry = Duration.seconds(15)
    /// How long the state waits to be stored once the relay has an entry. A crash leaves behind what ``reconcile()`` finds.
    private static let saveDelay = Duration.seconds(1)
    /// The number of entries after which the state is stored at once, few enough to get from the relay after a crash.
    private static let unsavedLimit = 32

    let user: UUID
    let relay: any RelayHouse
    let store: HomeStore
    let database: HomeDatabase
    private let aliases: AliasKey
    let runs: FeedRuns
    private let lead: FeedLead
    let now: @Sendable () -> Date
    let log: Logger
    let activities: ActivityStream
    private let open: @Sendable (@escaping @Sendable (HubMessage) -> Void) -> HubSession

    var writer: EntryWriter
    /// The lineage of the person's log when the state was last stored.
    var lineage: UUID?
    /// The devices that have the key.
    private var devices: [UUID: PublicBox] {
        didSet { settled = nil }
    }
    /// The access that the relay gives; `nil` if it must get the list.
    var access: Set<FeedAccess>? {
        didSet { settled = nil }
    }
    /// The devices that are known to have both; `nil` if that must be looked at.
    private var settled: [UUID: FeedReaderDevice]?
    private var accessSequence: Int
    /// The devices that should have access and the key.
    private let wantedDevices: Mutex<[UUID: FeedReaderDevice]>
    private let inbox = FeedInbox()
    /// What was taken from the inbox and isn't written yet.
    private var batch = FeedInbox.Batch()
    /// Whether a relay that couldn't be reached is to be tried again. Changes alone are no reason.
    private let isWoken = Mutex(false)
    private var retry: Task<Void, Never>?
    /// The number of entries that the relay has and the stored state doesn't know.
    private var unsaved = 0
    /// What makes storing them due.
    private var saving: Task<Void, Never>?
    private var isSaveDue = false
    /// The number of tries in a row that failed.
    private var failures = 0
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    private var session: HubSession?
    /// Whether the session has told where its person stands, so that it can be asked for the full state.
    private let isGreeted = Mutex(false)
    /// The position with the events that were written.
    private var seen: LogCursors?
    /// Whether the relay's last entry is known to be the writer's.
    var isReconciled = false
    /// Whether the full state is on its way, in place of the changes.
    private var awaitsReset = false
    /// Whether the session is still to be asked for it.
    private var needsReset = false
    /// What the last entry will tell; `nil` while the feed goes on, and once that is written.
    private var farewell: FeedStanding?
    private var isFarewellWritten = false
    private var status = Status.writing
    private var observers: [UUID: AsyncStream<Status>.Continuation] = [:]

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - user: The person.
    ///   - address: The feed. If something is stored for another address, the feed goes on there.
    ///   - devices: The person's devices, by ID.
    ///   - lead: As whom the hub writes.
    init(
        of user: UUID,
        at address: FeedAddress,
        for devices: [UUID: FeedReaderDevice],
        _ relay: any RelayHouse,
        as lead: FeedLead,
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
        runs = hub.feedRuns
        activities = hub.activities
        let stored = try await StoredFeed.load(of: user, from: hub.store)
        let own = stored?.state.address == address ? stored : nil
        let former = stored.map { WriterState(address, following: $0.state) } ?? WriterState(address)
        writer = EntryWriter(
            own?.state ?? former,
            keys: own?.keys ?? [:],
            hub: hub.owner.device,
            hubKey: hub.identity,
            others: lead.hubs.filter { $0.key != hub.owner.device },
            leadership: lead.leadership
        )
        self.lead = lead
        lineage = stored?.lineage
        self.devices = own?.devices ?? [:]
        access = own?.access
        accessSequence = own?.accessSequence ?? 0
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
        for task in [beats, retry, saving] { task?.cancel() }
        session?.close()
        session = nil
        // This task may have been canceled, which the store takes as a reason to write nothing.
        if unsaved > 0 { await Task { await saveUnsaved() }.value }
        for observer in observers.values { observer.finish() }
    }

    /// Tries again, because the relay may be in reach.
    package nonisolated func wake() {
        isWoken.withLock { $0 = true }
        signal.yield()
    }

    /// Sets the devices of the person. After this call, nothing is written under keys that a removed device has.
    package nonisolated func setDevices(_ devices: [UUID: FeedReaderDevice]) {
        wantedDevices.withLock { $0 = devices }
        wake()
    }

    /// Writes a last entry, which tells the readers where the feed is from now on, after everything that isn't written yet.
    ///
    /// - Parameters:
    ///   - standing: Where it is, for any device; no location if it has ended.
    ///   - time: How long to wait for the relay.
    /// - Returns: Whether the relay has the entry.
    package func finish(telling standing: FeedStanding, within time: Duration) async -> Bool {
        // The relay may have the first entry before its answer is here.
        guard writer.state.seen != nil || writer.next != nil else { return false }
        farewell = standing
        let statuses = statuses
        wake()
        return await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                for await status in statuses {
                    if case .stopped = status { return false }
                    if await self.hasSaidFarewell { return true }
                }
                return false
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return false
            }
            defer { group.cancelAll() }
            return await group.next() ?? false
        }
    }

    private var hasSaidFarewell: Bool { isFarewellWritten && writer.next == nil }

    /// Signs that there is no news, if there is none.
    package func beat() async {
        guard case .current = status else { return }
        do throws(FeedRelayError) {
            try await relay.put(writer.beat(at: time))
        } catch {
            log.debug("A relay doesn't take a beat.", metadata: ["reason": "\(error)"])
        }
    }

    /// The last entry that the relay has; `nil` while that isn't sure, because an entry is on its way, or the relay wasn't asked
    /// since the start.
    package var place: FeedPlace? {
        if case .stopped(let error) = status, error.code == .storeRolledBack { return writer.state.place }
        return isReconciled && writer.next == nil ? writer.state.place : nil
    }

    /// The number of the last entry that the relay has, as far as the writer knows; 0 for none.
    package var entryCount: Int { writer.state.place.sequence }

    /// The writer's status now and from now on, except that it writes again.
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
        // How that ends is told soon.
        if status == .writing { return }
        for observer in observers.values { observer.yield(status) }
    }

    // MARK: The session

    private func connect() {
        let session = open { [weak self] in self?.receive($0) }
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

    private nonisolated func receive(_ message: HubMessage) {
        switch message {
        case .event(let event):
            if inbox.add(event) { signal.yield() }
        case .closed:
            signal.finish()
        case .reply(_, let reply):
            if case .failure = reply.result { return signal.finish() }
            isGreeted.withLock { $0 = true }
            signal.yield()
        }
    }

    /// Asks for the full state, in place of the changes.
    func requestReset() {
        guard !awaitsReset else { return }
        (awaitsReset, needsReset) = (true, true)
    }

    /// Asks the session for the full state if it is wanted. The session must know its person's homes first.
    private func resetSession() {
        guard needsReset, isGreeted.withLock({ $0 }) else { return }
        needsReset = false
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
        if isSaveDue { await saveUnsaved() }
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
            resetSession()
            guard !awaitsReset, !writer.state.needsBase else { return }
            failures = 0
            set(.current(writer.state.place))
        } catch let error as FeedError where error.code == .notNow {
            // The other hub leads: this one is about to hear so.
            wait(for: FeedRelayError(error.message))
        } catch let error as FeedError {
            set(.stopped(error))
            log.error("A feed isn't written.", metadata: metadata(error))
        } catch {
            wait(for: error as? FeedRelayError ?? FeedRelayError("The feed's state can't be stored: \(error)"))
        }
    }

    private func wait(for reason: FeedRelayError) {
        isReconciled = false
        // The relay has lost what it knew, or never knew it.
        if reason.reason == .unknown { access = nil }
        set(.waiting(reason))
        // Once is enough: a relay may be away for days.
        log.log(level: failures == 0 ? .warning : .debug, "A feed waits.", metadata: metadata(reason))
        retryLater(reason)
    }

    private func retryLater(_ error: FeedRelayError) {
        let time = min(Self.firstRetry * (1 << min(failures, 10)), Self.longestRetry)
        let delay = error.retryAfter.map { Duration.seconds($0) } ?? time * Double.random(in: 0.5...1)
        failures += 1
        retry?.cancel()
        retry = Task { [weak self] in
            if (try? await Task.sleep(for: delay)) != nil { self?.wake() }
        }
    }

    private func metadata(_ error: any Error) -> Logger.Metadata {
        ["feed": "\(writer.state.address.feed)", LogKey.error: "\(error)"]
    }

    /// Takes one step. Returns whether there may be more to do.
    private func writeNext() async throws -> Bool {
        if try await updateDevices() { return true }
        if let next = writer.next {
            if let head = try await relay.append(next) {
                try await reconcile(with: head)
            } else {
                writer.appended()
                try await saveSoon(after: next)
            }
            return true
        }
        batch.append(inbox.take())
        // A device may have been removed before the changes that were just taken.
        guard isUpToDate(wantedDevices.withLock { $0 }) else { return true }
        if let reset = batch.reset.take() {
            (awaitsReset, needsReset) = (false, false)
            let cursors = LogCursors(reset)
            // Feeds have no values: they are old when somebody reads them.
            let state = Snapshot(account: reset.account, homes: reset.homes, values: KnownValues(), reachability: [])
            try write([.reset(state)], cursors, isBase: true)
            return true
        }
        let events = batch.events
        let hasMissed = batch.hasMissed
        batch = FeedInbox.Batch()
        // A base that is due comes right after the changes, so that readers who follow are told each of them.
        if hasMissed || (writer.isBaseDue && seen != nil) { requestReset() }
        // The full state, which is on its way, has these changes.
        guard !awaitsReset, !events.isEmpty, var cursors = seen else { return try writeFarewell() }
        for event in events {
            switch event {
            case .change(let change): cursors.follow(change)
            case .homeGone(let home): cursors.homes[home] = nil
            default: break
            }
        }
        do {
            try write(events, cursors, isBase: false)
        } catch let error as FeedError where error.code == .contentTooLarge {
            // The full state may be smaller than all changes.
            requestReset()
            return false
        }
        return true
    }

    /// Writes the last entry if it is wanted. Returns whether it did.
    private func writeFarewell() throws -> Bool {
        guard let standing = farewell, !awaitsReset, !writer.isBaseDue, let seen else { return false }
        try write([.feed(standing)], seen, isBase: false)
        (farewell, isFarewellWritten) = (nil, true)
        return true
    }

    private func write(_ events: [HubEvent], _ cursors: LogCursors, isBase: Bool) throws {
        // A home is new to the readers, or to whoever begins here. It may be gone again with a later event of the same content.
        let new = events.compactMap(\.newHome)
        let needsKeys = isBase || !new.isEmpty
        let keys = Set(cursors.homes.keys).union(new).map { ($0, Data(aliases.homeKey($0))) }
        let homeKeys = FeedHomeKeys(user: user, keys: Dictionary(uniqueKeysWithValues: keys))
        let lines = try events.map { Array(try WireMessage.line($0).dropLast()) }
        let content = FeedContent(
            seen: FeedCursors(cursors),
            homeKeys: needsKeys ? homeKeys : nil,
            run: runs.current,
            events: lines
        )
        try writer.write(content, isBase: isBase, at: time)
        seen = cursors
    }

    /// Stores the state once there are a few entries, or after a moment: writing to the disk is a good part of what an entry costs.
    private func saveSoon(after entry: FeedEntry) async throws {
        unsaved += 1
        // All parts of a content together can be too many to get from the relay.
        guard unsaved < Self.unsavedLimit, entry.header.part.count == 1 else { return try await save() }
        guard saving == nil else { return }
        saving = Task { [weak self] in
            if (try? await Task.sleep(for: Self.saveDelay)) != nil { await self?.makeSaveDue() }
        }
    }

    private func makeSaveDue() {
        isSaveDue = true
        signal.yield()
    }

    private func saveUnsaved() async {
        do {
            try await save()
        } catch {
            let reason = FeedRelayError("The feed's state can't be stored: \(error)")
            // A writer that has stopped waits for a person, and says why.
            guard case .stopped = status else { return wait(for: reason) }
            log.warning("What a feed was written up to isn't stored.", metadata: metadata(reason))
        }
    }

    func save() async throws {
        saving?.cancel()
        (unsaved, saving, isSaveDue) = (0, nil, false)
        lineage = await database.stored.lineages[.account(user)]
        let stored = StoredFeed(
            state: writer.state,
            keys: writer.keys,
            devices: devices,
            access: access,
            accessSequence: accessSequence,
            lineage: lineage
        )
        try await stored.save(of: user, in: store)
    }

    // MARK: Devices

    /// Whether the relay and the readers have what devices should have.
    private func isUpToDate(_ wanted: [UUID: FeedReaderDevice]) -> Bool {
        guard !writer.isGenerationDue(at: time) else { return false }
        if settled == wanted { return true }
        guard access == Set(wanted.values.map(\.access)), devices == wanted.mapValues(\.box) else { return false }
        settled = wanted
        return true
    }

    /// Gives devices access and the key, or takes both from them. Returns whether anything was to do.
    private func updateDevices() async throws -> Bool {
        let wanted = wantedDevices.withLock { $0 }
        guard !isUpToDate(wanted) else { return false }
        let access = Set(wanted.values.map(\.access))
        if access != self.access {
            // First, so that the relay serves a removed device nothing more.
            try await setReaders(access)
            return true
        }
        let boxes = wanted.mapValues(\.box)
        let isRemoved = devices.contains { boxes[$0.key] != $0.value }
        guard isRemoved || writer.isGenerationDue(at: time) else {
            let added = boxes.filter { devices[$0.key] == nil }
            try await relay.put(added.compactMap { try? writer.envelope(for: $0, $1) }, of: writer.state.address)
            try await putLists(for: added)
            devices = boxes
            try await save()
            return true
        }
        let envelopes = writer.beginGeneration(for: boxes, at: time)
        devices = boxes
        try await save()
        try await relay.put(envelopes, of: writer.state.address)
        try await putLists(for: boxes)
        writer.envelopesStored()
        try await save()
        return true
    }

    /// Puts the lists of hubs beside the envelopes. A device that was off since before this hub joined believes it for them.
    private func putLists(for boxes: [UUID: PublicBox]) async throws {
        guard let lists = lead.lists else { return }
        let (generation, address) = (writer.state.generation, writer.state.address)
        let sealed = boxes.compactMap { device, box in
            SealedHubLists(lists, generation: generation, of: address, to: device, box)
        }
        try await relay.put(sealed, of: address)
    }

    private func setReaders(_ readers: Set<FeedAccess>) async throws {
        accessSequence = max(accessSequence + 1, lead.leadership.firstList ?? time)
        do throws(FeedRelayError) {
            try await relay.setReaders(readers, sequence: accessSequence, of: writer.state.address.feed)
        } catch {
            guard error.reason == .outdated else { throw error }
            // The hub has forgotten later lists, and its clock is behind.
            accessSequence += Self.accessLeap
            try await save()
            throw error
        }
        access = readers
        try await save()
    }

    /// By how much the numbers of lists go on if the relay has a later one, so that few tries reach it.
    private static let accessLeap = 1 << 40
}

extension HubEvent {
    /// The home that the event tells whole, because its person hasn't seen it before; `nil` for none.
    fileprivate var newHome: UUID? {
        guard case .change(let change) = self, change.user != nil else { return nil }
        return change.home
    }
}
