package import DNSSD
package import Foundation
import HAP
package import HAPClient
package import HomeIdentity
import HomeModel
import HomeStore
package import HubAPI
import Logging
import Replication

/// The hub: the one owner of the homes' database and of the connections to their accessories.
///
/// This is where its parts (database, connections, discovery, questions, values) are put together. Each part is a type of
/// its own: a ``HubPart`` registers its methods, its clean-up and its statistics. Clients reach the parts through sessions.
package final class HomeHub: Sendable {
    // This is a class because a running hub has an identity: it stops once, for all its users.

    let store: HomeStore
    let network: any ServiceDiscovery
    let database: HomeDatabase
    let connections: AccessoryConnections
    let questions: QuestionManager
    let sessions: SessionRegistry
    let activities: ActivityStream
    let live: LiveState
    let feed: SessionFeed
    let router: MethodRouter
    private let ledger: ReplyCache
    /// What stores changes of the homes.
    let changes: ChangeSwitch
    let vault: PairingVault
    let addition: AccessoryAddition
    /// The hub's own user and device.
    package let owner: HubOwner
    let aliases: AliasKey
    /// The hub's last runs, and this one.
    let feedRuns: FeedRuns
    /// The key by which devices know the hub.
    package let identity: IdentityKey
    /// The hubs that keep the homes.
    let hubTable: HubTable
    /// The relay that votes beside two hubs.
    let votingRelay: VotingRelay
    let pairDesk: PairDesk
    /// What passes on to the other hub what only the leader does.
    package let leaderLine = LeaderLine()
    package let questionSharing: QuestionSharing
    /// What carries out what the other hub passes on.
    package let followerRequests: FollowerRequests
    /// What follows the other hub's writes.
    let memory: ReplicatedMemory
    let deviceTable: DeviceTable
    let doorTable: DoorTable
    let joinDesk: JoinDesk
    /// The journal. Whoever must be sure that what was published is recorded calls ``JournalRecorder/flush()``.
    let journal: JournalRecorder
    let sync: SyncDesk
    let vaultKeeper: VaultKeeper
    private let appSockets: AppSocketManager
    let devices: DeviceManager
    let invitations: InvitationManager
    let automations: AutomationRunner
    private let parts: [any HubPart]
    private let browsing: Task<Void, Never>
    private let copying: Task<Void, Never>?
    private let duplicates: DuplicateHubMonitor
    private let duplicateMonitoring: Task<Void, Never>
    let log: Logger
    /// The hub's clock.
    let now: @Sendable () -> Date
    let metrics: HubMetrics
    private let reporter: MetricsReporter
    let requests: RequestObserver

    /// Starts a hub.
    ///
    /// - Throws: An error that says what to do: if the database can't be opened or is in use by another hub, an
    ///   interface doesn't exist, another program uses port 5353 exclusively, or another hub has superseded this one.
    package convenience init(_ configuration: HubConfiguration) async throws {
        try await self.init(configuration) { () async throws in
            try await MulticastDNS(interfaces: configuration.interfaces)
        } setup: { () async throws in
            guard !configuration.setupInterfaces.isEmpty else { return nil }
            return try await MulticastDNS(interfaces: configuration.setupInterfaces)
        }
    }

    /// Starts a hub with a custom transport and discovery.
    ///
    /// - Parameters:
    ///   - session: The times, limits and transport for paired accessories.
    ///   - pairer: The times, limits and transport for pairing.
    ///   - discovery: A closure that creates the service discovery, which the hub shuts down. The configuration's
    ///     interfaces are ignored.
    ///   - setup: A closure that creates the service discovery for accessories that aren't on the network, which the hub
    ///     shuts down; `nil` if the hub doesn't look for them.
    package init(
        _ configuration: HubConfiguration,
        session: SessionConfiguration = SessionConfiguration(),
        pairer: PairerConfiguration = PairerConfiguration(),
        discovery makeDiscovery: () async throws -> any ServiceDiscovery,
        setup makeSetupDiscovery: () async throws -> (any ServiceDiscovery)? = { nil }
    ) async throws {
        log = configuration.log
        questionSharing = QuestionSharing(over: leaderLine)
        metrics = HubMetrics(configuration.metrics)
        store = try await HomeStore.open(at: configuration.data)
        ledger = ReplyCache(store: store)
        if let setback = try await HubSetback.load(from: store) { throw setback.error }
        let clock = HubClock(configuration.clockKind, system: configuration.now)
        try await clock.open(in: store)
        now = { clock.now }
        owner = try await HubOwner.load(from: store)
        aliases = try await AliasKey.load(from: store)
        feedRuns = try await FeedRuns.begin(in: store)
        identity = try await HubIdentity.load(from: store)
        hubTable = try await HubTable.load(from: store, own: identity.publicKey)
        try await Self.checkMembership(hubTable, store)
        votingRelay = VotingRelay(try await VotingRelay.stored(in: store), now: now)
        let term = try await HubPrecedence.start(in: store, now: now())
        network = try await makeDiscovery()
        let setupNetwork = try await makeSetupDiscovery()

        sessions = SessionRegistry()
        activities = ActivityStream()
        live = LiveState(activities: activities, now: now)
        let discovery = AccessoryDiscovery(network: network, activities: activities)
        vault = PairingVault(store: store) { [hubTable, identity] home in
            hubTable.isPaired ? identity.controller(of: home) : nil
        }
        let pairer = AccessoryPairer(configuration: pairer)
        let person = UserRecord(id: owner.user, name: configuration.userName, role: .owner)
        changes = ChangeSwitch(store)
        database = try await HomeDatabase(
            store: store,
            writer: changes,
            activities: activities,
            owner: person,
            now: now,
            log: log,
            metrics: metrics
        )
        let hub = Caller(user: owner.user, device: owner.device, app: "hearth.hub", client: owner.device)
        if hubTable.isPaired {
            // The first of two hubs may have stopped before it was one, and the second one was one as it had joined.
            if try await store.voterState() == nil { votingRelay.set(try await Self.beginPair(in: store)) }
            changes.use(WaitingWriter())
            leaderLine.change(to: .withoutLeader)
        } else {
            try await database.followMemberships(asHub: hub)
        }
        deviceTable = DeviceTable(await database.stored.accounts.values, now: configuration.now)
        // Before the sessions hear of a removal, so that no device comes back after it.
        activities.subscribe { [deviceTable] in deviceTable.handle($0) }
        hubTable.onChange { [deviceTable, hubTable] _ in
            // The port stays open until a former hub has been told: ``closeDoorOfFormerHub()``.
            if hubTable.awaitsHub { deviceTable.set(hasOtherHub: true) }
        }
        doorTable = DoorTable(now: configuration.now)
        let feedTable = FeedTable(await database.stored)
        activities.subscribe { [feedTable] in feedTable.handle($0) }
        feed = SessionFeed(
            store: store,
            live: live,
            sessions: sessions,
            hubs: hubTable,
            state: await database.stored,
            activities: activities
        )
        journal = try await JournalRecorder(
            in: configuration.data,
            database: database,
            sessions: sessions,
            activities: activities,
            now: now,
            executor: configuration.executor,
            log: log
        )
        questions = QuestionManager(
            activities: activities,
            timeout: configuration.questionTimeout,
            now: now,
            clock: configuration.clock,
            sharing: questionSharing,
            log: log
        )
        questionSharing.begin(with: questions)
        connections = AccessoryConnections(
            database: database,
            discovery: discovery,
            vault: vault,
            live: live,
            session: session,
            pairer: pairer,
            hub: hub,
            log: log,
            metrics: metrics
        )

        sync = SyncDesk(
            store: store,
            changes: changes,
            hubs: hubTable,
            database: database,
            sessions: sessions,
            owner: owner,
            identity: identity,
            table: feedTable,
            activities: activities,
            doors: doorTable,
            voting: votingRelay,
            now: now,
            log: log
        )
        vaultKeeper = VaultKeeper(
            desk: sync,
            store: store,
            folder: configuration.data.appending(path: HomeStore.outgoingFolder, directoryHint: .isDirectory),
            owner: owner,
            identity: identity,
            now: configuration.now,
            clock: configuration.clock,
            log: log
        )
        activities.subscribe { [vaultKeeper] in vaultKeeper.handle($0) }
        addition = AccessoryAddition(database: database, connections: connections, questions: questions)
        appSockets = AppSocketManager(store: store, log: log)
        invitations = InvitationManager(
            store: store,
            changes: changes,
            database: database,
            activities: activities,
            questions: questions,
            table: deviceTable,
            doors: doorTable,
            identity: identity,
            hubs: hubTable,
            owner: owner,
            now: configuration.now,
            clock: configuration.clock,
            log: log
        )
        try await invitations.start()
        joinDesk = JoinDesk(table: deviceTable, invitations: invitations, hubs: hubTable)
        pairDesk = PairDesk(
            store: store,
            changes: changes,
            database: database,
            connections: connections,
            hubs: hubTable,
            relay: votingRelay,
            line: leaderLine,
            invitations: invitations,
            sync: sync,
            activities: activities,
            owner: owner,
            identity: identity,
            now: now,
            log: log
        )
        devices = DeviceManager(
            store: store,
            changes: changes,
            database: database,
            sessions: sessions,
            invitations: invitations,
            table: deviceTable,
            owner: owner,
            now: configuration.now,
            clock: configuration.clock,
            log: log
        )
        try await devices.start(canChange: !hubTable.isPaired)
        activities.subscribe { [devices] activity in
            guard case .stored(let request) = activity else { return }
            let removed = request.entries.map(\.draft.change.removedDevices).reduce(Set<UUID>()) { $0.union($1) }
            if !removed.isEmpty { Task { await devices.forget(removed) } }
        }
        let consent = AppConsent(
            database: database,
            questions: questions,
            sessions: sessions,
            sockets: appSockets,
            isAsking: configuration.asksAboutApps,
            log: log
        )
        activities.subscribe { [consent] in consent.handle($0) }

        let writer = CharacteristicWriter(connections: connections, live: live) { clock.running }
        let assistants = AssistantGuard(questions: questions)
        let actionSets = ActionSetRunner(
            database: database,
            writer: writer,
            live: live,
            store: store,
            changes: changes,
            activities: activities,
            assistants: assistants,
            log: log
        )
        try await actionSets.start()
        let presence = PresenceRegistry(
            database: database,
            store: store,
            changes: changes,
            activities: activities
        )
        try await presence.start()
        automations = AutomationRunner(
            AutomationRunner.Parts(
                database: database,
                store: store,
                changes: changes,
                live: live,
                activities: activities,
                actionSets: actionSets,
                writer: writer,
                presence: presence,
                clock: clock,
                journal: journal,
                hub: hub,
                device: owner.device,
                isPaired: hubTable.isPaired,
                log: log
            ),
            timeZone: configuration.timeZone,
            isClockSynchronized: configuration.isClockSynchronized
        )

        let onboarding = Onboarding(
            setup: setupNetwork,
            setupInterfaces: configuration.setupInterfaces,
            home: network,
            discovery: discovery,
            database: database,
            questions: questions,
            owner: owner.user,
            joinTimeout: configuration.joinTimeout,
            log: log
        )

        parts = [
            appSockets,
            devices,
            invitations,
            consent,
            SessionMethods(
                feed: feed,
                consent: consent,
                devices: deviceTable,
                interfaces: configuration.interfaces.map(\.description),
                log: log
            ),
            AgentMethodHandlers(
                aliases: aliases,
                database: database,
                sessions: sessions,
                hubs: hubTable,
                identity: identity
            ),
            sync,
            pairDesk,
            LayoutMethods(database: database),
            UserManagementMethods(database: database, questions: questions, invitations: invitations),
            AccessoryMethods(addition: addition),
            onboarding,
            CharacteristicMethods(
                database: database,
                connections: connections,
                live: live,
                writer: writer,
                assistants: assistants
            ),
            presence,
            automations,
            VoiceMethods(
                database: database,
                live: live,
                writer: writer,
                actionSets: actionSets,
                questions: questions,
                activities: activities,
                assistants: assistants,
                timeZone: configuration.timeZone
            ),
            ClockMethods(clock: clock, automations: automations, owner: owner, timeZone: configuration.timeZone),
            DiagnosisManager(
                database: database,
                connections: connections,
                discovery: discovery,
                network: network,
                live: live,
                now: now
            ),
            questions,
            MediaManager(configuration.route, network: network, questions: questions),
            BackupManager(
                store: store,
                folder: configuration.data.appending(path: HomeStore.outgoingFolder, directoryHint: .isDirectory),
                owner: owner.user,
                log: log
            ),
            ImportManager(database: database),
            sessions,
            connections,
            // After those that run action sets.
            actionSets,
            // Last, so that it also records what the others do as they stop.
            journal,
        ]
        var router = MethodRouter(owner: owner.user)
        for part in parts { part.register(in: &router) }
        self.router = router
        requests = RequestObserver(methods: router.methods, metrics: metrics, log: log)
        memory = ReplicatedMemory(
            invitations: invitations,
            devices: devices,
            presence: presence,
            actionSets: actionSets,
            connections: connections,
            log: log
        )
        followerRequests = FollowerRequests(
            FollowerRequests.Parts { [aliases, router, ledger, requests] client, deliver in
                let session = HubSession(
                    client.session,
                    as: client.authority,
                    aliases: aliases,
                    router: router,
                    ledger: ledger,
                    watch: requests,
                    deliver: deliver,
                    onReturn: { _ in },
                    onClose: { _ in }
                )
                session.hello = client.hello
                return session
            } admit: { [feed, deviceTable] session in
                guard !deviceTable.isRemoved(session.authority.device) else { return JoinDesk.removed }
                feed.setRights(of: session)
                return nil
            }
        )
        reporter = MetricsReporter(parts: parts, network: network, metrics: metrics)

        try await automations.start()
        try await connections.start()
        await onboarding.start()
        copying = DailyCopies.start(of: store, configuration)
        browsing = Self.follow(network.services(of: .hap), discovery, connections)
        duplicates = DuplicateHubMonitor(network: network, database: database, vault: vault, term: term, log: log)
        duplicateMonitoring = Task { [duplicates] in await duplicates.run() }
    }

    private static func follow(
        _ services: some AsyncSequence<BrowseEvent, Never> & Sendable,
        _ discovery: AccessoryDiscovery,
        _ connections: AccessoryConnections
    ) -> Task<Void, Never> {
        Task {
            for await event in services {
                for change in await discovery.handle(event) { await connections.handle(change) }
            }
        }
    }

    /// Opens the stored sockets of apps, and enables requests to open more.
    package func serveAppSockets(by opener: any AppSocketOpener) async {
        // The sockets keep a reference to the hub until it stops.
        await appSockets.start(opener, on: owner.device) { [self] in accept(as: $0, on: $1, deliver: $2) }
    }

    /// Closes the sockets of apps, after pending requests to open or close one have been answered. No more can be
    /// opened. Call it before you close the users' connections, so that they receive the answers.
    package func closeAppSockets() async {
        await appSockets.stop()
    }

    /// Opens a session.
    ///
    /// - Parameters:
    ///   - authority: The user and permissions of the connection, as the listener verified them.
    ///   - executor: An executor that runs tasks on the connection's thread; `nil` if there is none. Only tasks that take
    ///     microseconds run there, so that a value is written without a change of threads.
    ///   - deliver: A closure that receives the session's messages, serially. It must return quickly and must not call
    ///     the session.
    package func accept(
        as authority: SessionAuthority,
        on executor: (any TaskExecutor)? = nil,
        deliver: @escaping @Sendable (HubMessage) -> Void
    ) -> HubSession {
        HubSession(
            as: authority,
            on: executor,
            aliases: aliases,
            router: router,
            ledger: ledger,
            line: leaderLine,
            watch: requests,
            deliver: deliver,
            onReturn: { [feed] in feed.refresh($0) },
            onClose: { [sessions, parts, leaderLine, log] session in
                sessions.remove(session)
                leaderLine.sessionDidEnd(session.id)
                if let hello = session.hello {
                    let metadata: Logger.Metadata = [LogKey.client: "\(session.id)", LogKey.app: "\(hello.app)"]
                    log.debug("A client disconnected.", metadata: metadata)
                }
                Task {
                    for part in parts { await part.sessionDidEnd(session.id) }
                }
            }
        )
    }

    /// Waits until this hub must stop: because another hub of the same homes takes precedence, which was restored from a
    /// backup later or has run longer from a copy of the data folder, because this hub's own data is an old copy, or because this
    /// hub isn't one of the homes' hubs any more.
    ///
    /// The caller must then call ``stop()``. The next start fails for the same reason until ``claim(_:now:)`` or
    /// ``discardLaterChanges(_:now:)`` is called. Only one caller can wait.
    ///
    /// - Returns: The reason; `nil` if the task was canceled.
    package func superseded() async -> HubError? {
        await withTaskGroup { [duplicates, sync, pairDesk] group in
            group.addTask { await duplicates.superseded() }
            group.addTask { await pairDesk.departed() }
            group.addTask { await sync.wasSetBack() }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Gives a data folder's hub precedence over all other hubs of the same homes. No hub may be running on the folder.
    ///
    /// - Throws: An error if the store can't be opened or changed.
    package static func claim(_ data: URL, now: Date) async throws {
        let store = try await HomeStore.open(at: data)
        try await HubPrecedence.claim(store, now: now)
        try await store.close()
    }

    /// Brings the metrics that show the hub's current state up to date. Call it before the metrics are read.
    package func updateMetrics() async { await reporter.update() }

    /// Ends all sessions and connections and closes the database. The hub can't be used afterwards.
    package func stop() async {
        browsing.cancel()
        duplicateMonitoring.cancel()
        await duplicateMonitoring.value
        copying?.cancel()
        await copying?.value
        deviceTable.finish()
        doorTable.finish()
        for part in parts { await part.stop() }
        await network.shutdown()
        do {
            if hubTable.hasLeft { try await store.removeSecrets() }
            try await store.close()
        } catch {
            log.error("The database did not close cleanly.", metadata: ["error": "\(error)"])
        }
    }
}
