import Foundation
import HomeIdentity
import HomeModel
import HomeStore
import HubAPI
import Logging
import SealedFeed

/// Keeps everybody's feeds at a relay: one for each person who has a device that reads it.
///
/// It owns what is stored of the relay. Its work is done one piece after the other, because the relay is asked in between.
actor SyncDesk: HubPart {
    /// Makes the writer of a person's feed.
    typealias Opener =
        @Sendable (
            _ user: UUID,
            _ address: FeedAddress,
            _ devices: [UUID: FeedReaderDevice],
            _ house: any RelayHouse,
            _ lead: FeedLead
        ) async throws -> FeedWriter

    /// What is needed to reach relays.
    struct Outside: Sendable {
        var connect: RelayConnector
        var open: Opener
    }

    /// A feed that is kept.
    struct OpenFeed {
        /// The task that keeps it.
        var task: Task<Void, Never>
        /// What its writer does.
        var status = FeedWriter.Status.writing
        /// When that began.
        var since: Date
    }

    let store: HomeStore
    let changes: ChangeSwitch
    let hubs: HubTable
    let database: HomeDatabase
    let sessions: SessionRegistry
    let owner: HubOwner
    let identity: IdentityKey
    let table: FeedTable
    private let activities: ActivityStream
    let doors: DoorTable
    /// The relay that votes beside two hubs: the one that keeps the feeds.
    private let voting: VotingRelay
    let now: @Sendable () -> Date
    let log: Logger

    var stored = StoredSync() {
        didSet {
            if stored.feeds != oldValue.feeds { table.setFeeds(stored.feeds) }
            guard stored.place?.relay != oldValue.place?.relay || stored.place?.house != oldValue.place?.house else {
                return
            }
            doors.setRelay(stored.place)
            voting.want(stored.place)
            place.yield(stored.place)
        }
    }
    /// The term in which this hub leads; 0 if it is alone, and `nil` if it doesn't lead.
    var leading: Int?
    var outside: Outside?
    var house: (any RelayHouse)?
    var feeds: [UUID: OpenFeed] = [:]
    /// Why the last vault could not be put at the relay; `nil` if it was.
    var vaultProblem: String?
    private var following: Task<Void, Never>?
    /// What makes vaults while the hub runs.
    private(set) var vaultKeeper: VaultKeeper?
    private var vaults: Task<Void, Never>?
    /// What opens the feeds in a while.
    private var reopening: Task<Void, Never>?
    var endingFeeds: Task<Void, Never>?
    /// As whom the writers of open feeds write.
    private var writingLead = FeedLead()
    private let turns = WorkTurns()
    /// Where the house is, each time that it changes; `nil` for no relay. Only one caller can wait.
    nonisolated let places: AsyncStream<RelayPlace?>
    private let place: AsyncStream<RelayPlace?>.Continuation
    private let setbacks: AsyncStream<HubError>
    private let setback: AsyncStream<HubError>.Continuation

    init(
        store: HomeStore,
        changes: ChangeSwitch,
        hubs: HubTable,
        database: HomeDatabase,
        sessions: SessionRegistry,
        owner: HubOwner,
        identity: IdentityKey,
        table: FeedTable,
        activities: ActivityStream,
        doors: DoorTable,
        voting: VotingRelay,
        now: @escaping @Sendable () -> Date,
        log: Logger
    ) {
        self.store = store
        self.changes = changes
        self.hubs = hubs
        self.database = database
        self.sessions = sessions
        self.owner = owner
        self.identity = identity
        self.table = table
        self.activities = activities
        self.doors = doors
        self.voting = voting
        self.now = now
        self.log = log
        (places, place) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (setbacks, setback) = AsyncStream.makeStream()
        leading = hubs.isPaired ? nil : 0
    }

    /// Waits until the hub must stop because it was set back. Only one caller can wait.
    ///
    /// - Returns: The reason; `nil` if the task was canceled.
    nonisolated func wasSetBack() async -> HubError? {
        for await error in setbacks { return error }
        return nil
    }

    /// Loads what is stored, and writes the feeds and the vault from now on.
    func start(_ outside: Outside, _ keeper: VaultKeeper) async throws {
        stored = try await StoredSync.load(from: store)
        if let settlement = try await HubSettlement.take(from: store) {
            tellJournal(.settled(settlement.way), by: Origin(cause: .person, caller: nil), at: settlement.time)
        }
        self.outside = outside
        await inTurn { desk in
            await desk.openFeeds()
            desk.endFeeds()
        }
        following = Task { [table, weak self] in
            for await user in table.changes { await self?.follow(user) }
        }
        vaultKeeper = keeper
        vaults = Task { await keeper.run() }
    }

    func stop() async {
        table.finish()
        for task in [following, vaults, endingFeeds, reopening] { task?.cancel() }
        await vaults?.value
        await following?.value
        await endingFeeds?.value
        await turns.finish()
        await closeFeeds()
        outside = nil
        vaultKeeper = nil
    }

    /// Does a piece of work once the ones before are done.
    nonisolated func addTurn(_ work: @escaping @Sendable (SyncDesk) async -> Void) {
        _ = turns.add { await work(self) }
    }

    /// Does a piece of work once the ones before are done.
    func inTurn<Result: Sendable>(_ work: @escaping @Sendable (isolated SyncDesk) async -> Result) async -> Result {
        await turns.add { await work(self) }.value
    }

    /// Tells a relay who owns a house now.
    ///
    /// - Returns: Whether it must be told again, because it can't be reached.
    func register(_ place: RelayPlace) async -> Bool {
        await inTurn { desk in
            guard let outside = desk.outside else { return true }
            do throws(FeedRelayError) {
                try await outside.connect(place, place.owner(of: desk.identity)).register()
                return false
            } catch {
                // An owner whom it doesn't know yet is told of by the other one.
                let metadata: Logger.Metadata = [LogKey.reason: "\(error.message)"]
                desk.log.info("The relay wasn't told of the house's hubs.", metadata: metadata)
                return error.reason == .outOfReach
            }
        }
    }

    // MARK: Feeds

    private func follow(_ user: UUID) async {
        await inTurn { desk in await desk.update(user) }
    }

    /// Opens a person's feed if they have got a device that reads it, and ends it if they have none any longer.
    func update(_ user: UUID) async {
        guard stored.place != nil, house != nil, leading != nil else { return }
        if await database.stored.account(of: user).hasFeed {
            await openFeed(of: user)
        } else if stored.feeds[user] != nil {
            await endFeed(of: user)
        }
    }

    /// Opens the feeds of all persons who have one, and ends the others.
    func openFeeds() async {
        guard let outside, let place = stored.place else { return }
        guard let lead = await feedLead() else {
            house = nil
            return openFeedsLater()
        }
        writingLead = lead
        table.setVaultReader(stored.keepsVault == true ? owner.user : nil)
        do throws(FeedRelayError) {
            house = try outside.connect(place, place.owner(of: identity))
        } catch {
            log.error("The relay can't be used.", metadata: [LogKey.error: "\(error)"])
            return
        }
        let users = await database.stored.accounts.keys
        for user in Set(users).union(stored.feeds.keys) { await update(user) }
    }

    /// Opens the feeds in a while, if this hub leads then and hasn't opened them: it couldn't store what the other hub needs.
    private func openFeedsLater() {
        guard leading != nil else { return }
        reopening?.cancel()
        reopening = Task { [weak self] in
            guard (try? await Task.sleep(for: SyncLimits.reopenTime)) != nil else { return }
            self?.addTurn { desk in
                if await desk.house == nil { await desk.openFeeds() }
            }
        }
    }

    private func openFeed(of user: UUID) async {
        guard feeds[user] == nil, let place = stored.place, let house else { return }
        let feed: FeedID
        if let known = stored.feeds[user] {
            feed = known
        } else {
            feed = .random()
            stored.feeds[user] = feed
            guard await save() else {
                stored.feeds[user] = nil
                return
            }
            tellJournal(.feedBegun(user: user))
        }
        let address = FeedAddress(house: place.house, feed: feed)
        let task = Task { await self.keep(user, at: address, house) }
        feeds[user] = OpenFeed(task: task, since: now())
    }

    /// Keeps a feed until the task is canceled.
    private func keep(_ user: UUID, at address: FeedAddress, _ house: any RelayHouse) async {
        while let open = outside?.open, !Task.isCancelled {
            do {
                let writer = try await open(user, address, table.devices(of: user), house, writingLead)
                table.set(writer, of: user)
                let watching = Task {
                    for await status in await writer.statuses { self.note(status, of: user) }
                }
                await writer.run()
                table.set(nil, of: user)
                await watching.value
            } catch {
                note(.stopped(FeedError(.notNow, "What is stored of the feed can't be read: \(error)")), of: user)
                log.error("A feed can't be opened.", metadata: [LogKey.error: "\(error)"])
            }
            // The hub ends a session that it can't serve. The next one begins with the full state.
            try? await Task.sleep(for: SyncLimits.reopenTime)
        }
    }

    private func note(_ status: FeedWriter.Status, of user: UUID) {
        // While it writes, what was before is as good.
        guard status != .writing, let former = feeds[user]?.status, former != status else { return }
        feeds[user]?.status = status
        if !former.isLike(status) { feeds[user]?.since = now() }
        if case .stopped(let error) = status, let reason = HubSetback(error) { stopHub(reason) }
    }

    /// Ends the hub, and notes why for the next start.
    private func stopHub(_ reason: HubSetback) {
        tellJournal(.setBack)
        log.error("The hub was set back to an old copy of its data.", metadata: [LogKey.reason: "\(reason.reason)"])
        Task {
            do {
                try await reason.save(in: store)
            } catch {
                log.warning("Why the hub stops could not be stored.", metadata: [LogKey.error: "\(error)"])
            }
            setback.yield(reason.error)
        }
    }

    private func close(_ user: UUID) async {
        guard let feed = feeds.removeValue(forKey: user) else { return }
        feed.task.cancel()
        await feed.task.value
    }

    func closeFeeds() async {
        for user in Array(feeds.keys) { await close(user) }
    }

    // MARK: Ends

    /// Ends the feed of a person who has no device any longer.
    private func endFeed(of user: UUID) async {
        await close(user)
        stored.end(feedOf: user, at: now())
        await save()
        await forget(user)
        tellJournal(.feedEnded(user: user))
        endFeeds()
    }

    /// Deletes the keys of a person's feed.
    func forget(_ user: UUID) async {
        do {
            try await StoredFeed.remove(of: user, from: store)
        } catch {
            log.warning("The keys of an ended feed could not be deleted.", metadata: [LogKey.error: "\(error)"])
        }
    }

    /// Begins to end the feeds that are over at their relays.
    func endFeeds() {
        guard leading != nil, !stored.ended.isEmpty || stored.endedVaults != nil, endingFeeds == nil else { return }
        endingFeeds = Task {
            while !Task.isCancelled, await endFeedsOnce() {
                try? await Task.sleep(for: SyncLimits.endingInterval)
            }
            endingFeeds = nil
        }
    }

    /// Tries to end the feeds that are over. Returns whether some are left.
    func endFeedsOnce() async -> Bool {
        guard leading != nil else { return false }
        for ended in stored.ended {
            // A device that is away must hear where its feed is from now on.
            let end = ended.isTold == true ? ended.time + SyncLimits.farewellTime : ended.time
            guard now() >= end else { continue }
            let isOver: Bool
            do throws(FeedRelayError) {
                guard let outside else { return false }
                let house = try outside.connect(ended.place, ended.place.owner(of: identity))
                try await house.removeFeed(ended.feed)
                isOver = true
            } catch {
                isOver = error.reason == .unknown || now().timeIntervalSince(end) > SyncLimits.endingTime
            }
            guard isOver else { continue }
            stored.ended.removeAll { $0 == ended }
            await save()
        }
        await endVaultsOnce()
        return !stored.ended.isEmpty || stored.endedVaults != nil
    }

    /// Tries to remove the vaults that aren't wanted any longer.
    private func endVaultsOnce() async {
        for ended in stored.endedVaults ?? [] {
            let isOver: Bool
            do throws(FeedRelayError) {
                guard let outside else { return }
                try await outside.connect(ended.place, ended.place.owner(of: identity)).removeVault()
                isOver = true
            } catch {
                isOver = error.reason == .unknown || now().timeIntervalSince(ended.time) > SyncLimits.endingTime
            }
            guard isOver else { continue }
            let left = stored.endedVaults?.filter { $0 != ended } ?? []
            stored.endedVaults = left.isEmpty ? nil : left
            await save()
        }
    }

    // MARK: Storing

    /// Tells the homes' journals of a change.
    ///
    /// - Parameters:
    ///   - origin: Who requested it; `nil` for the hub itself.
    ///   - time: When it happened; `nil` for now.
    func tellJournal(_ event: SyncActivity.Event, by origin: Origin? = nil, at time: Date? = nil) {
        activities.publish(
            .sync(SyncActivity(event: event, time: time ?? now(), origin: origin ?? Origin(cause: .hub, caller: nil)))
        )
    }

    @discardableResult
    func save() async -> Bool {
        do {
            try await stored.save(by: changes)
            return true
        } catch {
            log.error("What the hub knows of its relay could not be stored.", metadata: [LogKey.error: "\(error)"])
            return false
        }
    }
}

extension FeedWriter.Status {
    /// Whether people see no change from one status to another one.
    fileprivate func isLike(_ other: FeedWriter.Status) -> Bool {
        switch (self, other) {
        case (.waiting, .waiting): true
        default: self == other
        }
    }
}
